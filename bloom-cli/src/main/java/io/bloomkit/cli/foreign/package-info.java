/**
 * Filters that other programs have written: the types of their elements, and Parquet files, of
 * which only the footer and the filters are read.
 *
 * <p>Start at {@link io.bloomkit.cli.foreign.ParquetFile}.
 */
@NullMarked
package io.bloomkit.cli.foreign;

import org.jspecify.annotations.NullMarked;
