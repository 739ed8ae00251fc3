/**
 * Filters written by other programs: the types of their elements, and the footers and filters of
 * Parquet files.
 *
 * <p>Start at {@link io.bloomkit.cli.interop.ParquetFile}.
 */
@NullMarked
package io.bloomkit.cli.interop;

import org.jspecify.annotations.NullMarked;
