package io.bloomkit.scalable;

import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;

/** What the layers of a growing filter are made of, and how one is sized. */
enum LayerKind {
  /** {@link io.bloomkit.classic.ClassicBloomFilter}. */
  CLASSIC(Long.SIZE) {
    @Override
    GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
      return FlatLayers.size(index, capacity, fpp, additionsAtOnce);
    }
  },

  /** {@link io.bloomkit.classic.BlockedBloomFilter}. */
  BLOCKED(Long.SIZE) {
    @Override
    GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
      return BlockedLayers.sizeBits(index, capacity, fpp, additionsAtOnce);
    }

    @Override
    double positionsPerElement(double fpp) {
      return BlockedLayers.bitsPerElement(fpp);
    }
  },

  /** {@link io.bloomkit.counting.CountingBloomFilter}. */
  COUNTING(Long.SIZE / 4) {
    @Override
    GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
      return FlatLayers.size(index, capacity, fpp, additionsAtOnce);
    }
  },

  /** {@link io.bloomkit.counting.BlockedCountingBloomFilter}. */
  BLOCKED_COUNTING(Long.SIZE / 4) {
    @Override
    GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce) {
      return BlockedLayers.sizeCounters(index, capacity, fpp, additionsAtOnce);
    }

    @Override
    double positionsPerElement(double fpp) {
      return BlockedLayers.countersPerElement(fpp);
    }
  };

  private static final long SPARE = 1 << 20;

  /** What fits into one array of words, and some to spare. */
  private final long mostPositions;

  LayerKind(int positionsPerWord) {
    this.mostPositions = Shape.MAX_POSITIONS / Long.SIZE * positionsPerWord - SPARE;
  }

  /**
   * Plans a layer.
   *
   * @param index of the layer
   * @param capacity the distinct elements that it takes in all but a few cases
   * @param fpp the rate that it does not exceed
   * @param additionsAtOnce see {@link GrowthPlan}
   * @throws IllegalArgumentException if it would be too large or too strict
   */
  abstract GrowthPlan.Layer size(int index, long capacity, double fpp, int additionsAtOnce);

  /** The most elements that the largest layer takes at a rate. */
  final double mostElements(double fpp) {
    // A whole number of hashes and the reserve take a little more than the optimum.
    return mostPositions / (1.1 * positionsPerElement(fpp));
  }

  double positionsPerElement(double fpp) {
    return BloomFormulas.optimalPositionsPerElement(fpp);
  }
}
