/**
 * Bloom filters with a counter in place of each bit, so that elements can be removed. Frequent
 * updates are fast, and few elements should be added more than once.
 *
 * <ul>
 *   <li>{@link io.bloomkit.counting.CountingBloomFilter} has 4-bit counters.
 *   <li>{@link io.bloomkit.counting.BlockedCountingBloomFilter} keeps the counters of an element in
 *       one cache line. It is faster and larger.
 * </ul>
 *
 * <p>{@link io.bloomkit.cuckoo.DynamicCuckooFilter} takes less memory; it is the usual choice of a
 * filter from which elements are removed.
 *
 * <p><b>Building.</b> A builder method that requires a size throws {@link
 * java.lang.IllegalStateException} if no size was set.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads exactly the bytes of one filter, does not
 * close the stream, and needs no buffered stream. {@code readFrom(Path)} and {@code fromBytes}
 * require that no bytes follow the filter. The filter is concurrent if {@code concurrent()} was
 * called on the builder; the static methods return filters that are not concurrent. These methods
 * throw
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
