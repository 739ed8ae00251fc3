/**
 * Bloom filters on Apache Spark: built in parallel by a cluster, with the same bytes as built by
 * one machine. Start at {@link io.bloomkit.spark.BloomFunctions} for SQL and at {@link
 * io.bloomkit.spark.BloomAggregators} for Java.
 */
@NullMarked
package io.bloomkit.spark;

import org.jspecify.annotations.NullMarked;
