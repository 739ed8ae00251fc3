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
 * <p><b>Reading.</b> See {@link io.bloomkit.format.FilterBuilder}. The growth factor and the
 * tightening ratio belong to the size.
 */
@NullMarked
package io.bloomkit.scalable;

import org.jspecify.annotations.NullMarked;
