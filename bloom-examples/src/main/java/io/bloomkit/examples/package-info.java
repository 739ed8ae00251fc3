/** Six filters in front of real systems; docs/examples.md shows what each prints. */
@NullMarked
package io.bloomkit.examples;

import org.jspecify.annotations.NullMarked;
