/**
 * Reads, queries, merges, builds and writes the Bloom filters of Apache Spark's {@code
 * org.apache.spark.util.sketch}, bit for bit, without Spark.
 *
 * <p>Start at {@link io.bloomkit.interop.spark.SparkBloomFilter}.
 *
 * <p>Every method throws {@link java.lang.NullPointerException} if an argument is null, except
 * {@code equals}.
 */
@NullMarked
package io.bloomkit.interop.spark;

import org.jspecify.annotations.NullMarked;
