/**
 * Reads, queries, merges and writes the filters of Guava, bit for bit, without Guava.
 *
 * <p>Start at {@link io.bloomkit.classic.guava.GuavaBloomFilters}. Depends on bloom-api only, not
 * on the other filters of this module.
 */
@NullMarked
package io.bloomkit.classic.guava;

import org.jspecify.annotations.NullMarked;
