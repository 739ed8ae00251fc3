package io.bloomkit.counting.dynamic;

import java.util.Locale;

/**
 * The size of a {@link DynamicCuckooFilter}: the number of distinct elements it is planned for, and
 * the number of possible fingerprints.
 *
 * @param maxElements the number of distinct elements up to which the planned false-positive rate
 *     holds, at least 1; the filter takes more, at a rate that rises in proportion
 * @param fingerprints F, from maxElements to 2<sup>60</sup>, with at most fourteen significant
 *     bits, as {@link #of} computes it
 */
public record DynamicCuckooSize(long maxElements, long fingerprints) {

  /**
   * Checks a size.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public DynamicCuckooSize {
    if (maxElements < 1) {
      throw new IllegalArgumentException("maxElements must be at least 1 but is " + maxElements);
    }
    if (fingerprints < maxElements || fingerprints > FingerprintSpace.MOST) {
      throw new IllegalArgumentException(
          "fingerprints must lie in [maxElements, 2^60] but is " + fingerprints);
    }
    if (FingerprintSpace.ofAtLeast(fingerprints).fingerprints() != fingerprints) {
      throw new IllegalArgumentException(
          "fingerprints must have fourteen significant bits at most but is " + fingerprints);
    }
  }

  /**
   * Returns the size for a number of distinct elements and a false-positive rate: F = ⌈maxElements
   * / fpp⌉, rounded up by a factor below 1 + 2<sup>−13</sup>.
   *
   * @param maxElements the number of distinct elements at which the rate is reached, at least 1
   * @param fpp in (0, 1)
   * @throws IllegalArgumentException if an argument is out of its range, or there would be more
   *     than 2<sup>60</sup> fingerprints
   */
  public static DynamicCuckooSize of(long maxElements, double fpp) {
    if (maxElements < 1) {
      throw new IllegalArgumentException("maxElements must be at least 1 but is " + maxElements);
    }
    if (!(fpp > 0 && fpp < 1)) {
      throw new IllegalArgumentException(
          "fpp must lie between 0 and 1, both excluded, but is " + fpp);
    }
    double least = Math.ceil(maxElements / fpp);
    if (least > FingerprintSpace.MOST) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "maxElements / fpp must be at most 2^60, as hashes of 64 bits tell no more elements"
                  + " apart, but maxElements is %d and fpp %s",
              maxElements,
              fpp));
    }
    return new DynamicCuckooSize(
        maxElements, FingerprintSpace.ofAtLeast((long) least).fingerprints());
  }

  /**
   * Returns the mean false-positive rate with n distinct elements stored: 1 − (1 − 1 /
   * F)<sup>n</sup>.
   *
   * @param elements n, at least 0
   * @throws IllegalArgumentException if elements is negative
   */
  public double fpp(long elements) {
    if (elements < 0) {
      throw new IllegalArgumentException("elements must be at least 0 but is " + elements);
    }
    return fingerprints == 1
        ? Math.min(elements, 1)
        : -StrictMath.expm1(elements * StrictMath.log1p(-1.0 / fingerprints));
  }

  /** Returns the number of elements that have a number of distinct fingerprints on average. */
  long elements(long distinct) {
    // n elements have F · (1 − (1 − 1/F)^n) fingerprints on average.
    double all = fingerprints;
    return distinct == fingerprints
        ? Long.MAX_VALUE
        : Math.round(StrictMath.log1p(-distinct / all) / StrictMath.log1p(-1 / all));
  }

  /**
   * Returns the estimated number of bytes of a filter with a number of distinct elements, accurate
   * to some per cent: the number of tables depends on the hashes.
   *
   * @throws IllegalArgumentException if elements is negative
   */
  public long memoryBytes(long elements) {
    if (elements < 0) {
      throw new IllegalArgumentException("elements must be at least 0 but is " + elements);
    }
    return new TableSizes(space(), maxElements).memoryBytes(elements);
  }

  FingerprintSpace space() {
    return FingerprintSpace.ofAtLeast(fingerprints);
  }
}
