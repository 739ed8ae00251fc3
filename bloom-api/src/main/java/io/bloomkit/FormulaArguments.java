package io.bloomkit;

import io.bloomkit.internal.Arguments;

/** Checks the arguments of formulas and shapes. */
final class FormulaArguments {

  private FormulaArguments() {}

  static void checkFilter(long elements, long positions, int hashes) {
    Arguments.checkAtLeast(0, elements, "elements");
    Arguments.checkAtLeast(1, positions, "positions");
    Arguments.checkAtLeast(1, hashes, "hashes");
  }

  /** Returns k · n, and throws if it exceeds a long. */
  static long totalHashes(long elements, int hashes) {
    if (elements > Long.MAX_VALUE / hashes) {
      throw new IllegalArgumentException(
          "elements times hashes must be below 2^63 but elements is "
              + elements
              + " and hashes is "
              + hashes);
    }
    return elements * hashes;
  }

  static void checkSet(long setPositions, long positions) {
    Arguments.checkAtLeast(1, positions, "positions");
    Arguments.checkRange(0, positions, setPositions, "setPositions");
  }

  static void checkAboveHashFloor(long expectedInsertions, double fpp) {
    double floor = BloomFormulas.hashFloor(expectedInsertions);
    if (floor >= 1) {
      throw new IllegalArgumentException(
          "expectedInsertions must be below 2^63 / 3, as 64-bit hashes distinguish no more elements,"
              + " got "
              + expectedInsertions);
    }
    if (fpp < floor) {
      throw new IllegalArgumentException(
          "fpp must be at least "
              + floor
              + ", what 64-bit hashes allow for "
              + expectedInsertions
              + " elements, got "
              + fpp);
    }
  }

  /** Returns a number of positions, and throws if no shape can have it. */
  static long checkPositions(long positions, long expectedInsertions) {
    if (positions > Shape.MAX_POSITIONS) {
      throw new IllegalArgumentException(
          "expectedInsertions = "
              + expectedInsertions
              + " would need "
              + positions
              + " positions, above the largest number, "
              + Shape.MAX_POSITIONS
              + ": expect fewer elements or allow more errors");
    }
    return positions;
  }
}
