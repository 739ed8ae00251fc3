/**
 * Filters written by other programs: the types of their elements, and the footers and filters of
 * Parquet files.
 *
 * <p>Start at {@link io.bloomkit.cli.foreign.ParquetFile}.
 */
@NullMarked
package io.bloomkit.cli.foreign;

import org.jspecify.annotations.NullMarked;
