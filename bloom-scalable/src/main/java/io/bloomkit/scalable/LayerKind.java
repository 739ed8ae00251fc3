package io.bloomkit.scalable;

import io.bloomkit.Shape;

/** What the layers of a growing filter are made of, and how large one can be. */
enum LayerKind {
  /** {@link io.bloomkit.classic.ClassicBloomFilter}. */
  CLASSIC(Long.SIZE),

  /** {@link io.bloomkit.counting.CountingBloomFilter}. */
  COUNTING(Long.SIZE / 4);

  private static final long SPARE = 1 << 20;

  private final long mostPositions;

  LayerKind(int positionsPerWord) {
    this.mostPositions = Shape.MAX_POSITIONS / Long.SIZE * positionsPerWord - SPARE;
  }

  /** The most positions of a layer: what fits into one array of words, and some to spare. */
  long mostPositions() {
    return mostPositions;
  }
}
