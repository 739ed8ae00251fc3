/**
 * Values on the command line and figures in the output: converters and range checks, number
 * formats, tables and JSON.
 *
 * <p>Start at {@link io.bloomkit.cli.text.Figures} for output and at {@link
 * io.bloomkit.cli.text.Arguments} for input. Depends on no other package of the command.
 */
@NullMarked
package io.bloomkit.cli.text;

import org.jspecify.annotations.NullMarked;
