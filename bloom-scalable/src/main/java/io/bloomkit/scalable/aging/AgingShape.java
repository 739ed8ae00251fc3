package io.bloomkit.scalable.aging;

import io.bloomkit.LayeredFormulas;
import io.bloomkit.Shape;
import io.bloomkit.internal.WordArrays;
import java.time.Duration;
import java.util.Objects;

/**
 * The size of an {@link AgingBloomFilter}: k + l slices of s positions. An addition sets one
 * position in each of the k youngest slices. After a generation of g additions, a new slice
 * replaces the oldest (A. Shtul, C. Baquero, P. Almeida, <i>Age-partitioned Bloom filters</i>,
 * 2020).
 *
 * <p>More historic slices save memory and let elements expire sooner after the window, but a query
 * of an absent element reads more slices. {@link #of(long, double)} makes that trade-off.
 *
 * @param hashes k, the number of slices in which an addition sets a position, from 1 to {@link
 *     Shape#MAX_HASHES}
 * @param historicSlices l, the number of slices that are only read, from 1 to {@link
 *     #MAX_HISTORIC_SLICES}; an element stays for l generations after its own
 * @param slicePositions s, the number of positions of a slice, a positive multiple of {@value
 *     #POSITIONS_UNIT}
 * @param generationAdditions g, the number of additions of a generation, from 1 to {@link
 *     #MAX_GENERATION_ADDITIONS}; in a filter by time, the planned number
 */
public record AgingShape(
    int hashes, int historicSlices, long slicePositions, long generationAdditions) {

  /** The largest number of historic slices; the tables of the paper end at 117. */
  public static final int MAX_HISTORIC_SLICES = 1000;

  /** The largest number of additions of a generation, 2<sup>48</sup>. */
  public static final long MAX_GENERATION_ADDITIONS = 1L << 48;

  /** A slice is made of words, so that it is cleared without a look at its neighbours. */
  static final int POSITIONS_UNIT = Long.SIZE;

  /** What an array holds that every virtual machine can make. */
  static final long MAX_POSITIONS = (long) WordArrays.MAX_LENGTH * Long.SIZE;

  /**
   * Checks a shape.
   *
   * @throws IllegalArgumentException if an argument is out of its range, or all slices together
   *     have more positions than one array holds
   */
  public AgingShape {
    requireWithin(1, Shape.MAX_HASHES, hashes, "hashes");
    requireWithin(1, MAX_HISTORIC_SLICES, historicSlices, "historicSlices");
    requireWithin(1, MAX_GENERATION_ADDITIONS, generationAdditions, "generationAdditions");
    if (slicePositions < POSITIONS_UNIT || slicePositions % POSITIONS_UNIT != 0) {
      throw new IllegalArgumentException(
          "slicePositions must be a positive multiple of "
              + POSITIONS_UNIT
              + " but is "
              + slicePositions);
    }
    if (slicePositions > MAX_POSITIONS / (hashes + historicSlices)) {
      throw new IllegalArgumentException(
          "slicePositions times the number of slices must be at most "
              + MAX_POSITIONS
              + ", what an array holds, but is "
              + slicePositions
              + " times "
              + (hashes + historicSlices));
    }
  }

  /**
   * Returns the shape of a filter that remembers the last additions.
   *
   * <p>For every number of historic slices from 1 to min(128, lastAdditions), the search finds the
   * number of hashes with the least memory, with the smallest slices whose {@link #fpp} is at most
   * {@code fpp}. Of all these shapes it takes the fewest historic slices whose memory is at most 10
   * % above the least. For 10 %, 1 %, 0.1 % and 0.01 % that is (k, l) = (4, 4), (7, 13), (11, 26),
   * (14, 39), with 13.1, 21.4, 28.2 and 34.8 bits per addition. The search costs some tens of
   * milliseconds; shapes may be kept and shared.
   *
   * <p>The tables of the paper assume a fixed fill: one half in the k-th youngest slice, rising
   * linearly up to it. They list for each k the l whose rate is the nearest to a power of ten. This
   * search uses the best fill for every pair (k, l), and the exact fill of each slice. It includes
   * the pairs of the tables; none of them takes 10 % less memory than the search's result.
   *
   * @param lastAdditions the number of last additions that are certain to be positive, at least 1
   * @param fpp the false-positive probability, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, if the filter would be
   *     larger than one array, or if fpp is below what 64-bit hashes allow
   */
  public static AgingShape of(long lastAdditions, double fpp) {
    if (lastAdditions < 1) {
      throw new IllegalArgumentException(
          "lastAdditions must be at least 1 but is " + lastAdditions);
    }
    return AgingShapeSearch.search(lastAdditions, fpp, AgingShapeSearch.MOST_HISTORIC_SLICES);
  }

  /**
   * Returns the shape of a filter that remembers a duration.
   *
   * <p>The rate holds while no generation has more than {@link #generationAdditions}, as with
   * additions that are spread evenly. If all additions of a window come at once, a filter planned
   * for 1 % or for 0.1 % has a rate of 3 %. For bursts, plan as many additions as a window would
   * have at the peak rate.
   *
   * @param window the duration for which an addition is certain to be positive, more than 0;
   *     rounded up to milliseconds
   * @param expectedAdditions the number of additions in that duration, spread evenly, at least 1
   * @param fpp see {@link #of(long, double)}
   * @throws IllegalArgumentException as {@link #of(long, double)}, or if the window is not positive
   *     or 2<sup>63</sup> milliseconds or longer
   */
  public static AgingShape of(Duration window, long expectedAdditions, double fpp) {
    long windowMillis = millisOf(window, "window");
    if (expectedAdditions < 1) {
      throw new IllegalArgumentException(
          "expectedAdditions must be at least 1 but is " + expectedAdditions);
    }
    int most = (int) Math.min(AgingShapeSearch.MOST_HISTORIC_SLICES, windowMillis);
    AgingShape shape = AgingShapeSearch.search(expectedAdditions, fpp, most);
    long generationMillis = shape.generationMillis(windowMillis);
    double additions = Math.ceil((double) expectedAdditions * generationMillis / windowMillis);
    return AgingShapeSearch.sized(
        shape.hashes, shape.historicSlices, (long) additions, expectedAdditions, fpp);
  }

  /** Returns the length of a generation of which as many as historic slices fill a window. */
  long generationMillis(long windowMillis) {
    return (windowMillis - 1) / historicSlices + 1;
  }

  /** A duration in milliseconds, rounded up. */
  static long millisOf(Duration duration, String name) {
    Objects.requireNonNull(duration, name);
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " must be more than 0 but is " + duration);
    }
    try {
      return duration.plusNanos(999_999).toMillis();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          name + " must be less than 2^63 milliseconds but is " + duration, e);
    }
  }

  /** Returns the number of slices, k + l. */
  public int slices() {
    return hashes + historicSlices;
  }

  /** Returns the number of positions (bits) in all slices, (k + l) · s. */
  public long positions() {
    return slices() * slicePositions;
  }

  /**
   * Returns the number of last additions that are always certain to be positive: l · g + 1. At the
   * end of a generation, g − 1 more are.
   */
  public long windowAdditions() {
    return historicSlices * generationAdditions + 1;
  }

  /**
   * Returns the number of further additions after which no trace of an element is left: (k + l) ·
   * g. From then on it is as rarely positive as an element that was never added.
   */
  public long additionsUntilForgotten() {
    return slices() * generationAdditions;
  }

  /**
   * Returns the mean false-positive probability at the end of a generation of distinct elements,
   * when it is highest: {@link LayeredFormulas#agePartitionedFpp} of {@link
   * LayeredFormulas#agePartitionedFillRatios}.
   */
  public double fpp() {
    return LayeredFormulas.agePartitionedFpp(
        hashes,
        LayeredFormulas.agePartitionedFillRatios(
            hashes, slices(), slicePositions, generationAdditions));
  }

  private static void requireWithin(long least, long most, long value, String name) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must lie in [" + least + ", " + most + "] but is " + value);
    }
  }
}
