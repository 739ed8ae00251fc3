/**
 * A filter that grows, for sets of unknown size. It is a sequence of layers, and each layer is a
 * filter of fixed size.
 *
 * <p>If elements are also removed, use {@code DynamicCuckooFilter} of the module {@code
 * io.bloomkit.counting}, planned for more elements than there will ever be.
 *
 * <p><b>Building.</b> Methods of a builder that require a size throw {@link
 * java.lang.IllegalStateException} if the builder has no size. {@code build()} throws {@link
 * java.lang.IllegalArgumentException} if the first layer would be larger than one array, or if it
 * would need a lower false-positive rate than 64-bit hashes allow.
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
 *       the filter has another size, growth factor or tightening ratio;
 *   <li>{@link java.io.IOException} if the stream or file cannot be read;
 *   <li>{@link java.lang.NullPointerException} if an argument is null.
 * </ul>
 */
@NullMarked
package io.bloomkit.scalable;

import org.jspecify.annotations.NullMarked;
