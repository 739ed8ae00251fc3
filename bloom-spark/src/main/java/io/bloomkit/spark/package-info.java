/**
 * Bloom filters on Apache Spark: built by all machines of a cluster, and the same bytes as built by
 * one.
 */
@NullMarked
package io.bloomkit.spark;

import org.jspecify.annotations.NullMarked;
