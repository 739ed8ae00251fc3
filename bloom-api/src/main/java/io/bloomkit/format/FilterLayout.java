package io.bloomkit.format;

import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;
import java.util.Map;
import java.util.Objects;

/**
 * The size of a planned or existing filter, with its memory, false-positive rate and cache lines
 * per operation. {@link FilterKind#layout} plans one without allocating the filter; {@link
 * FilterKind#layoutOf} returns that of a filter.
 */
public interface FilterLayout {

  /**
   * Returns the number of bytes that the arrays of the filter occupy. A planned filter is empty,
   * except that one of an {@linkplain FilterKind.Trait#ELASTIC elastic} kind holds the planned
   * elements.
   */
  long memoryBytes();

  /**
   * Returns the dimensions by name, as {@code bloom inspect} prints them. Which of these names
   * there are depends on the kind: positions, hashes, layers, blocks, buckets, fingerprintBits,
   * capacity, maxElements, fingerprints. An existing filter also has fill, its fill ratio, and in
   * some kinds setPositions or distinctFingerprints.
   */
  Map<String, Number> figures();

  /**
   * Returns the false-positive probability to expect at a number of distinct elements, by the
   * formula of the kind; that of the first layer if there are several. NaN if it is unknown or the
   * filter cannot hold that number.
   *
   * @param elements at least 0
   */
  double fpp(long elements);

  /**
   * Returns the cache lines that operations touch after a number of elements have been added; those
   * of the first layer if the kind is {@linkplain FilterKind.Trait#GROWING growing}.
   *
   * @param elements at least 0
   */
  CacheLines cacheLines(long elements);

  /**
   * Returns the layout of a planned filter after growth to a number of distinct elements; this
   * layout if the kind is not {@linkplain FilterKind.Trait#GROWING growing}, or if it is that of an
   * existing filter.
   *
   * @param elements at least 1
   * @throws IllegalArgumentException if the filter cannot grow to that number
   */
  default FilterLayout grownTo(long elements) {
    return this;
  }

  /**
   * Returns the layout of a filter in which each element may take any of the positions.
   *
   * @param memoryBytes see {@link #memoryBytes()}
   */
  static FilterLayout flat(Shape shape, long memoryBytes) {
    return PositionsLayout.flat(Objects.requireNonNull(shape, "shape"), memoryBytes);
  }

  /**
   * Returns the layout of a filter in which each element takes positions of one block.
   *
   * @param memoryBytes see {@link #memoryBytes()}
   */
  static FilterLayout blocked(BlockedShape shape, long memoryBytes) {
    return PositionsLayout.blocked(Objects.requireNonNull(shape, "shape"), memoryBytes);
  }

  /**
   * Returns this layout with the number of set positions and the fill ratio.
   *
   * @param setPositions the number of set bits or non-zero counters
   * @throws IllegalStateException if there are no positions
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
