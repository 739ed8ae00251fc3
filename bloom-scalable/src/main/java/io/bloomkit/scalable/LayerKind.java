package io.bloomkit.scalable;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.WordArrays;
import java.util.Locale;

/** The kinds of filters that can be layers of a growing filter, and their sizing. */
enum LayerKind {
  /** {@link ClassicBloomFilter}. */
  CLASSIC(ClassicBloomFilter.KIND, Long.SIZE, 0) {
    @Override
    GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
      return FlatLayers.size(index, capacity, fpp, additionsAtOnce);
    }
  },

  /** {@link BlockedBloomFilter}. */
  BLOCKED(BlockedBloomFilter.KIND, Long.SIZE, BlockedShape.BITS_PER_BLOCK) {
    @Override
    GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
      return BlockedLayers.sizeBits(index, capacity, fpp, additionsAtOnce);
    }

    @Override
    double positionsPerElement(double fpp) {
      return BlockedLayers.bitsPerElement(fpp);
    }
  },

  /** {@link CountingBloomFilter}. */
  COUNTING(CountingBloomFilter.KIND, Long.SIZE / 4, 0) {
    @Override
    GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
      return FlatLayers.size(index, capacity, fpp, additionsAtOnce);
    }
  },

  /** {@link BlockedCountingBloomFilter}. */
  BLOCKED_COUNTING(
      BlockedCountingBloomFilter.KIND, Long.SIZE / 4, BlockedShape.COUNTERS_PER_BLOCK) {
    @Override
    GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
      if (index == 0) { // later layers have lower rates, but a filter that exists may grow
        requireSensible(fpp);
      }
      return BlockedLayers.sizeCounters(index, capacity, fpp, additionsAtOnce);
    }

    @Override
    double positionsPerElement(double fpp) {
      return BlockedLayers.countersPerElement(fpp);
    }

    /**
     * Refuses more than 64 bytes per element, because a table of the hashes would be smaller and
     * exact.
     */
    private void requireSensible(double fpp) {
      double counters = positionsPerElement(fpp);
      if (counters > BlockedShape.COUNTERS_PER_BLOCK) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "blocked layers of counters would take %.0f bytes per element, more than a cache"
                    + " line for each; allow more errors, or use standard layers, which take %.0f",
                counters / 2,
                COUNTING.positionsPerElement(fpp) / 2));
      }
    }
  };

  private static final long SPARE = 1 << 20;

  /** The largest number of words of an array, without the padding before blocks. */
  private static final long MOST_WORDS = WordArrays.MAX_LENGTH - WordArrays.BLOCK_PADDING;

  /** The code of the {@link FilterKind} of a layer in files. */
  final int code;

  /** The largest number of positions of a layer, slightly less than an array holds. */
  private final long mostPositions;

  /** The number of positions that an array of words holds. */
  final long positionsOfAnArray;

  /** The number of positions per block; 0 for flat layers. */
  private final int positionsPerBlock;

  LayerKind(FilterKind kind, int positionsPerWord, int positionsPerBlock) {
    this.code = kind.variant().code();
    this.positionsOfAnArray = MOST_WORDS * positionsPerWord;
    this.positionsPerBlock = positionsPerBlock;
    this.mostPositions = Shape.MAX_POSITIONS / Long.SIZE * positionsPerWord - SPARE;
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
      int index, long capacity, Shape shape, double fpp, int additionsAtOnce) {
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

  /** Returns the number of bytes of an empty layer. */
  final long memoryBytes(HashStrategy<?> strategy, GrowthPlan.Layer layer) {
    return switch (this) {
      case CLASSIC, BLOCKED -> BitLayer.memoryBytes(strategy, layer);
      case COUNTING, BLOCKED_COUNTING -> CountingLayer.memoryBytes(strategy, layer);
    };
  }

  /** Returns the blocked kind with the same operations. */
  final LayerKind blocked() {
    return this == CLASSIC || this == BLOCKED ? BLOCKED : BLOCKED_COUNTING;
  }

  /** Returns the number of elements that the largest layer takes at a false-positive rate. */
  final double mostElements(double fpp) {
    // Rounding the number of hashes and the reserve for chance take slightly more than the optimum.
    return mostPositions / (1.1 * positionsPerElement(fpp));
  }

  /**
   * Returns whether a layer has about the largest possible size, so its capacity may be below the
   * planned one.
   */
  final boolean fillsAnArray(Shape shape) {
    return shape.positions() > mostPositions / 2;
  }

  double positionsPerElement(double fpp) {
    return BloomFormulas.optimalPositionsPerElement(fpp);
  }
}
