package io.bloomkit;

import io.bloomkit.internal.IndexDerivation;
import java.util.Objects;

/**
 * The size of a flat Bloom filter: how many positions (bits or counters) it has and how many of
 * them an element takes. Filters of one shape and one hash strategy put an element at the same
 * positions, whatever machine made them; that is why they can be merged.
 *
 * <p>The factories that start from a number of elements choose the whole number of hashes with the
 * lowest rate. A shape does not store the planned number of elements; {@link #fpp(long)} returns
 * its rate at any number.
 *
 * @param positions m, the number of positions, from 1 to {@link #MAX_POSITIONS}
 * @param hashes k, the number of positions an element takes, from 1 to {@link #MAX_HASHES}; 1 is
 *     the one-hash bitmap
 */
public record Shape(long positions, int hashes) {

  /** The largest number of positions, 2<sup>37</sup>: 2<sup>31</sup> words of bits. */
  public static final long MAX_POSITIONS = 1L << 37;

  /**
   * The largest number of hashes, 64: a lower rate than 2<sup>-64</sup> is beyond a 64-bit hash.
   */
  public static final int MAX_HASHES = 64;

  /** Upper bound of the rate of {@link #of}, as a multiple of the planned rate. */
  static final double TOLERANCE = 1.01;

  /**
   * Checks a shape.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public Shape {
    if (positions < 1 || positions > MAX_POSITIONS) {
      throw new IllegalArgumentException(
          "positions must lie in [1, " + MAX_POSITIONS + "] but is " + positions);
    }
    if (hashes < 1 || hashes > MAX_HASHES) {
      throw new IllegalArgumentException(
          "hashes must lie in [1, " + MAX_HASHES + "] but is " + hashes);
    }
  }

  /**
   * Returns the textbook's shape for a number of elements and a false-positive probability: {@link
   * BloomFormulas#optimalPositions} and {@link BloomFormulas#bestHashes}.
   *
   * <p>A whole number of hashes costs a little: at 1 % the textbook's positions give 1.004 %. Where
   * the exact rate would be more than 1 % above {@code fpp} (very few elements, an unusual rate),
   * the number of positions is raised until it is not. So {@code Shape.of(n, fpp).fpp(n) <= 1.01 *
   * fpp} always, up to the {@link BloomFormulas#hashFloor}.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param fpp the false-positive probability, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, if more than {@link
   *     #MAX_POSITIONS} would be needed, or if fpp is below what 64-bit hashes allow
   */
  public static Shape of(long expectedInsertions, double fpp) {
    requireInsertions(expectedInsertions);
    long enough =
        requirePossible(
            BloomFormulas.optimalPositions(expectedInsertions, fpp), expectedInsertions);
    requireAboveHashFloor(expectedInsertions, fpp);
    double most = TOLERANCE * fpp;
    long tooFew = enough - 1;
    double rate = rate(expectedInsertions, enough);
    while (rate > most) {
      // At the optimum, ln fpp falls by (ln 2)² / n with every position: step to about where it is
      // low enough.
      tooFew = enough;
      double missing = expectedInsertions * BloomFormulas.optimalPositionsPerElement(most / rate);
      enough = requirePossible(enough + Math.max(1, (long) missing), expectedInsertions);
      rate = rate(expectedInsertions, enough);
    }
    while (enough - tooFew > 1) {
      long middle = (tooFew + enough) >>> 1;
      if (rate(expectedInsertions, middle) <= most) {
        enough = middle;
      } else {
        tooFew = middle;
      }
    }
    return withBestHashes(expectedInsertions, enough);
  }

  /**
   * Returns {@link #of} with the number of positions rounded up to a power of two, and the hashes
   * that suit it: up to twice the memory, a lower rate.
   *
   * @param expectedInsertions n, at least 1
   * @param fpp in (0, 1)
   * @throws IllegalArgumentException as for {@link #of}
   */
  public static Shape ofPowerOfTwo(long expectedInsertions, double fpp) {
    return withBestHashes(
        expectedInsertions,
        BloomFormulas.roundUpToPowerOfTwo(of(expectedInsertions, fpp).positions));
  }

  /**
   * Returns the shape with a given number of positions per element and the best number of hashes.
   *
   * @param expectedInsertions n, at least 1
   * @param positionsPerElement c, above 0; m is ⌈n · c⌉
   * @throws IllegalArgumentException if an argument is out of its range, or more than {@link
   *     #MAX_POSITIONS} would be needed
   */
  public static Shape ofPositionsPerElement(long expectedInsertions, double positionsPerElement) {
    long positions = positionsFor(expectedInsertions, positionsPerElement);
    return withBestHashes(expectedInsertions, positions);
  }

  /**
   * Returns the shape with a given number of positions per element and a given number of hashes.
   *
   * @param expectedInsertions n, at least 1
   * @param positionsPerElement c, above 0; m is ⌈n · c⌉
   * @param hashes k, from 1 to {@link #MAX_HASHES}
   * @throws IllegalArgumentException as for {@link #ofPositionsPerElement(long, double)}
   */
  public static Shape ofPositionsPerElement(
      long expectedInsertions, double positionsPerElement, int hashes) {
    return new Shape(positionsFor(expectedInsertions, positionsPerElement), hashes);
  }

  /**
   * Returns the preset with 4.8 positions per element: a false-positive rate of 10 %.
   *
   * @param expectedInsertions n, at least 1
   */
  public static Shape highError(long expectedInsertions) {
    return ofPositionsPerElement(expectedInsertions, 4.8);
  }

  /**
   * Returns the preset with 9.6 positions per element: a false-positive rate of 1 %.
   *
   * @param expectedInsertions n, at least 1
   */
  public static Shape middleError(long expectedInsertions) {
    return ofPositionsPerElement(expectedInsertions, 9.6);
  }

  /**
   * Returns the preset with 14.4 positions per element: a false-positive rate of 0.1 %.
   *
   * @param expectedInsertions n, at least 1
   */
  public static Shape lowError(long expectedInsertions) {
    return ofPositionsPerElement(expectedInsertions, 14.4);
  }

  /**
   * Returns the expected false-positive probability after n distinct elements have been added:
   * {@link BloomFormulas#exactFpp}.
   *
   * @param elements n, at least 0
   */
  public double fpp(long elements) {
    return BloomFormulas.exactFpp(elements, positions, hashes);
  }

  /**
   * Returns the expected number of 4-bit counters that overflow, that is, count to 16 or more,
   * after n distinct elements have each been added {@code copies} times: {@link
   * BloomFormulas#expectedOverflowedCounters}. Counting filters keep counts above 15 in a side
   * table: they stay exact, at a cost in memory and time.
   *
   * <p>The probability that a given counter overflows, with the elements that {@link #of} planned
   * for at 1 %: added once each, 1.6·10<sup>-16</sup> (never above 1.37·10<sup>-15</sup> while at
   * most half of all counters are non-zero); twice, 1.1·10<sup>-6</sup>; four times, 0.67 %; eight
   * times, 17 %; sixteen times, every non-zero counter overflows. With four times the planned
   * elements, added once each: 8.7·10<sup>-8</sup>.
   *
   * @param elements n, the number of distinct elements, at least 0
   * @param copies how often each is added, at least 1
   */
  public double expectedOverflowedCounters(long elements, long copies) {
    return BloomFormulas.expectedOverflowedCounters(elements, positions, hashes, copies);
  }

  /**
   * Writes the positions of an element, in the order in which they are derived; some may be the
   * same. Classic and counting filters of this shape use the same ones. For filters of your own,
   * and to locate an element in the bits of a filter. Allocates nothing.
   *
   * @param hash the {@linkplain io.bloomkit.hash.HashStrategy#hash hash} of the element
   * @param into receives the k positions, from index 0 on
   * @throws IndexOutOfBoundsException if it has fewer than k elements; some may be written then
   */
  public void positionsOf(long hash, long[] into) {
    Objects.requireNonNull(into, "into");
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < hashes; i++) {
      into[i] = IndexDerivation.position(state, positions);
      state = IndexDerivation.next(state);
    }
  }

  /**
   * Returns one of the positions of an element: element {@code index} of what {@link #positionsOf}
   * writes, without the others.
   *
   * @param hash the hash of the element
   * @param index from 0 to k − 1
   * @throws IndexOutOfBoundsException if there is no such position
   */
  public long positionOf(long hash, int index) {
    Objects.checkIndex(index, hashes);
    return IndexDerivation.position(
        IndexDerivation.start(hash) * IndexDerivation.leap(index), positions);
  }

  private static long positionsFor(long expectedInsertions, double positionsPerElement) {
    requireInsertions(expectedInsertions);
    if (!(positionsPerElement > 0)) {
      throw new IllegalArgumentException(
          "positionsPerElement must be above 0 but is " + positionsPerElement);
    }
    return requirePossible(
        (long) StrictMath.ceil(expectedInsertions * positionsPerElement), expectedInsertions);
  }

  private static Shape withBestHashes(long elements, long positions) {
    return new Shape(positions, BloomFormulas.bestHashes(elements, positions));
  }

  private static double rate(long elements, long positions) {
    return BloomFormulas.exactFpp(
        elements, positions, BloomFormulas.bestHashes(elements, positions));
  }

  static void requireAboveHashFloor(long expectedInsertions, double fpp) {
    double floor = BloomFormulas.hashFloor(expectedInsertions);
    if (fpp < floor) {
      throw new IllegalArgumentException(
          "fpp must be at least "
              + floor
              + ", what 64-bit hashes allow for "
              + expectedInsertions
              + " elements, but is "
              + fpp);
    }
  }

  static void requireInsertions(long expectedInsertions) {
    if (expectedInsertions < 1) {
      throw new IllegalArgumentException(
          "expectedInsertions must be at least 1 but is " + expectedInsertions);
    }
  }

  static long requirePossible(long positions, long expectedInsertions) {
    if (positions > MAX_POSITIONS) {
      throw new IllegalArgumentException(
          "expectedInsertions = "
              + expectedInsertions
              + " would need "
              + positions
              + " positions, above the largest number, "
              + MAX_POSITIONS
              + ": expect fewer elements or allow more errors");
    }
    return positions;
  }
}
