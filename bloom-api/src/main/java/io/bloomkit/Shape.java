package io.bloomkit;

import io.bloomkit.internal.IndexDerivation;
import java.util.Objects;

/**
 * The size of a flat Bloom filter: the number of positions (bits or counters) and the number of
 * positions that an element takes. An insertion sets the positions of the element, and a query
 * tests them. In a flat filter, an element may take any of the positions. An element has the same
 * positions in all filters of the same shape and hash strategy, on every machine, so such filters
 * can be merged.
 *
 * <p>A factory method without a parameter {@code hashes} chooses the number of hashes with the
 * lowest false-positive rate, {@link BloomFormulas#bestHashes}. A shape does not store the planned
 * number of elements; {@link #fpp(long)} returns the rate for any number of elements.
 *
 * @param positions m, the number of positions, from 1 to {@link #MAX_POSITIONS}
 * @param hashes k, the number of positions that an element takes, from 1 to {@link #MAX_HASHES}
 */
public record Shape(long positions, int hashes) {

  /** The largest number of positions, 2<sup>37</sup>: 16 GiB of bits. */
  public static final long MAX_POSITIONS = 1L << 37;

  /** The largest number of hashes, 64. */
  public static final int MAX_HASHES = 64;

  /**
   * Upper bound of the false-positive rate of a shape by {@link #of}, as a multiple of the planned
   * rate.
   */
  static final double TOLERANCE = 1.01;

  /**
   * Creates a shape.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public Shape {
    if (positions < 1 || positions > MAX_POSITIONS) {
      throw new IllegalArgumentException(
          "positions must be in [1, " + MAX_POSITIONS + "], got " + positions);
    }
    if (hashes < 1 || hashes > MAX_HASHES) {
      throw new IllegalArgumentException(
          "hashes must be in [1, " + MAX_HASHES + "], got " + hashes);
    }
  }

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
      // At the optimum, ln fpp falls by (ln 2)² / n per position, so this step ends near the
      // smallest
      // sufficient number.
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
   * Returns the shape with the number of positions of {@link #of}, rounded up to a power of two,
   * and the best number of hashes for the rounded number. Compared with the shape by {@link #of},
   * this shape has less than twice the positions, and its false-positive rate is not higher.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param fpp the false-positive probability, in (0, 1)
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
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param positionsPerElement c, above 0; m is ⌈n · c⌉
   * @throws IllegalArgumentException if an argument is out of its range, or more than {@link
   *     #MAX_POSITIONS} positions would be needed
   */
  public static Shape ofPositionsPerElement(long expectedInsertions, double positionsPerElement) {
    long positions = positionsFor(expectedInsertions, positionsPerElement);
    return withBestHashes(expectedInsertions, positions);
  }

  /**
   * Returns the shape with a given number of positions per element and a given number of hashes.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @param positionsPerElement c, above 0; m is ⌈n · c⌉
   * @param hashes k, from 1 to {@link #MAX_HASHES}
   * @throws IllegalArgumentException as for {@link #ofPositionsPerElement(long, double)}
   */
  public static Shape ofPositionsPerElement(
      long expectedInsertions, double positionsPerElement, int hashes) {
    return new Shape(positionsFor(expectedInsertions, positionsPerElement), hashes);
  }

  /**
   * Returns the preset with 4.8 positions per element, for a false-positive rate of about 10 %.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @throws IllegalArgumentException as for {@link #ofPositionsPerElement(long, double)}
   */
  public static Shape highError(long expectedInsertions) {
    return ofPositionsPerElement(expectedInsertions, 4.8);
  }

  /**
   * Returns the preset with 9.6 positions per element, for a false-positive rate of about 1 %.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @throws IllegalArgumentException as for {@link #ofPositionsPerElement(long, double)}
   */
  public static Shape middleError(long expectedInsertions) {
    return ofPositionsPerElement(expectedInsertions, 9.6);
  }

  /**
   * Returns the preset with 14.4 positions per element, for a false-positive rate of about 0.1 %.
   *
   * @param expectedInsertions n, the number of distinct elements planned for, at least 1
   * @throws IllegalArgumentException as for {@link #ofPositionsPerElement(long, double)}
   */
  public static Shape lowError(long expectedInsertions) {
    return ofPositionsPerElement(expectedInsertions, 14.4);
  }

  /**
   * Returns the expected false-positive probability after n distinct elements have been added:
   * {@link BloomFormulas#exactFpp}.
   *
   * @param elements n, at least 0
   * @throws IllegalArgumentException if n is negative, or k · n is not below 2<sup>63</sup>
   */
  public double fpp(long elements) {
    return BloomFormulas.exactFpp(elements, positions, hashes);
  }

  /**
   * Returns the expected number of 4-bit counters that overflow, after n distinct elements have
   * each been added {@code copies} times: {@link BloomFormulas#expectedOverflowedCounters}. A
   * counter overflows when its count exceeds 15. Counting filters keep the excess in a side table,
   * so counts stay exact.
   *
   * <p>The result divided by {@code positions} is the probability that a given counter overflows.
   * Example: take a shape that {@link #of} returns for a rate of 1 %. With the planned number of
   * elements, this probability is 1.6·10<sup>-16</sup> if each element was added once,
   * 1.1·10<sup>-6</sup> if twice, 0.67 % if four times, and 17 % if eight times. If each element
   * was added sixteen times, every non-zero counter overflows. With four times the planned number
   * of elements, each added once, the probability is 8.7·10<sup>-8</sup>.
   *
   * @param elements n, the number of distinct elements, at least 0
   * @param copies the number of additions of each element, at least 1
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public double expectedOverflowedCounters(long elements, long copies) {
    return BloomFormulas.expectedOverflowedCounters(elements, positions, hashes, copies);
  }

  /**
   * Writes the positions of an element to an array, in the order of their derivation. Some of them
   * may be equal. {@code ClassicBloomFilter} and {@code CountingBloomFilter} use these positions.
   * Use this method for filters of your own, or to find the bits of an element in a filter.
   * Allocates nothing.
   *
   * @param hash the {@linkplain io.bloomkit.hash.HashStrategy#hash hash} of the element
   * @param into receives the k positions, from index 0 on
   * @throws IndexOutOfBoundsException if the array is shorter than k; some positions may have been
   *     written
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
   * Returns one position of an element: the position that {@link #positionsOf} writes at the same
   * index.
   *
   * @param hash the {@linkplain io.bloomkit.hash.HashStrategy#hash hash} of the element
   * @param index from 0 to k − 1
   * @throws IndexOutOfBoundsException if the index is out of its range
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
          "positionsPerElement must be above 0, got " + positionsPerElement);
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
              + " elements, got "
              + fpp);
    }
  }

  static void requireInsertions(long expectedInsertions) {
    if (expectedInsertions < 1) {
      throw new IllegalArgumentException(
          "expectedInsertions must be at least 1, got " + expectedInsertions);
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
