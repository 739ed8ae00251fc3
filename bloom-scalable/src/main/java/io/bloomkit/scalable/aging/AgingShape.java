package io.bloomkit.scalable.aging;

import io.bloomkit.FlatShape;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.WordArrays;
import java.time.Duration;
import java.util.Objects;

/**
 * The size of an {@link AgingBloomFilter}: the number and size of its slices, and the number of
 * additions per generation. Source: A. Shtul, C. Baquero, P. Almeida, <i>Age-partitioned Bloom
 * filters</i>, 2020.
 *
 * <p>The filter has k + l slices of s positions (bits), where k is the number of hashes. An
 * addition sets one position in each of the k youngest slices, the active slices. The other l
 * slices are the historic slices. A generation is g additions or, in a filter by time, a fixed
 * duration. When a generation ends, an empty slice replaces the oldest one.
 *
 * <p>The window of a filter is the latest additions: in a filter by count, a fixed number of them;
 * in a filter by time, those within a fixed duration. The filter remembers every addition in its
 * window. With more historic slices for the same window, an element is forgotten sooner once it has
 * left the window, and, up to a point, the filter takes less memory. But queries read more slices.
 * {@link #of(long, double)} chooses the number of historic slices.
 *
 * @param hashes k, the number of slices in which an addition sets a position, from 1 to {@link
 *     FlatShape#MAX_HASHES}
 * @param historicSlices l, the number of historic slices, from 1 to {@value #MAX_HISTORIC_SLICES};
 *     an element is remembered for l generations after the generation of its addition
 * @param slicePositions s, the number of positions of a slice, a positive multiple of {@value
 *     #POSITIONS_UNIT}
 * @param generationAdditions g, the number of additions per generation, from 1 to {@link
 *     #MAX_GENERATION_ADDITIONS}; in a filter by time, the planned number
 */
public record AgingShape(
    int hashes, int historicSlices, long slicePositions, long generationAdditions) {

  /** The largest number of historic slices. */
  public static final int MAX_HISTORIC_SLICES = 1000;

  /** The largest number of additions of a generation, 2<sup>48</sup>. */
  public static final long MAX_GENERATION_ADDITIONS = 1L << 48;

  /** Slices consist of whole words, so clearing a slice does not touch its neighbours. */
  static final int POSITIONS_UNIT = Long.SIZE;

  /** The number of bits of the largest array that every virtual machine can allocate. */
  static final long MAX_POSITIONS = (long) WordArrays.MAX_LENGTH * Long.SIZE;

  /**
   * Creates a shape.
   *
   * @throws IllegalArgumentException if an argument is out of its range, or if the slices together
   *     have more positions than one array holds (16 GiB)
   */
  public AgingShape {
    requireWithin(1, FlatShape.MAX_HASHES, hashes, "hashes");
    requireWithin(1, MAX_HISTORIC_SLICES, historicSlices, "historicSlices");
    requireWithin(1, MAX_GENERATION_ADDITIONS, generationAdditions, "generationAdditions");
    if (slicePositions < POSITIONS_UNIT || slicePositions % POSITIONS_UNIT != 0) {
      throw new IllegalArgumentException(
          "slicePositions must be a positive multiple of "
              + POSITIONS_UNIT
              + ", got "
              + slicePositions);
    }
    if (slicePositions > MAX_POSITIONS / (hashes + historicSlices)) {
      throw new IllegalArgumentException(
          "slicePositions times the number of slices must be at most "
              + MAX_POSITIONS
              + ", what an array holds, got "
              + slicePositions
              + " times "
              + (hashes + historicSlices));
    }
  }

  /**
   * Returns the shape of a filter by count.
   *
   * <p>The {@link #fpp()} of the shape is at most {@code fpp}. Let M be the least memory of all
   * such shapes with up to 128 historic slices. Of those that take at most 1.1 · M, the result is
   * the one with the fewest historic slices. For 1,000,000 additions or more, the results are:
   *
   * <table>
   * <caption>Shapes</caption>
   * <tr><th>fpp</th><th>10 %</th><th>1 %</th><th>0.1 %</th><th>0.01 %</th></tr>
   * <tr><th>hashes</th><td>4</td><td>7</td><td>11</td><td>14</td></tr>
   * <tr><th>historic slices</th><td>4</td><td>13</td><td>26</td><td>39</td></tr>
   * <tr><th>bits per addition of the window</th>
   * <td>13.1</td><td>21.4</td><td>28.2</td><td>34.8</td></tr>
   * </table>
   *
   * <p>Computing a shape takes much longer than creating a small filter. To create many filters,
   * reuse the shape with {@link AgingBloomFilter.Builder#shape(AgingShape)}.
   *
   * @param lastAdditions the number of last additions that the filter remembers, at least 1;
   *     repeated additions of an element also count
   * @param fpp the false-positive probability, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, if the filter would be
   *     larger than one array (16 GiB), or if {@code fpp} is below {@link
   *     io.bloomkit.BloomFormulas#hashFloor} of {@code lastAdditions}, the lowest rate that 64-bit
   *     hashes allow
   */
  public static AgingShape of(long lastAdditions, double fpp) {
    Arguments.checkAtLeast(1, lastAdditions, "lastAdditions");
    return AgingShapeSearch.search(lastAdditions, fpp, AgingShapeSearch.MOST_HISTORIC_SLICES);
  }

  /**
   * Returns the shape of a filter by time.
   *
   * <p>The planned false-positive rate holds while no generation has more than {@link
   * #generationAdditions} additions. If additions come in bursts, pass the number of additions that
   * a window would have at the peak rate.
   *
   * @param window the duration for which an element is remembered, more than 0; rounded up to
   *     milliseconds
   * @param expectedAdditions the number of additions in that duration, at least 1; repeated
   *     additions of an element also count
   * @param fpp the false-positive probability, in (0, 1)
   * @throws IllegalArgumentException as for {@link #of(long, double)}, or if the window is not
   *     positive or is 2<sup>63</sup> milliseconds or longer
   * @throws NullPointerException if the window is null
   */
  public static AgingShape of(Duration window, long expectedAdditions, double fpp) {
    long windowMillis = millisOf(window, "window");
    Arguments.checkAtLeast(1, expectedAdditions, "expectedAdditions");
    int most = (int) Math.min(AgingShapeSearch.MOST_HISTORIC_SLICES, windowMillis);
    AgingShape shape = AgingShapeSearch.search(expectedAdditions, fpp, most);
    long generationMillis = shape.generationMillis(windowMillis);
    double additions = Math.ceil((double) expectedAdditions * generationMillis / windowMillis);
    return AgingShapeSearch.sized(
        shape.hashes, shape.historicSlices, (long) additions, expectedAdditions, fpp);
  }

  /**
   * Returns the shortest duration of a generation with which l generations fill a window, in
   * milliseconds.
   */
  long generationMillis(long windowMillis) {
    return (windowMillis - 1) / historicSlices + 1;
  }

  /** Returns a duration in milliseconds, rounded up. */
  static long millisOf(Duration duration, String name) {
    Objects.requireNonNull(duration, name);
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " must be above 0, got " + duration);
    }
    try {
      return duration.plusNanos(999_999).toMillis();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          name + " must be less than 2^63 milliseconds, got " + duration, e);
    }
  }

  /** Returns a shape of the same slices whose filter remembers the last insertions by count. */
  AgingShape withWindow(long lastInsertions) {
    return new AgingShape(
        hashes,
        historicSlices,
        slicePositions,
        AgingShapeSearch.generationAdditions(lastInsertions, historicSlices));
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
   * Returns the number of last additions that a filter by count always remembers: l · g + 1. At the
   * end of a generation, the filter remembers g − 1 more.
   */
  public long windowAdditions() {
    return historicSlices * generationAdditions + 1;
  }

  /**
   * Returns the number of additions after which a filter by count has certainly lost all bits of an
   * element, counted from the addition of the element: (k + l) · g. From then on, the element is
   * like one that was never added.
   */
  public long additionsUntilForgotten() {
    return slices() * generationAdditions;
  }

  /**
   * Returns the expected false-positive rate at the end of a generation, if all added elements are
   * distinct. At that moment the rate is highest. The method applies {@link
   * LayeredFormulas#agePartitionedFpp} to the fill ratios from {@link
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
          name + " must be in [" + least + ", " + most + "], got " + value);
    }
  }
}
