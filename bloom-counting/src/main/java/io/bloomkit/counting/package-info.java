/**
 * Filters from which elements can be removed: counters of four bits, flat ({@link
 * io.bloomkit.counting.CountingBloomFilter}, start here) or in blocks of a cache line, and the
 * fingerprints of {@link io.bloomkit.counting.CuckooFilter}.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and not a byte more, and needs no
 * buffer; {@code readFrom(Path)} and {@code fromBytes} require that nothing follows. All check the
 * kind, the strategy (same id, same fingerprint) and every field, and throw {@link
 * io.bloomkit.format.FilterFormatException} for what is damaged, cut off, of another kind or filled
 * by another strategy; readers of a builder that was given a size, also for another size. They
 * throw {@link java.io.IOException} if the stream or file fails, and {@link
 * java.lang.NullPointerException} if an argument is null. {@code readSections}, for filters that
 * are made of others, throws the same for what is damaged or cut off.
 *
 * <p><b>Building.</b> What requires a size throws {@link java.lang.IllegalStateException} if a
 * builder was given none.
 *
 * <p>Inside, a filter is a facade over counters or fingerprints: {@code FlatCounters} and {@code
 * BlockedCounters} find those of an element, {@code CounterArray} counts, {@code CounterFile} and
 * {@code FingerprintFile} read and write.
 */
@NullMarked
package io.bloomkit.counting;

import org.jspecify.annotations.NullMarked;
