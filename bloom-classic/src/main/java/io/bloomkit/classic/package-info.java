/**
 * Bloom filters of bits, for sets from which no element is removed.
 *
 * <p>Start at {@link io.bloomkit.classic.ClassicBloomFilter}. {@link
 * io.bloomkit.classic.BlockedBloomFilter} is faster and takes 5 to 15 % more memory at rates of 1
 * to 0.1 %.
 *
 * <p><b>Building.</b> {@code expecting}, {@code shape} and {@code buildFrom} throw {@link
 * java.lang.IllegalArgumentException} if a number is out of its range, or if the filter would be
 * larger than one array (16 GiB). {@code buildFrom} also throws it if the array has another length
 * than a filter of this size, or if bits beyond the last position are set. A method that requires a
 * size throws {@link java.lang.IllegalStateException} if the builder has no size.
 *
 * <p><b>Reading.</b> See {@link io.bloomkit.format.FilterBuilder}.
 *
 * <p>Every method throws {@link java.lang.NullPointerException} if an argument is null, except
 * {@code equals}.
 */
@NullMarked
package io.bloomkit.classic;

import org.jspecify.annotations.NullMarked;
