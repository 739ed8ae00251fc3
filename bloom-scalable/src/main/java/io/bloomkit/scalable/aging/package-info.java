/**
 * The filter that remembers a window of additions or of time, and forgets what is older.
 *
 * <p>Start at {@link io.bloomkit.scalable.aging.AgingBloomFilter}. Depends on bloom-api only, not
 * on the filters that grow.
 *
 * <p><b>Reading.</b> {@code readFrom(InputStream)} reads a filter and no byte beyond it, and needs
 * no buffering; {@code readFrom(Path)} and {@code fromBytes} require that nothing follows. All
 * check the kind, the strategy (same id, same fingerprint) and every field, and throw {@link
 * io.bloomkit.format.FilterFormatException} if the bytes are damaged, truncated, of another kind or
 * filled by another strategy; a builder that was given a size also refuses another shape or length
 * of a generation. To read a concurrent filter, use a builder with {@code concurrent()}. They throw
 * {@link java.io.IOException} if the stream or file fails, and {@link
 * java.lang.NullPointerException} if an argument is null.
 *
 * <p><b>Building.</b> Methods that require a size throw {@link java.lang.IllegalStateException} if
 * the builder was given none. {@code rememberingLast} and {@code shape} throw {@link
 * java.lang.IllegalArgumentException} for a number or a duration out of its range, and {@code
 * buildFrom} for bits that no filter of the shape has at the given moment.
 */
@NullMarked
package io.bloomkit.scalable.aging;

import org.jspecify.annotations.NullMarked;
