/**
 * A filter that remembers a window of additions or of time, and forgets older elements: {@link
 * io.bloomkit.scalable.aging.AgingBloomFilter}.
 *
 * <p><b>Building.</b> Methods of a builder that require a size throw {@link
 * java.lang.IllegalStateException} if the builder has no size. {@code expecting}, {@code window}
 * and {@code shape} throw {@link java.lang.IllegalArgumentException} if a number or a duration is
 * out of its range. {@code buildFrom} throws {@link java.lang.IllegalArgumentException} if no
 * filter of the shape can have the given bits in the given cycle.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it. It does
 * not close the stream, which need not be buffered. {@code readFrom(Path)} and {@code fromBytes}
 * require that no bytes follow the filter. The file does not store whether the filter was
 * concurrent: the filter that is returned is concurrent if it was read by a builder with {@code
 * concurrent()}. These methods throw
 *
 * <ul>
 *   <li>{@link io.bloomkit.FilterFormatException} if the bytes are damaged or truncated, or are a
 *       filter of another kind or strategy (id or fingerprint); also if the builder has a size and
 *       the filter has another shape or duration of a generation;
 *   <li>{@link java.io.IOException} if the stream or file cannot be read;
 *   <li>{@link java.lang.NullPointerException} if an argument is null.
 * </ul>
 */
@NullMarked
package io.bloomkit.scalable.aging;

import org.jspecify.annotations.NullMarked;
