/**
 * A filter that remembers a window of additions or of time and forgets older elements: {@link
 * io.bloomkit.scalable.aging.AgingBloomFilter}.
 *
 * <p><b>Building.</b> Methods of a builder that need a size throw {@link
 * java.lang.IllegalStateException} if the builder was given none. {@code rememberingLast} and
 * {@code shape} throw {@link java.lang.IllegalArgumentException} if a number or a duration is out
 * of its range. {@code buildFrom} throws it if no filter of the shape can have these bits in the
 * given cycle.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it, does not
 * close the stream, and needs no buffering. {@code readFrom(Path)} and {@code fromBytes} require
 * that no bytes follow the filter. A filter that a builder reads is concurrent if {@code
 * concurrent()} was called. These methods throw
 *
 * <ul>
 *   <li>{@link io.bloomkit.format.FilterFormatException} if the bytes are damaged, truncated, of
 *       another kind of filter, or filled by another strategy (another id or fingerprint), or if
 *       the builder was given another shape or length of a generation;
 *   <li>{@link java.io.IOException} if the stream or the file fails;
 *   <li>{@link java.lang.NullPointerException} if an argument is null.
 * </ul>
 */
@NullMarked
package io.bloomkit.scalable.aging;

import org.jspecify.annotations.NullMarked;
