/**
 * Builds, reads, queries, merges and writes the Bloom filters of Apache Parquet, bit for bit,
 * without Parquet.
 *
 * <p>Start at {@link io.bloomkit.classic.parquet.ParquetBloomFilter}. Depends on bloom-api only,
 * not on the other filters of this module.
 */
@NullMarked
package io.bloomkit.classic.parquet;

import org.jspecify.annotations.NullMarked;
