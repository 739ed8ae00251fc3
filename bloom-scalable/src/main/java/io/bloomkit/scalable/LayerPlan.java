package io.bloomkit.scalable;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.internal.WordArrays;

/**
 * The plan of a layer of a growing filter.
 *
 * <p>The false-positive rate of a layer is (X/m)<sup>k</sup>, where X is the number of set bits,
 * the <i>fill</i>. The layer is full as soon as further elements could raise the rate above the
 * planned one, so the planned rate is never exceeded.
 *
 * @param index i, counted from 0; determines the false-positive rate of the layer
 * @param capacity the number of distinct elements that the layer takes, except in rare cases
 * @param shape the shape of the filter of the layer
 * @param limit the largest fill at which the layer takes another element
 * @param maxWriters the number of threads that may add at the same time without exceeding the rate,
 *     see {@link GrowthPlan}
 * @param plannedMaxWriters the number of threads for which the layer was planned; files store this
 *     number, from which the limit follows
 */
record LayerPlan(
    int index, long capacity, FlatShape shape, long limit, int maxWriters, int plannedMaxWriters) {

  /** The number of bits of an array. */
  static final long BITS_OF_AN_ARRAY = (long) WordArrays.MAX_LENGTH * Long.SIZE;

  /** The largest number of bits of a layer, slightly less than an array holds. */
  private static final long MAX_BITS = Shape.MAX_POSITIONS - (1 << 20);

  /**
   * The reserve of a layer, in standard deviations of its fill: it takes its capacity before it is
   * full in all but 3 of 100,000 cases.
   */
  private static final double RESERVED_DEVIATIONS = 4;

  /**
   * Plans a layer.
   *
   * @param fpp the false-positive rate that the layer does not exceed
   * @throws IllegalArgumentException if the layer would be too large, or its rate is too low
   */
  static LayerPlan of(int index, long capacity, double fpp, int maxWriters) {
    FlatShape shape = Shape.of(capacity, fpp);
    // Factor 2, because about half of the positions are set in a full layer.
    long forOthers = 2L * (maxWriters - 1) * shape.hashes();
    shape = new FlatShape(shape.positions() + forOthers, shape.hashes());
    while (fillLimit(shape, fpp, maxWriters) < fillAtCapacity(capacity, shape)) {
      shape = new FlatShape(shape.positions() + shape.positions() / 128 + 1, shape.hashes());
    }
    return ofShape(index, capacity, shape, fpp, maxWriters);
  }

  /**
   * Returns a layer that was planned before, given its shape, because planning is slow.
   *
   * @throws IllegalArgumentException if an empty layer of this shape would be full
   */
  static LayerPlan ofShape(int index, long capacity, FlatShape shape, double fpp, int maxWriters) {
    long limit = fillLimit(shape, fpp, maxWriters);
    if (limit < 0) {
      throw new IllegalArgumentException(shape + " has no room within an error of " + fpp);
    }
    return new LayerPlan(index, capacity, shape, limit, maxWriters, maxWriters);
  }

  private static long fillLimit(FlatShape shape, double fpp, int maxWriters) {
    return BloomFormulas.fillAtFpp(shape.positions(), shape.hashes(), fpp)
        - (long) maxWriters * shape.hashes();
  }

  /** Returns a number of set positions that a layer at its capacity exceeds only in rare cases. */
  private static double fillAtCapacity(long capacity, FlatShape shape) {
    double mean = BloomFormulas.expectedSetPositions(capacity, shape.positions(), shape.hashes());
    double variance =
        BloomFormulas.varianceOfSetPositions(capacity, shape.positions(), shape.hashes());
    return mean + RESERVED_DEVIATIONS * Math.sqrt(variance);
  }

  /** Returns the number of elements that the largest layer takes at a false-positive rate. */
  static double maxCapacity(double fpp) {
    // Rounding the number of hashes and the reserve for chance take slightly more than the optimum.
    return MAX_BITS / (1.1 * BloomFormulas.optimalPositionsPerElement(fpp));
  }

  /**
   * Returns whether a layer has about the largest possible size, so its capacity may be below the
   * planned one.
   */
  static boolean fillsAnArray(long positions) {
    return positions > MAX_BITS / 2;
  }

  /** Returns the largest possible fill, if at most {@code maxWriters} threads add. */
  long maxFill() {
    return limit + (long) maxWriters * shape.hashes();
  }

  /** Returns this layer for more threads: with a lower limit, and the same largest fill. */
  LayerPlan withMaxWriters(int writers) {
    long lower = limit - (long) (writers - maxWriters) * shape.hashes();
    return new LayerPlan(index, capacity, shape, lower, writers, plannedMaxWriters);
  }

  /**
   * Returns a number of elements that can always be added at a given fill before the layer is full.
   */
  long headroom(long fill) {
    return fill > limit ? 0 : (limit - fill) / shape.hashes() + 1;
  }

  /** Returns the number of bytes of the array of the layer. */
  long memoryBytes() {
    return ClassicBloomFilter.builder(HashStrategies.longs()).shape(shape).memoryBytes();
  }
}
