package io.bloomkit.cuckoo;

import io.bloomkit.internal.Arguments;
import java.util.Locale;

/**
 * The size of a {@link DynamicCuckooFilter}: the planned number of distinct elements, and the
 * number of possible fingerprints.
 *
 * @param maxElements the number of distinct elements at which the planned false-positive rate is
 *     reached, at least 1; the filter accepts more elements, but the rate is then higher
 * @param fingerprints F, the number of possible fingerprints, from {@code maxElements} to
 *     2<sup>60</sup>. F must have at most fourteen significant binary digits: F = a · 2<sup>d</sup>
 *     with integers a &lt; 2<sup>14</sup> and d ≥ 0.
 */
public record DynamicCuckooShape(long maxElements, long fingerprints) {

  /**
   * Creates a size.
   *
   * @throws IllegalArgumentException if an argument is out of its range, or {@code fingerprints}
   *     has more than fourteen significant binary digits
   */
  public DynamicCuckooShape {
    Arguments.checkAtLeast(1, maxElements, "maxElements");
    if (fingerprints < maxElements || fingerprints > FingerprintSpace.MAX) {
      throw new IllegalArgumentException(
          "fingerprints must be in [maxElements, 2^60], got " + fingerprints);
    }
    if (FingerprintSpace.ofAtLeast(fingerprints).fingerprints() != fingerprints) {
      throw new IllegalArgumentException(
          "fingerprints must have fourteen significant bits at most, got " + fingerprints);
    }
  }

  /**
   * Returns the size for a given number of distinct elements and a false-positive rate. The number
   * of fingerprints is ⌈maxElements / fpp⌉, rounded up to a number with at most fourteen
   * significant binary digits.
   *
   * @param maxElements the number of distinct elements at which the rate reaches {@code fpp}, at
   *     least 1
   * @param fpp the false-positive rate with that number of elements, in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, or {@code maxElements /
   *     fpp} is above 2<sup>60</sup>
   */
  public static DynamicCuckooShape of(long maxElements, double fpp) {
    Arguments.checkAtLeast(1, maxElements, "maxElements");
    Arguments.checkFraction(fpp, "fpp");
    double least = Math.ceil(maxElements / fpp);
    if (least > FingerprintSpace.MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "maxElements / fpp must be at most 2^60, as hashes of 64 bits tell no more elements"
                  + " apart, but maxElements is %d and fpp %s",
              maxElements,
              fpp));
    }
    return new DynamicCuckooShape(
        maxElements, FingerprintSpace.ofAtLeast((long) least).fingerprints());
  }

  /**
   * Returns the expected false-positive rate of a filter of this size with n distinct elements: 1 −
   * (1 − 1/F)<sup>n</sup>.
   *
   * @param elements the number n of distinct elements in the filter, at least 0
   * @throws IllegalArgumentException if the number is negative
   */
  public double fpp(long elements) {
    Arguments.checkAtLeast(0, elements, "elements");
    return fingerprints == 1
        ? Math.min(elements, 1)
        : -StrictMath.expm1(elements * StrictMath.log1p(-1.0 / fingerprints));
  }

  /** Returns the number of distinct elements that has this many fingerprints on average. */
  long elements(long distinct) {
    // n elements have F · (1 − (1 − 1/F)^n) distinct fingerprints on average.
    double all = fingerprints;
    return distinct == fingerprints
        ? Long.MAX_VALUE
        : Math.round(StrictMath.log1p(-distinct / all) / StrictMath.log1p(-1 / all));
  }

  /**
   * Returns the estimated memory, in bytes, of a filter of this size that holds a given number of
   * elements. The actual memory depends on the hashes and on the order of insertions and removals.
   * With rates up to 3 % and the planned number of elements, at least 10,000, inserted one by one,
   * it differs by up to 1 %; with other numbers of elements, by up to 3 %. With higher rates, or
   * inserted in bulk, it may be 3 % more.
   *
   * @param elements the number of distinct elements in the filter, at least 0
   * @throws IllegalArgumentException if the number is negative
   */
  public long memoryBytes(long elements) {
    Arguments.checkAtLeast(0, elements, "elements");
    return new TableSizes(space(), maxElements).memoryBytes(elements);
  }

  FingerprintSpace space() {
    return FingerprintSpace.ofAtLeast(fingerprints);
  }
}
