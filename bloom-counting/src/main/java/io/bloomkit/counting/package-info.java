/**
 * Filters from which elements can be removed.
 *
 * <ul>
 *   <li>{@link io.bloomkit.counting.CountingBloomFilter}, the usual choice, has counters of four
 *       bits.
 *   <li>{@link io.bloomkit.counting.BlockedCountingBloomFilter} has such counters in blocks of a
 *       cache line. It is faster and larger.
 *   <li>{@link io.bloomkit.counting.CuckooFilter} has a table of fingerprints. It takes the least
 *       memory and has a fixed capacity.
 * </ul>
 *
 * <p><b>Building.</b> Methods of a builder that need a size throw {@link
 * java.lang.IllegalStateException} if the builder was given none.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it, does not
 * close the stream, and needs no buffering. {@code readFrom(Path)} and {@code fromBytes} require
 * that no bytes follow the filter. A filter that a builder reads is concurrent if {@code
 * concurrent()} was called. These methods throw
 *
 * <ul>
 *   <li>{@link io.bloomkit.format.FilterFormatException} if the bytes are damaged, truncated, of
 *       another kind of filter, or filled by another strategy (another id or fingerprint), or if
 *       the builder was given another size;
 *   <li>{@link java.io.IOException} if the stream or the file fails;
 *   <li>{@link java.lang.NullPointerException} if an argument is null.
 * </ul>
 *
 * <p>{@code readSections} reads a filter that is part of another filter's file. It throws the same
 * exceptions if the bytes are damaged or truncated.
 */
@NullMarked
package io.bloomkit.counting;

import org.jspecify.annotations.NullMarked;
