package io.bloomkit.counting;

import java.util.Locale;

/**
 * How large a {@link CuckooFilter} must be: the number of its buckets and the width of its
 * fingerprints.
 *
 * @param capacity how many distinct elements it takes, at least 1
 * @param buckets b, buckets of four fingerprints
 * @param fingerprintBits f, an even number of bits from 8 to 32
 */
record CuckooSize(long capacity, int buckets, int fingerprintBits) {

  /**
   * The share of places that may be taken. Chains of 500 kicks begin to fail at 0.96 to 0.97; at
   * 0.98 there is mostly no arrangement at all.
   */
  private static final double LOAD = 0.95;

  /** Few buckets fill unevenly, so small tables get these in addition. */
  private static final int SPARE_BUCKETS = 4;

  /** With fewer, an element has too few possible second buckets for a high load. */
  private static final int LEAST_BITS = 8;

  private static final int MOST_BITS = 32;

  /**
   * Returns the size for a number of distinct elements and a false-positive probability.
   *
   * @throws IllegalArgumentException if an argument is out of its range, or the fingerprints do not
   *     fit one array
   */
  static CuckooSize of(long expectedInsertions, double fpp) {
    if (expectedInsertions < 1) {
      throw new IllegalArgumentException(
          "expectedInsertions must be at least 1 but is " + expectedInsertions);
    }
    if (!(fpp > 0 && fpp < 1)) {
      throw new IllegalArgumentException(
          "fpp must lie between 0 and 1, both excluded, but is " + fpp);
    }
    double buckets =
        Math.ceil(expectedInsertions / (LOAD * FingerprintTable.SLOTS)) + SPARE_BUCKETS;
    for (int bits = LEAST_BITS; bits <= MOST_BITS; bits += 2) {
      if (fppAtCapacity(expectedInsertions, buckets, bits) <= fpp) {
        if (buckets > FingerprintTable.mostBuckets(bits)) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "expectedInsertions must be at most about %.3g for fpp %s, as one array holds no"
                      + " more, but is %d",
                  FingerprintTable.mostBuckets(bits) * LOAD * FingerprintTable.SLOTS,
                  fpp,
                  expectedInsertions));
        }
        return new CuckooSize(expectedInsertions, (int) buckets, bits);
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "fpp must be at least %.3g for %d elements, the rate of fingerprints of %d bits,"
                + " but is %s",
            fppAtCapacity(expectedInsertions, buckets, MOST_BITS),
            expectedInsertions,
            MOST_BITS,
            fpp));
  }

  /**
   * An element is one of b·(2<sup>f</sup> − 1) pairs of a bucket and a fingerprint, and each
   * element that is held claims two of them: 1 − (1 − 2/(b·(2<sup>f</sup> − 1)))<sup>n</sup>. With
   * 2n/b = 8 · load this is the paper's 1 − (1 − 2<sup>−f</sup>)<sup>8·load</sup> (section 5.1),
   * with the one value off that means an empty place.
   */
  private static double fppAtCapacity(long elements, double buckets, int bits) {
    double pairs = buckets * FingerprintTable.values(bits);
    return -StrictMath.expm1(elements * StrictMath.log1p(-2 / pairs));
  }
}
