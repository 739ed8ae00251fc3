/**
 * Filters that grow, for sets of unknown size: rows of filters of fixed size.
 *
 * <p>Start at {@link io.bloomkit.scalable.ScalableBloomFilter}, or at {@link
 * io.bloomkit.scalable.ScalableCountingBloomFilter} to remove elements again. Depends on
 * bloom-classic and bloom-counting, whose filters are the layers.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and not a byte more, and needs no
 * buffer; {@code readFrom(Path)} and {@code fromBytes} require that nothing follows. All check the
 * kind, the strategy (same id, same fingerprint) and every field, and throw {@link
 * io.bloomkit.format.FilterFormatException} for what is damaged, cut off, of another kind or filled
 * by another strategy; readers of a builder that was given a size, also for another size, kind of
 * layers, growth factor or tightening ratio. They throw {@link java.io.IOException} if the stream
 * or file fails, and {@link java.lang.NullPointerException} if an argument is null.
 *
 * <p><b>Building.</b> What requires a size throws {@link java.lang.IllegalStateException} if a
 * builder was given none. A first layer that would be too large or too strict is refused with an
 * {@link java.lang.IllegalArgumentException} when the filter is built.
 */
@NullMarked
package io.bloomkit.scalable;

import org.jspecify.annotations.NullMarked;
