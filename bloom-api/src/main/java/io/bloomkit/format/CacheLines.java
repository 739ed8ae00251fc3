package io.bloomkit.format;

/**
 * The number of 64-byte cache lines that an operation touches, which dominates its cost in a filter
 * larger than the CPU caches. A block or bucket counts as one line, even if it crosses a boundary.
 *
 * @param add lines per insertion, the mean while the filter fills
 * @param addAtMost lines of the most expensive insertion
 * @param query lines per query of a stored element
 * @param queryAbsent mean lines per query of an absent element, in a filter with all its elements
 * @param remove lines per removal; meaningless if the filter does not support removal
 */
public record CacheLines(double add, int addAtMost, int query, double queryAbsent, int remove) {}
