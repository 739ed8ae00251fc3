/**
 * Filters that grow, for sets of unknown size: sequences of filters of fixed size.
 *
 * <p>Start at {@link io.bloomkit.scalable.ScalableBloomFilter}, or at {@link
 * io.bloomkit.scalable.ScalableCountingBloomFilter} to remove elements again. Depends on
 * bloom-classic and bloom-counting, whose filters are the layers.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it, and needs
 * no buffering; {@code readFrom(Path)} and {@code fromBytes} require that nothing follows. All
 * check the kind, the strategy (same id, same fingerprint) and every field, and throw {@link
 * io.bloomkit.format.FilterFormatException} if the bytes are damaged, truncated, of another kind or
 * filled by another strategy; a builder that was given a size also refuses another size, kind of
 * layers, growth factor or tightening ratio. To read a concurrent filter, use a builder with {@code
 * concurrent()}. They throw {@link java.io.IOException} if the stream or file fails, and {@link
 * java.lang.NullPointerException} if an argument is null.
 *
 * <p><b>Building.</b> Methods that require a size throw {@link java.lang.IllegalStateException} if
 * the builder was given none. A first layer that would be too large or too strict is refused with
 * an {@link java.lang.IllegalArgumentException} when the filter is built.
 */
@NullMarked
package io.bloomkit.scalable;

import org.jspecify.annotations.NullMarked;
