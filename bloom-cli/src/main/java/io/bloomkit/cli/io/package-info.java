/**
 * Input and output of lines: inputs compressed by gzip or not, lines and fields without copies, the
 * standard streams, progress on standard error, file errors and exit codes.
 *
 * <p>Start at {@link io.bloomkit.cli.io.InputSource}, an open input, and at {@link
 * io.bloomkit.cli.io.LineReader}, which finds the lines in it. Depends on {@code text}.
 */
@NullMarked
package io.bloomkit.cli.io;

import org.jspecify.annotations.NullMarked;
