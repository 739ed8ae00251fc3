/** The examination on fit strategies, on bad ones, and on ideal hashes. */
@NullMarked
package io.bloomkit.testkit.hash;

import org.jspecify.annotations.NullMarked;
