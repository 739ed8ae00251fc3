package io.bloomkit.scalable;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;

/**
 * Sizes layers of blocks. Their rate does not follow from the number of set positions, since some
 * blocks are fuller than others, and to find it takes a pass over all of them. So such a layer is
 * full when it has taken as many distinct elements as it was made for, and is made so much stricter
 * that chance does not lift it above its rate in all but a few cases.
 *
 * <p>The rate of the layer is the mean of those of its b blocks, so its deviation is that of a
 * block divided by √b.
 */
final class BlockedLayers {

  /**
   * The number of standard deviations left above the mean. Simulated, the true deviation is 0.3 to
   * 0.9 of the one taken here, because the number of elements of all blocks together is fixed.
   */
  private static final double DEVIATIONS = 5;

  /** The most hashes for which that holds. */
  private static final int FEW_HASHES = 8;

  /**
   * With more hashes the rate that is not of repeated masks is that of a few blocks far above the
   * mean: of 50 layers for 1000 elements at 1.5 · 10<sup>-7</sup>, 12 would not do for one.
   */
  private static final double DEVIATIONS_OF_MANY_HASHES = 18;

  /** Fewer, and chance would cost more than the blocks: this many are 4 KiB. */
  private static final long FEWEST_BLOCKS = 64;

  /** Enough that whole blocks do not matter much. */
  private static final long MANY = 1000;

  private BlockedLayers() {}

  static GrowthPlan.Layer sizeBits(int index, long capacity, double fpp, int additionsAtOnce) {
    long elements = capacity + additionsAtOnce - 1;
    return size(
        index, capacity, fpp, additionsAtOnce, elements, BlockedShape.ofBits(elements, fpp));
  }

  static GrowthPlan.Layer sizeCounters(int index, long capacity, double fpp, int additionsAtOnce) {
    long elements = capacity + additionsAtOnce - 1;
    return size(
        index, capacity, fpp, additionsAtOnce, elements, BlockedShape.ofCounters(elements, fpp));
  }

  private static GrowthPlan.Layer size(
      int index,
      long capacity,
      double fpp,
      int additionsAtOnce,
      long elements,
      BlockedShape smallest) {
    BlockedShape shape = smallest;
    long blocks = Math.max(FEWEST_BLOCKS, shape.blocks());
    shape = withBlocks(shape, blocks);
    double deviations =
        (shape.hashes() <= FEW_HASHES ? DEVIATIONS : DEVIATIONS_OF_MANY_HASHES)
            * BlockedFormulas.relativeDeviationOfABlock(
                elements, blocks, shape.positionsPerBlock(), shape.hashes());
    while (shape.fpp(elements) * (1 + deviations / Math.sqrt((double) blocks)) > fpp) {
      blocks += 2 * (blocks / 256 + 1);
      shape = withBlocks(shape, blocks);
    }
    return of(index, capacity, shape, additionsAtOnce);
  }

  /** A layer of a shape, however it was found. */
  static GrowthPlan.Layer of(int index, long capacity, BlockedShape shape, int additionsAtOnce) {
    return new GrowthPlan.Layer(
        index,
        capacity,
        new Shape(shape.positions(), shape.hashes()),
        shape,
        capacity - 1,
        1,
        additionsAtOnce);
  }

  private static BlockedShape withBlocks(BlockedShape shape, long blocks) {
    return new BlockedShape(blocks, shape.positionsPerBlock(), shape.hashes());
  }

  /** Returns the approximate number of bits per element at a rate. */
  static double bitsPerElement(double fpp) {
    return (double) BlockedShape.ofBits(MANY, fpp).positions() / MANY;
  }

  /** Returns the approximate number of counters per element at a false-positive rate. */
  static double countersPerElement(double fpp) {
    return (double) BlockedShape.ofCounters(MANY, fpp).positions() / MANY;
  }
}
