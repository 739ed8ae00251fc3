/**
 * Bloom filters on Apache Spark. A cluster builds a filter in parallel; its bytes are those of a
 * filter that one machine builds from the same elements.
 *
 * <p>Start with {@link io.bloomkit.spark.BloomFunctions} for SQL, with {@link
 * io.bloomkit.spark.BloomAggregators} for Java, with {@link io.bloomkit.spark.JoinPruning} to
 * shuffle fewer rows of a join, and with {@link io.bloomkit.spark.StreamDeduplicator} to drop
 * repeated rows of a stream.
 */
@NullMarked
package io.bloomkit.spark;

import org.jspecify.annotations.NullMarked;
