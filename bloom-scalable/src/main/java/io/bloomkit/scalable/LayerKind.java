package io.bloomkit.scalable;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.internal.WordArrays;

/** The kinds of filters that can be layers of a growing filter, and their sizing. */
enum LayerKind {
  /** {@link ClassicBloomFilter}. */
  CLASSIC(ClassicBloomFilter.KIND, 0) {
    @Override
    GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
      return FlatLayers.size(index, capacity, fpp, additionsAtOnce);
    }
  },

  /** {@link BlockedBloomFilter}. */
  BLOCKED(BlockedBloomFilter.KIND, BlockedShape.BITS_PER_BLOCK) {
    @Override
    GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
      return BlockedLayers.size(index, capacity, fpp, additionsAtOnce);
    }

    @Override
    double positionsPerElement(double fpp) {
      return BlockedLayers.bitsPerElement(fpp);
    }
  };

  /** The number of bits of an array of words, without the padding before blocks. */
  static final long BITS_OF_AN_ARRAY =
      (long) (WordArrays.MAX_LENGTH - WordArrays.BLOCK_PADDING) * Long.SIZE;

  private static final long SPARE = 1 << 20;

  /** The largest number of bits of a layer, slightly less than an array holds. */
  private static final long MOST_BITS = Shape.MAX_POSITIONS - SPARE;

  /** The code of the {@link FilterKind} of a layer in files. */
  final int code;

  /** The number of positions per block; 0 for flat layers. */
  private final int positionsPerBlock;

  LayerKind(FilterKind kind, int positionsPerBlock) {
    this.code = kind.variant().code();
    this.positionsPerBlock = positionsPerBlock;
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
  abstract GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce);

  /**
   * Returns a layer that was planned before, given its shape, because planning is slow.
   *
   * @throws IllegalArgumentException if no layer of this kind has such a shape
   */
  final GrowthPlan.Layer planned(
      int index, long capacity, FlatShape shape, double fpp, int additionsAtOnce) {
    if (positionsPerBlock == 0) {
      return FlatLayers.of(index, capacity, shape, fpp, additionsAtOnce);
    }
    if (shape.positions() % positionsPerBlock != 0) {
      throw new IllegalArgumentException(
          shape.positions() + " positions are not blocks of " + positionsPerBlock);
    }
    long blocks = shape.positions() / positionsPerBlock;
    return BlockedLayers.of(
        index,
        capacity,
        new BlockedShape(blocks, positionsPerBlock, shape.hashes()),
        additionsAtOnce);
  }

  /** Returns the number of elements that the largest layer takes at a false-positive rate. */
  final double mostElements(double fpp) {
    // Rounding the number of hashes and the reserve for chance take slightly more than the optimum.
    return MOST_BITS / (1.1 * positionsPerElement(fpp));
  }

  /**
   * Returns whether a layer has about the largest possible size, so its capacity may be below the
   * planned one.
   */
  final boolean fillsAnArray(FlatShape shape) {
    return shape.positions() > MOST_BITS / 2;
  }

  double positionsPerElement(double fpp) {
    return BloomFormulas.optimalPositionsPerElement(fpp);
  }
}
