package io.bloomkit.scalable;

import io.bloomkit.BlockedFormulas;
import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.internal.WordArrays;

/**
 * Computes the shape of a layer of a growing filter from its planned capacity and rate.
 *
 * <p>The false-positive rate of a classic layer is (X/m)<sup>k</sup>, where X is the number of set
 * bits. The layer is full as soon as further elements could raise the rate above the planned one,
 * so the planned rate is never exceeded.
 *
 * <p>The false-positive rate of a blocked layer does not follow from the number of set bits,
 * because some blocks are fuller than others; computing the rate takes a pass over all blocks.
 * Therefore a blocked layer is full when it has its planned number of distinct elements. It is
 * sized for a lower rate, so that the planned rate is exceeded by chance only in rare cases. The
 * rate of a layer is the mean of the rates of its b blocks, so its standard deviation is that of a
 * block divided by √b.
 */
enum LayerKind {
  /** {@link ClassicBloomFilter}. */
  CLASSIC(ClassicBloomFilter.KIND),

  /** {@link BlockedBloomFilter}. */
  BLOCKED(BlockedBloomFilter.KIND);

  /** The number of bits of an array of words, without the padding before blocks. */
  static final long BITS_OF_AN_ARRAY =
      (long) (WordArrays.MAX_LENGTH - WordArrays.BLOCK_PADDING) * Long.SIZE;

  private static final long SPARE = 1 << 20;

  /** The largest number of bits of a layer, slightly less than an array holds. */
  private static final long MOST_BITS = Shape.MAX_POSITIONS - SPARE;

  /**
   * The reserve of a classic layer, in standard deviations: it takes its capacity before it is full
   * in all but 3 of 100,000 cases.
   */
  private static final double DEVIATIONS_OF_FILL = 4;

  /**
   * The reserve of a blocked layer above the mean, in standard deviations. In simulations, the
   * actual deviation is 0.3 to 0.9 times the computed one, because the total number of elements of
   * all blocks is fixed.
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

  /** The code of the {@link FilterKind} of a layer in files. */
  final int code;

  LayerKind(FilterKind kind) {
    this.code = kind.code();
  }

  /**
   * Plans a layer.
   *
   * @param index the index of the layer
   * @param capacity the number of distinct elements that the layer takes, except in rare cases
   * @param fpp the false-positive rate that the layer does not exceed; a blocked layer exceeds it
   *     in rare cases
   * @param additionsAtOnce see {@link GrowthPlan}
   * @throws IllegalArgumentException if the layer would be too large, or its rate is too low
   */
  GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
    Shape shape =
        this == CLASSIC
            ? sizeFlat(capacity, fpp, additionsAtOnce)
            : sizeBlocked(capacity + additionsAtOnce - 1, fpp);
    return layer(index, capacity, shape, fpp, additionsAtOnce);
  }

  private static Shape sizeFlat(long capacity, double fpp, int additionsAtOnce) {
    FlatShape shape = Shape.of(capacity, fpp);
    // Factor 2, because about half of the positions are set in a full layer.
    long forOthers = 2L * (additionsAtOnce - 1) * shape.hashes();
    shape = new FlatShape(shape.positions() + forOthers, shape.hashes());
    while (fillLimit(shape, fpp, additionsAtOnce) < fillAtCapacity(capacity, shape)) {
      shape = new FlatShape(shape.positions() + shape.positions() / 128 + 1, shape.hashes());
    }
    return shape;
  }

  private static long fillLimit(Shape shape, double fpp, int additionsAtOnce) {
    return BloomFormulas.fillAtFpp(shape.positions(), shape.hashes(), fpp)
        - (long) additionsAtOnce * shape.hashes();
  }

  /** Returns a number of set positions that a layer at its capacity exceeds only in rare cases. */
  private static double fillAtCapacity(long capacity, Shape shape) {
    double mean = BloomFormulas.expectedSetPositions(capacity, shape.positions(), shape.hashes());
    double variance =
        BloomFormulas.varianceOfSetPositions(capacity, shape.positions(), shape.hashes());
    return mean + DEVIATIONS_OF_FILL * Math.sqrt(variance);
  }

  private static Shape sizeBlocked(long elements, double fpp) {
    BlockedShape smallest = BlockedShape.ofBits(elements, fpp);
    int hashes = smallest.hashes();
    long blocks = Math.max(FEWEST_BLOCKS, smallest.blocks());
    double deviations =
        (hashes <= FEW_HASHES ? DEVIATIONS : DEVIATIONS_OF_MANY_HASHES)
            * BlockedFormulas.relativeDeviationOfABlock(
                elements, blocks, BlockedShape.BITS_PER_BLOCK, hashes);
    while (true) {
      BlockedShape shape = new BlockedShape(blocks, BlockedShape.BITS_PER_BLOCK, hashes);
      if (shape.fpp(elements) * (1 + deviations / Math.sqrt((double) blocks)) <= fpp) {
        return shape;
      }
      blocks += 2 * (blocks / 256 + 1);
    }
  }

  /**
   * Returns a layer that was planned before, given its size, because planning is slow.
   *
   * @throws IllegalArgumentException if no layer of this kind has such a size
   */
  GrowthPlan.Layer planned(
      int index, long capacity, long positions, int hashes, double fpp, int additionsAtOnce) {
    if (this == CLASSIC) {
      return layer(index, capacity, new FlatShape(positions, hashes), fpp, additionsAtOnce);
    }
    if (positions % BlockedShape.BITS_PER_BLOCK != 0) {
      throw new IllegalArgumentException(
          positions + " positions are not blocks of " + BlockedShape.BITS_PER_BLOCK);
    }
    long blocks = positions / BlockedShape.BITS_PER_BLOCK;
    Shape shape = new BlockedShape(blocks, BlockedShape.BITS_PER_BLOCK, hashes);
    return layer(index, capacity, shape, fpp, additionsAtOnce);
  }

  private GrowthPlan.Layer layer(
      int index, long capacity, Shape shape, double fpp, int additionsAtOnce) {
    if (this == BLOCKED) {
      return new GrowthPlan.Layer(index, capacity, shape, capacity - 1, 1, additionsAtOnce);
    }
    long limit = fillLimit(shape, fpp, additionsAtOnce);
    if (limit < 0) {
      throw new IllegalArgumentException(shape + " has no room within an error of " + fpp);
    }
    return new GrowthPlan.Layer(index, capacity, shape, limit, shape.hashes(), additionsAtOnce);
  }

  /** Returns the number of elements that the largest layer takes at a false-positive rate. */
  double mostElements(double fpp) {
    double bitsPerElement =
        this == CLASSIC
            ? BloomFormulas.optimalPositionsPerElement(fpp)
            : (double) BlockedShape.ofBits(MANY, fpp).positions() / MANY;
    // Rounding the number of hashes and the reserve for chance take slightly more than the optimum.
    return MOST_BITS / (1.1 * bitsPerElement);
  }

  /**
   * Returns whether a layer has about the largest possible size, so its capacity may be below the
   * planned one.
   */
  static boolean fillsAnArray(long positions) {
    return positions > MOST_BITS / 2;
  }
}
