/**
 * Filters of single bits: the smallest, for sets from which nothing is removed.
 *
 * <p>Start at {@link io.bloomkit.classic.ClassicBloomFilter}, or at {@link
 * io.bloomkit.classic.BlockedBloomFilter} where speed counts more than a few per cent of memory.
 * Depends on bloom-api only.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and not a byte more, and needs no
 * buffer; {@code readFrom(Path)} and {@code fromBytes} require that nothing follows. All check the
 * kind, the strategy (same id, same fingerprint) and every field, and throw {@link
 * io.bloomkit.format.FilterFormatException} for what is damaged, cut off, of another kind or filled
 * by another strategy; readers of a builder that was given a size, also for another size. They
 * throw {@link java.io.IOException} if the stream or file fails, and {@link
 * java.lang.NullPointerException} if an argument is null. {@code readSection}, for filters that are
 * made of others, reads only the bits of a filter of the builder's size, and throws the same for
 * what is damaged or cut off.
 *
 * <p><b>Building.</b> What requires a size throws {@link java.lang.IllegalStateException} if a
 * builder was given none. {@code expecting}, {@code shape} and {@code buildFrom} throw {@link
 * java.lang.IllegalArgumentException} for a number out of its range, a filter larger than one array
 * and bits that are not those of the size.
 */
@NullMarked
package io.bloomkit.classic;

import org.jspecify.annotations.NullMarked;
