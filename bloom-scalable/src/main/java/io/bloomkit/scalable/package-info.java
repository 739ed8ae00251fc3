/**
 * Filters that grow, for sets of unknown size: rows of filters of fixed size.
 *
 * <p>Start at {@link io.bloomkit.scalable.ScalableBloomFilter}, or at {@link
 * io.bloomkit.scalable.ScalableCountingBloomFilter} to remove elements again. Depends on
 * bloom-classic and bloom-counting, whose filters are the layers.
 */
@NullMarked
package io.bloomkit.scalable;

import org.jspecify.annotations.NullMarked;
