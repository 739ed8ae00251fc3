package io.bloomkit.scalable;

import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;

/**
 * Sizes layers whose rate follows from the number of set positions X alone, (X/m)<sup>k</sup>: such
 * a layer is full at the X after which the next elements might exceed its rate. So it never does.
 */
final class FlatLayers {

  /** A layer reaches its capacity before its limit in all but 3 of 100,000 cases. */
  private static final double STANDARD_DEVIATIONS = 4;

  private FlatLayers() {}

  static GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
    Shape shape = Shape.of(capacity, fpp);
    // About half of the positions are set by design.
    long forOthers = 2L * (additionsAtOnce - 1) * shape.hashes();
    shape = new Shape(shape.positions() + forOthers, shape.hashes());
    while (fillLimit(shape, fpp, additionsAtOnce) < fillAtCapacity(capacity, shape)) {
      shape = new Shape(shape.positions() + shape.positions() / 128 + 1, shape.hashes());
    }
    return of(index, capacity, shape, fpp, additionsAtOnce);
  }

  /**
   * A layer of a shape, however it was found.
   *
   * @throws IllegalArgumentException if it would be full while empty
   */
  static GrowthPlan.Layer of(
      int index, long capacity, Shape shape, double fpp, int additionsAtOnce) {
    long limit = fillLimit(shape, fpp, additionsAtOnce);
    if (limit < 0) {
      throw new IllegalArgumentException(shape + " has no room within an error of " + fpp);
    }
    return new GrowthPlan.Layer(
        index, capacity, shape, null, limit, shape.hashes(), additionsAtOnce);
  }

  private static long fillLimit(Shape shape, double fpp, int additionsAtOnce) {
    return BloomFormulas.fillAtFpp(shape.positions(), shape.hashes(), fpp)
        - (long) additionsAtOnce * shape.hashes();
  }

  /** As many positions as are set by all the elements, or fewer in all but a few cases. */
  private static double fillAtCapacity(long capacity, Shape shape) {
    double mean = BloomFormulas.expectedSetPositions(capacity, shape.positions(), shape.hashes());
    double variance =
        BloomFormulas.varianceOfSetPositions(capacity, shape.positions(), shape.hashes());
    return mean + STANDARD_DEVIATIONS * Math.sqrt(variance);
  }
}
