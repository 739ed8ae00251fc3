package io.bloomkit.format;

/**
 * The number of 64-byte cache lines that an operation reads or writes. This number dominates the
 * cost of an operation in a filter that is larger than the CPU caches.
 *
 * <p>A block of a blocked filter and a bucket of a cuckoo filter count as one line, even if they
 * cross the boundary between two lines.
 *
 * @param add the mean per insertion while a filter fills up to its planned number of elements
 * @param addAtMost the number for the most expensive insertion
 * @param query the number per query of a stored element
 * @param queryAbsent the mean per query of an absent element; NaN if it is unknown
 * @param remove the number per removal; meaningless if the filter does not support removal
 */
public record CacheLines(double add, int addAtMost, int query, double queryAbsent, int remove) {}
