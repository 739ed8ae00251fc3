package io.bloomkit.internal.filter;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;

/** Refuses blocked filters that take many times the memory of a flat one for the same plan. */
public final class BlockedLimit {

  private static final long MAX_RATIO_TO_FLAT = 8;

  /** Small filters may be larger than that: two blocks are the smallest. */
  private static final long FREE_POSITIONS = 1 << 16;

  private BlockedLimit() {}

  /**
   * Returns a shape.
   *
   * @param flat the flat filter to use instead, for the message
   * @throws IllegalArgumentException if the shape has more than 8 times the positions of a flat one
   */
  public static BlockedShape require(
      BlockedShape shape, long expectedInsertions, double fpp, String flat) {
    long positions = BloomFormulas.optimalPositions(expectedInsertions, fpp);
    if (shape.positions() > FREE_POSITIONS && shape.positions() / MAX_RATIO_TO_FLAT >= positions) {
      throw new IllegalArgumentException(
          "expectedInsertions = "
              + expectedInsertions
              + " at fpp = "
              + fpp
              + " would take "
              + shape.positions()
              + " positions in blocks, "
              + shape.positions() / positions
              + " times as many as without: use a "
              + flat
              + " or allow a higher fpp");
    }
    return shape;
  }
}
