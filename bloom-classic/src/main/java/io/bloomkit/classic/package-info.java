/**
 * Filters of single bits: the smallest, for sets from which nothing is removed.
 *
 * <p>Start at {@link io.bloomkit.classic.ClassicBloomFilter}, or at {@link
 * io.bloomkit.classic.BlockedBloomFilter} where speed counts more than a few per cent of memory.
 * Depends on bloom-api only.
 */
@NullMarked
package io.bloomkit.classic;

import org.jspecify.annotations.NullMarked;
