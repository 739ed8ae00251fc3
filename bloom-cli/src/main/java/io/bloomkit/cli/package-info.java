/**
 * The {@code bloom} command: builds, asks and changes files of filters, drops repeated lines, sizes
 * filters, judges hash strategies, and runs the experiments that show what filters do.
 */
@NullMarked
package io.bloomkit.cli;

import org.jspecify.annotations.NullMarked;
