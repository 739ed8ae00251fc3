/**
 * The {@code bloom} command: drops repeated lines, sizes filters and runs the experiments that show
 * what they do.
 */
@NullMarked
package io.bloomkit.cli;

import org.jspecify.annotations.NullMarked;
