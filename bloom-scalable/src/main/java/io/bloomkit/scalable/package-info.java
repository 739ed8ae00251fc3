/**
 * Filters that grow, for sets of unknown size. Each is a sequence of layers, which are filters of
 * fixed size.
 *
 * <p>Use {@link io.bloomkit.scalable.ScalableBloomFilter} if elements are only added, and {@link
 * io.bloomkit.scalable.ScalableCountingBloomFilter} if they are also removed.
 *
 * <p><b>Building.</b> Methods of a builder that need a size throw {@link
 * java.lang.IllegalStateException} if the builder was given none. {@code build()} throws {@link
 * java.lang.IllegalArgumentException} if the first layer would be larger than one array, if it
 * would need a lower false-positive rate than 64-bit hashes allow, or if its blocked counters would
 * take more than 64 bytes per element.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it, does not
 * close the stream, and needs no buffering. {@code readFrom(Path)} and {@code fromBytes} require
 * that no bytes follow the filter. A filter that a builder reads is concurrent if {@code
 * concurrent()} was called. These methods throw
 *
 * <ul>
 *   <li>{@link io.bloomkit.format.FilterFormatException} if the bytes are damaged, truncated, of
 *       another kind of filter, or filled by another strategy (another id or fingerprint), or if
 *       the builder was given a size and the filter has another size, kind of layers, growth factor
 *       or tightening ratio than the builder;
 *   <li>{@link java.io.IOException} if the stream or the file fails;
 *   <li>{@link java.lang.NullPointerException} if an argument is null.
 * </ul>
 */
@NullMarked
package io.bloomkit.scalable;

import org.jspecify.annotations.NullMarked;
