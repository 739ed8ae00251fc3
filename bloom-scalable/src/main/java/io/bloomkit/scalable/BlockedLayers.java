package io.bloomkit.scalable;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;

/**
 * Sizes blocked layers. The false-positive rate of a blocked layer does not follow from the number
 * of set positions, because some blocks are fuller than others; computing the rate takes a pass
 * over all blocks. Therefore a blocked layer is full when it has its planned number of distinct
 * elements. It is sized for a lower rate, so that the planned rate is exceeded by chance only in
 * rare cases.
 *
 * <p>The rate of a layer is the mean of the rates of its b blocks, so its standard deviation is
 * that of a block divided by √b.
 */
final class BlockedLayers {

  /**
   * The reserve above the mean, in standard deviations. In simulations, the actual deviation is 0.3
   * to 0.9 times the computed one, because the total number of elements of all blocks is fixed.
   */
  private static final double DEVIATIONS = 5;

  /** The largest number of hashes for which {@link #DEVIATIONS} suffice. */
  private static final int FEW_HASHES = 8;

  /**
   * The reserve with more hashes, where a few blocks far above the mean determine the rate, apart
   * from repeated masks. Of 50 simulated layers for 1000 elements at 1.5 · 10<sup>-7</sup>, one
   * needed more than 12 deviations.
   */
  private static final double DEVIATIONS_OF_MANY_HASHES = 18;

  /**
   * The smallest number of blocks, 4 KiB: with fewer blocks, the reserve would take more memory.
   */
  private static final long FEWEST_BLOCKS = 64;

  /** A number of elements so large that rounding to whole blocks matters little. */
  private static final long MANY = 1000;

  private BlockedLayers() {}

  static GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
    long elements = capacity + additionsAtOnce - 1;
    BlockedShape shape = BlockedShape.ofBits(elements, fpp);
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

  /** Returns the layer of a given shape. */
  static GrowthPlan.Layer of(int index, long capacity, BlockedShape shape, int additionsAtOnce) {
    return new GrowthPlan.Layer(
        index,
        capacity,
        new FlatShape(shape.positions(), shape.hashes()),
        shape,
        capacity - 1,
        1,
        additionsAtOnce);
  }

  private static BlockedShape withBlocks(BlockedShape shape, long blocks) {
    return new BlockedShape(blocks, shape.positionsPerBlock(), shape.hashes());
  }

  /** Returns the approximate number of bits per element at a false-positive rate. */
  static double bitsPerElement(double fpp) {
    return (double) BlockedShape.ofBits(MANY, fpp).positions() / MANY;
  }
}
