/**
 * Reads, queries, merges, builds and writes the Bloom filters of Guava, bit for bit, without Guava.
 *
 * <p>Start at {@link io.bloomkit.interop.guava.GuavaBloomFilter}.
 *
 * <p>Every method throws {@link java.lang.NullPointerException} if an argument is null, except
 * {@code equals}.
 */
@NullMarked
package io.bloomkit.interop.guava;

import org.jspecify.annotations.NullMarked;
