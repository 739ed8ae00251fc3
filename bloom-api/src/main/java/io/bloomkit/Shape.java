package io.bloomkit;

import io.bloomkit.internal.Arguments;

/**
 * The size of a Bloom filter: m, the number of positions (bits or counters), and k, the number of
 * positions that an element takes. An insertion sets the positions of the element, and a query
 * tests them. An element has the same positions in all filters of the same shape and hash strategy,
 * on every machine, so such filters can be merged.
 *
 * <p>In a {@link FlatShape}, an element may take any of the positions. In a {@link BlockedShape},
 * all positions of an element lie in one block. Two shapes are equal if they have the same class
 * and the same numbers.
 *
 * <p>The static methods return flat shapes. Those without a parameter {@code hashes} choose the
 * number of hashes with the lowest false-positive rate, {@link BloomFormulas#bestHashes}. {@link
 * BlockedShape#ofBits} and {@link BlockedShape#ofCounters} return blocked shapes. A shape does not
 * store the planned number of elements; {@link #fpp(long)} returns the rate for any number of
 * elements.
 */
public sealed interface Shape permits FlatShape, BlockedShape {

  /** The largest number of positions, 2<sup>37</sup>: 16 GiB of bits. */
  long MAX_POSITIONS = 1L << 37;

  /** Returns m, the number of positions. */
  long positions();

  /** Returns k, the number of positions that an element takes. */
  int hashes();

  /**
   * Returns the expected false-positive probability after n distinct elements have been added.
   *
   * @param elements n, at least 0
   * @throws IllegalArgumentException if n is out of its range
   */
  double fpp(long elements);

  /**
   * Returns the estimated number of distinct elements in a filter with X set positions.
   *
   * @param setPositions X, from 0 to m
   * @return n, or positive infinity if every position is set
   */
  double estimatedElements(long setPositions);

  /**
   * Returns the expected number of 4-bit counters that overflow, after n distinct elements have
   * each been added {@code copies} times. A counter overflows when its count exceeds 15. Counting
   * filters keep the overflow in a side table, so counts stay exact.
   *
   * @param elements n, the number of distinct elements, at least 0
   * @param copies the number of additions of each element, at least 1
   * @throws IllegalArgumentException if an argument is out of its range
   */
  double expectedOverflowedCounters(long elements, long copies);

  /**
   * Writes the positions of an element to an array. Use this method for filters of your own, or to
   * find the bits of an element in a filter. Allocates nothing.
   *
   * @param hash the {@linkplain io.bloomkit.hash.HashStrategy#hash hash} of the element
   * @param into receives the k positions, from index 0 on
   * @throws IndexOutOfBoundsException if the array is shorter than k; some positions may have been
   *     written
   */
  void positionsOf(long hash, long[] into);

  /**
   * Returns one position of an element: the position that {@link #positionsOf} writes at the same
   * index.
   *
   * @param hash the {@linkplain io.bloomkit.hash.HashStrategy#hash hash} of the element
   * @param index from 0 to k − 1
   * @return a number from 0 to m − 1
   * @throws IndexOutOfBoundsException if the index is out of its range
   */
  long positionOf(long hash, int index);

  /**
   * Returns the shape for a number of elements and a false-positive probability: {@link
   * BloomFormulas#optimalPositions} positions and {@link BloomFormulas#bestHashes} hashes.
   *
   * <p>Because the number of hashes is an integer, the rate may be slightly above {@code fpp}, for
   * example 1.004 % if {@code fpp} is 1 %. If the rate would exceed 1.01 times {@code fpp}, as for
   * very few elements, the shape has more positions. Therefore {@code Shape.of(n, fpp).fpp(n) <=
   * 1.01 * fpp} always.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param fpp the false-positive probability, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, if more than {@link
   *     #MAX_POSITIONS} positions would be needed, or if {@code fpp} is below {@link
   *     BloomFormulas#hashFloor} of n
   */
  static FlatShape of(long expectedInsertions, double fpp) {
    Arguments.checkAtLeast(1, expectedInsertions, "expectedInsertions");
    long sufficient =
        FormulaArguments.checkPositions(
            BloomFormulas.optimalPositions(expectedInsertions, fpp), expectedInsertions);
    FormulaArguments.checkAboveHashFloor(expectedInsertions, fpp);
    double max = FilterPlan.TOLERANCE * fpp;
    long insufficient = sufficient - 1;
    double rate = rate(expectedInsertions, sufficient);
    while (rate > max) {
      // At the optimum, ln fpp falls by (ln 2)² / n per position, so this step ends near the
      // smallest sufficient number.
      insufficient = sufficient;
      double missing = expectedInsertions * BloomFormulas.optimalPositionsPerElement(max / rate);
      sufficient =
          FormulaArguments.checkPositions(
              sufficient + Math.max(1, (long) missing), expectedInsertions);
      rate = rate(expectedInsertions, sufficient);
    }
    while (sufficient - insufficient > 1) {
      long middle = (insufficient + sufficient) >>> 1;
      if (rate(expectedInsertions, middle) <= max) {
        sufficient = middle;
      } else {
        insufficient = middle;
      }
    }
    return withBestHashes(expectedInsertions, sufficient);
  }

  /**
   * Returns the shape with the number of positions of {@link #of}, rounded up to a power of two,
   * and the best number of hashes for the rounded number. Compared with the shape by {@link #of},
   * this shape has less than twice the positions, and its false-positive rate is not higher.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param fpp the false-positive probability, in (0, 1)
   * @throws IllegalArgumentException as for {@link #of}
   */
  static FlatShape ofPowerOfTwo(long expectedInsertions, double fpp) {
    return withBestHashes(
        expectedInsertions,
        BloomFormulas.roundUpToPowerOfTwo(of(expectedInsertions, fpp).positions()));
  }

  /**
   * Returns the shape with a given number of positions per element and a given number of hashes.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param positionsPerElement c, above 0; m is ⌈n · c⌉
   * @param hashes k, from 1 to {@link FlatShape#MAX_HASHES}
   * @throws IllegalArgumentException if an argument is out of its range, or more than {@link
   *     #MAX_POSITIONS} positions would be needed
   */
  static FlatShape ofPositionsPerElement(
      long expectedInsertions, double positionsPerElement, int hashes) {
    return new FlatShape(positionsFor(expectedInsertions, positionsPerElement), hashes);
  }

  /**
   * Returns the preset with 4.8 positions per element and the best number of hashes, for a
   * false-positive rate of about 10 %.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @throws IllegalArgumentException as for {@link #ofPositionsPerElement}
   */
  static FlatShape highError(long expectedInsertions) {
    return withBestHashes(expectedInsertions, positionsFor(expectedInsertions, 4.8));
  }

  /**
   * Returns the preset with 9.6 positions per element and the best number of hashes, for a
   * false-positive rate of about 1 %.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @throws IllegalArgumentException as for {@link #ofPositionsPerElement}
   */
  static FlatShape middleError(long expectedInsertions) {
    return withBestHashes(expectedInsertions, positionsFor(expectedInsertions, 9.6));
  }

  /**
   * Returns the preset with 14.4 positions per element and the best number of hashes, for a
   * false-positive rate of about 0.1 %.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @throws IllegalArgumentException as for {@link #ofPositionsPerElement}
   */
  static FlatShape lowError(long expectedInsertions) {
    return withBestHashes(expectedInsertions, positionsFor(expectedInsertions, 14.4));
  }

  private static long positionsFor(long expectedInsertions, double positionsPerElement) {
    Arguments.checkAtLeast(1, expectedInsertions, "expectedInsertions");
    if (!(positionsPerElement > 0)) {
      throw new IllegalArgumentException(
          "positionsPerElement must be above 0, got " + positionsPerElement);
    }
    return FormulaArguments.checkPositions(
        (long) StrictMath.ceil(expectedInsertions * positionsPerElement), expectedInsertions);
  }

  private static FlatShape withBestHashes(long elements, long positions) {
    return new FlatShape(positions, BloomFormulas.bestHashes(elements, positions));
  }

  private static double rate(long elements, long positions) {
    return BloomFormulas.exactFpp(
        elements, positions, BloomFormulas.bestHashes(elements, positions));
  }
}
