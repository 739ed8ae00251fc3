/**
 * Lines in and out: inputs with or without gzip, lines and fields without a copy, the standard
 * streams, progress on standard error, file errors and exit codes.
 *
 * <p>Start at {@link io.bloomkit.cli.io.InputSource}, where lines come from, and at {@link
 * io.bloomkit.cli.io.LineReader}, which finds them. Depends on {@code text}.
 */
@NullMarked
package io.bloomkit.cli.io;

import org.jspecify.annotations.NullMarked;
