/**
 * Bloom filters of bits, for sets from which no element is removed.
 *
 * <p>Start at {@link io.bloomkit.classic.ClassicBloomFilter}. {@link
 * io.bloomkit.classic.BlockedBloomFilter} is faster and takes a few per cent more memory.
 *
 * <p><b>Building.</b> {@code expecting}, {@code shape} and {@code buildFrom} throw {@link
 * java.lang.IllegalArgumentException} if a number is out of its range, or if the filter would be
 * larger than one array (16 GiB). {@code buildFrom} also throws it if the array has another length
 * than a filter of this size, or if bits beyond the last position are set. A method that requires a
 * size throws {@link java.lang.IllegalStateException} if the builder has no size.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it. {@code
 * readFrom(Path)} and {@code fromBytes} require that nothing follows the filter. The file does not
 * store whether the filter was concurrent: the filter that is returned is concurrent if it was read
 * by a builder with {@code concurrent()}. The methods throw
 *
 * <ul>
 *   <li>{@link io.bloomkit.FilterFormatException} if the bytes are damaged or truncated, or are a
 *       filter of another kind or strategy (id or fingerprint); also if the builder has a size and
 *       the filter has another;
 *   <li>{@link java.io.IOException} if the stream or file cannot be read.
 * </ul>
 *
 * <p>Every method throws {@link java.lang.NullPointerException} if an argument is null, except
 * {@code equals}.
 */
@NullMarked
package io.bloomkit.classic;

import org.jspecify.annotations.NullMarked;
