/**
 * Reads, queries, merges, builds and writes the Bloom filters of Apache Spark's {@code
 * org.apache.spark.util.sketch}, bit for bit, without Spark.
 *
 * <p>Start at {@link io.bloomkit.classic.spark.SparkBloomFilter}. Depends on bloom-api only, not on
 * the other filters of this module.
 */
@NullMarked
package io.bloomkit.classic.spark;

import org.jspecify.annotations.NullMarked;
