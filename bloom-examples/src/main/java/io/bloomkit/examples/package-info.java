/** Examples of filters in front of real systems; docs/examples.md shows their output. */
@NullMarked
package io.bloomkit.examples;

import org.jspecify.annotations.NullMarked;
