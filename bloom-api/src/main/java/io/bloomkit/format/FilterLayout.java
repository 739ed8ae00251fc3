package io.bloomkit.format;

import io.bloomkit.Shape;
import java.util.Map;
import java.util.Objects;

/**
 * The size of a planned or existing filter, with its memory, false-positive rate and cache lines
 * per operation. {@link FilterKind#layout} returns the layout of a planned filter without
 * allocating the filter. {@link FilterKind#layoutOf} returns the layout of an existing filter.
 */
public interface FilterLayout {

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
  record CacheLines(double add, int addAtMost, int query, double queryAbsent, int remove) {}

  /**
   * Returns the number of bytes that the arrays of the filter occupy. For a planned filter, the
   * result is the size of an empty filter or, if the kind is {@linkplain FilterKind.Trait#ELASTIC
   * elastic}, of a filter with the planned number of elements.
   */
  long memoryBytes();

  /**
   * Returns the dimensions of the filter by name, as the command {@code bloom inspect} prints them.
   * The kind of the filter determines which of these names are present:
   *
   * <ul>
   *   <li>positions, the number of bits or counters, in all layers together;
   *   <li>hashes, the number of positions that an element takes; in a growing filter, the number in
   *       the newest layer;
   *   <li>layers, the number of layers of a growing filter;
   *   <li>blocks, the number of blocks of a blocked filter;
   *   <li>buckets, the number of buckets of a cuckoo filter;
   *   <li>fingerprintBits, the number of bits per fingerprint;
   *   <li>capacity, the largest number of distinct elements that the filter can hold;
   *   <li>maxElements, the planned number of distinct elements of a filter that also accepts more
   *       elements; in an expiring filter, of those that are alive at once;
   *   <li>possibleFingerprints, the number of different values that a fingerprint can have.
   * </ul>
   *
   * <p>For an existing filter, the map also contains fill, the fill ratio: the share of set bits or
   * of non-zero counters, from 0 to 1. In a {@code CuckooFilter}, fill is the number of different
   * fingerprints stored, divided by the number of slots of all buckets. In a {@code
   * DynamicCuckooFilter} or {@code ExpiringCuckooFilter}, fill is the number of different
   * fingerprints stored, divided by maxElements; it exceeds 1 if the filter is overfull. For some
   * kinds, the map also contains setPositions (the number of set bits or of non-zero counters) or
   * distinctFingerprints (the number of different fingerprints stored).
   */
  Map<String, Number> figures();

  /**
   * Returns the expected false-positive rate when the filter holds a given number of distinct
   * elements. The rate is computed by the formula of the filter's kind. If the kind is {@linkplain
   * FilterKind.Trait#GROWING growing}, the result is the rate of the first layer.
   *
   * @param elements at least 0
   * @return the rate, or NaN if the rate is unknown or the filter cannot hold that number of
   *     elements
   */
  double fpp(long elements);

  /**
   * Returns the number of cache lines per operation. {@link CacheLines#queryAbsent} is the mean
   * when the filter holds a given number of distinct elements. If the kind is {@linkplain
   * FilterKind.Trait#GROWING growing}, the result applies to the first layer.
   *
   * @param elements at least 0
   */
  CacheLines cacheLines(long elements);

  /**
   * Returns the layout of a planned filter after it has grown to a given number of distinct
   * elements. Returns a layout equal to this one if the filter already exists, or if the kind is
   * not {@linkplain FilterKind.Trait#GROWING growing}.
   *
   * @param elements at least 1
   * @throws IllegalArgumentException if the filter cannot grow to that number
   */
  default FilterLayout grownTo(long elements) {
    return this;
  }

  /**
   * Returns the layout of a filter of bits or counters. For authors of filters.
   *
   * @param memoryBytes the number of bytes that {@link #memoryBytes()} of the layout returns
   */
  static FilterLayout of(Shape shape, long memoryBytes) {
    return new PositionsLayout(Objects.requireNonNull(shape, "shape"), memoryBytes);
  }

  /**
   * Returns this layout with {@code setPositions} and {@code fill} in its {@link #figures()}. For
   * authors of filters.
   *
   * @param setPositions the number of set bits or non-zero counters
   * @throws IllegalStateException if the figures have no {@code positions}
   */
  default FilterLayout withSetPositions(long setPositions) {
    Number positions = figures().get("positions");
    if (positions == null) {
      throw new IllegalStateException("the layout has no positions but " + figures());
    }
    return new PositionsLayout.Filled(
        this, setPositions, (double) setPositions / positions.longValue());
  }
}
