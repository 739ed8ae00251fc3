/**
 * Streams without repeats on Apache Flink: start with {@link io.bloomkit.flink.StreamDeduplicator}.
 */
@NullMarked
package io.bloomkit.flink;

import org.jspecify.annotations.NullMarked;
