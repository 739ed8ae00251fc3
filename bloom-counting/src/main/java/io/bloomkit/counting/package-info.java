/**
 * Filters from which elements can be removed: counters of four bits, flat ({@link
 * io.bloomkit.counting.CountingBloomFilter}, start here) or in blocks of a cache line, and the
 * fingerprints of {@link io.bloomkit.counting.CuckooFilter}.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it, and needs
 * no buffering; {@code readFrom(Path)} and {@code fromBytes} require that nothing follows. All
 * check the kind, the strategy (same id, same fingerprint) and every field, and throw {@link
 * io.bloomkit.format.FilterFormatException} if the bytes are damaged, truncated, of another kind or
 * filled by another strategy; a builder that was given a size also refuses another size. To read a
 * concurrent filter, use a builder with {@code concurrent()}. They throw {@link
 * java.io.IOException} if the stream or file fails, and {@link java.lang.NullPointerException} if
 * an argument is null. {@code readSections}, for filters composed of others, throws the same if the
 * bytes are damaged or truncated.
 *
 * <p><b>Building.</b> Methods that require a size throw {@link java.lang.IllegalStateException} if
 * the builder was given none.
 *
 * <p>Inside, a filter is a facade over counters or fingerprints: {@code FlatCounters} and {@code
 * BlockedCounters} find those of an element, {@code CounterArray} counts, {@code CounterFile} and
 * {@code FingerprintFile} read and write.
 */
@NullMarked
package io.bloomkit.counting;

import org.jspecify.annotations.NullMarked;
