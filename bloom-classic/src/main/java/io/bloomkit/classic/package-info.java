/**
 * Bloom filters of single bits, for sets from which nothing is removed.
 *
 * <p>Start at {@link io.bloomkit.classic.ClassicBloomFilter}. {@link
 * io.bloomkit.classic.BlockedBloomFilter} is faster and takes a few per cent more memory.
 *
 * <p><b>Building.</b> {@code expecting}, {@code shape} and {@code buildFrom} throw {@link
 * java.lang.IllegalArgumentException} if a number is out of its range, if the filter would be
 * larger than one array (16 GiB), or if the bits are not those of a filter of the size: the array
 * has another length, or bits beyond the last position are set. A method that requires a size
 * throws {@link java.lang.IllegalStateException} if the builder was given none.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it. {@code
 * readFrom(Path)} and {@code fromBytes} require that nothing follows the filter. To read a
 * concurrent filter, use a builder with {@code concurrent()}. The methods throw
 *
 * <ul>
 *   <li>{@link io.bloomkit.format.FilterFormatException} if the bytes are damaged or truncated, or
 *       are a filter of another kind or strategy (id or fingerprint); also if the builder was given
 *       a size and the filter has another one;
 *   <li>{@link java.io.IOException} if the stream or file cannot be read.
 * </ul>
 *
 * <p>{@code readSection} reads only the bits of a filter, which has the size of the builder and the
 * given element count. It throws as the other methods, and requires a size.
 *
 * <p>Every method throws {@link java.lang.NullPointerException} if an argument is null, except
 * {@code equals}.
 */
@NullMarked
package io.bloomkit.classic;

import org.jspecify.annotations.NullMarked;
