/**
 * Reads, queries, merges, builds and writes the Bloom filters of Apache Parquet, bit for bit,
 * without Parquet.
 *
 * <p>Start at {@link io.bloomkit.interop.parquet.ParquetBloomFilter}.
 *
 * <p>Every method throws {@link java.lang.NullPointerException} if an argument is null, except
 * {@code equals}.
 */
@NullMarked
package io.bloomkit.interop.parquet;

import org.jspecify.annotations.NullMarked;
