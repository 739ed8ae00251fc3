package io.bloomkit.scalable;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;

/**
 * Sizes flat layers. The false-positive rate of a flat layer is (X/m)<sup>k</sup>, where X is the
 * number of set positions. A layer is full as soon as further elements could raise the rate above
 * the planned one, so the planned rate is never exceeded.
 */
final class FlatLayers {

  /** The reserve: a layer takes its capacity before it is full in all but 3 of 100,000 cases. */
  private static final double STANDARD_DEVIATIONS = 4;

  private FlatLayers() {}

  static GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
    FlatShape shape = Shape.of(capacity, fpp);
    // Factor 2, because about half of the positions are set in a full layer.
    long forOthers = 2L * (additionsAtOnce - 1) * shape.hashes();
    shape = new FlatShape(shape.positions() + forOthers, shape.hashes());
    while (fillLimit(shape, fpp, additionsAtOnce) < fillAtCapacity(capacity, shape)) {
      shape = new FlatShape(shape.positions() + shape.positions() / 128 + 1, shape.hashes());
    }
    return of(index, capacity, shape, fpp, additionsAtOnce);
  }

  /**
   * Returns the layer of a given shape.
   *
   * @throws IllegalArgumentException if the layer would be full while it is empty
   */
  static GrowthPlan.Layer of(
      int index, long capacity, FlatShape shape, double fpp, int additionsAtOnce) {
    long limit = fillLimit(shape, fpp, additionsAtOnce);
    if (limit < 0) {
      throw new IllegalArgumentException(shape + " has no room within an error of " + fpp);
    }
    return new GrowthPlan.Layer(
        index, capacity, shape, null, limit, shape.hashes(), additionsAtOnce);
  }

  private static long fillLimit(FlatShape shape, double fpp, int additionsAtOnce) {
    return BloomFormulas.fillAtFpp(shape.positions(), shape.hashes(), fpp)
        - (long) additionsAtOnce * shape.hashes();
  }

  /** Returns a number of set positions that a layer at its capacity exceeds only in rare cases. */
  private static double fillAtCapacity(long capacity, FlatShape shape) {
    double mean = BloomFormulas.expectedSetPositions(capacity, shape.positions(), shape.hashes());
    double variance =
        BloomFormulas.varianceOfSetPositions(capacity, shape.positions(), shape.hashes());
    return mean + STANDARD_DEVIATIONS * Math.sqrt(variance);
  }
}
