/**
 * Filters from which elements can be removed.
 *
 * <ul>
 *   <li>{@link io.bloomkit.counting.dynamic.DynamicCuckooFilter}, the usual choice, is a table of
 *       fingerprints that grows and shrinks with the number of elements.
 *   <li>{@link io.bloomkit.counting.CountingBloomFilter} has 4-bit counters.
 *   <li>{@link io.bloomkit.counting.BlockedCountingBloomFilter} keeps the counters of an element in
 *       one cache line. It is faster and larger.
 *   <li>{@link io.bloomkit.counting.CuckooFilter} is a table of fingerprints. It takes the least
 *       memory and has a fixed capacity.
 *   <li>{@link io.bloomkit.counting.dynamic.ExpiringCuckooFilter} is such a table that forgets each
 *       element after its time to live.
 * </ul>
 *
 * <p><b>Building.</b> A builder method that requires a size throws {@link
 * java.lang.IllegalStateException} if no size was set.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads exactly the bytes of one filter, does not
 * close the stream, and needs no buffered stream. {@code readFrom(Path)} and {@code fromBytes}
 * require that no bytes follow the filter. A {@code DynamicCuckooFilter} and an {@code
 * ExpiringCuckooFilter} are always thread-safe and a {@code CuckooFilter} is single-writer; other
 * filters are concurrent if {@code concurrent()} was called on the builder, and the static methods
 * return filters that are not concurrent. These methods throw
 *
 * <ul>
 *   <li>{@link io.bloomkit.FilterFormatException} if the bytes are damaged or truncated, or are a
 *       filter of another kind, of another strategy (id or fingerprint), or of a size other than
 *       the one set in the builder;
 *   <li>{@link java.io.IOException} if the stream or file cannot be read;
 *   <li>{@link java.lang.NullPointerException} if an argument is null.
 * </ul>
 */
@NullMarked
package io.bloomkit.counting;

import org.jspecify.annotations.NullMarked;
