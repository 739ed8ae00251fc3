/**
 * Filters of single bits: the smallest, for sets from which nothing is removed.
 *
 * <p>Start at {@link io.bloomkit.classic.ClassicBloomFilter}, or at {@link
 * io.bloomkit.classic.BlockedBloomFilter} where speed counts more than a few per cent of memory.
 * Depends on bloom-api only.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it, and needs
 * no buffering; {@code readFrom(Path)} and {@code fromBytes} require that nothing follows. All
 * check the kind, the strategy (same id, same fingerprint) and every field, and throw {@link
 * io.bloomkit.format.FilterFormatException} if the bytes are damaged, truncated, of another kind or
 * filled by another strategy; a builder that was given a size also refuses another size. To read a
 * concurrent filter, use a builder with {@code concurrent()}. They throw {@link
 * java.io.IOException} if the stream or file fails, and {@link java.lang.NullPointerException} if
 * an argument is null. {@code readSection}, for filters composed of others, reads only the bits of
 * a filter of the builder's size, and throws the same if they are damaged or truncated.
 *
 * <p><b>Building.</b> Methods that require a size throw {@link java.lang.IllegalStateException} if
 * the builder was given none. {@code expecting}, {@code shape} and {@code buildFrom} throw {@link
 * java.lang.IllegalArgumentException} for a number out of its range, a filter larger than one array
 * and bits that are not those of the size.
 */
@NullMarked
package io.bloomkit.classic;

import org.jspecify.annotations.NullMarked;
