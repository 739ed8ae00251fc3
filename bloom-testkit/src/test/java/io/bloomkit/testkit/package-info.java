/** The contracts run on reference filters that pass and on broken ones that do not. */
@NullMarked
package io.bloomkit.testkit;

import org.jspecify.annotations.NullMarked;
