/** The {@code bloom} command: sizes filters and runs the experiment that shows what they do. */
@NullMarked
package io.bloomkit.cli;

import org.jspecify.annotations.NullMarked;
