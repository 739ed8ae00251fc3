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
 * <p><b>Reading.</b> See {@link io.bloomkit.format.FilterBuilder}.
 */
@NullMarked
package io.bloomkit.counting;

import org.jspecify.annotations.NullMarked;
