package io.bloomkit.counting;

import java.util.Locale;

/**
 * The size of a {@link CuckooFilter}: the number of its buckets of four fingerprints and their
 * width. {@link CuckooFilter.Builder#expecting} uses {@link #of}; no filter is built.
 *
 * @param capacity the maximum of distinct elements, from 1 to 4 · buckets
 * @param buckets b, at least 1, at most as many as fit into one array
 * @param fingerprintBits f, an even number of bits from 8 to 32
 */
public record CuckooSize(long capacity, int buckets, int fingerprintBits) {

  /**
   * The share of slots that may be occupied. Chains of 500 kicks begin to fail at 0.96 to 0.97; at
   * 0.98 there is mostly no arrangement at all.
   */
  private static final double LOAD = 0.95;

  /** Few buckets fill unevenly, so small tables get these in addition. */
  private static final int SPARE_BUCKETS = 4;

  /** With fewer, an element has too few possible second buckets for a high load. */
  static final int LEAST_BITS = 8;

  static final int MOST_BITS = 32;

  /**
   * Checks a size.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public CuckooSize {
    if (fingerprintBits < LEAST_BITS || fingerprintBits > MOST_BITS || fingerprintBits % 2 != 0) {
      throw new IllegalArgumentException(
          "fingerprintBits must be even and lie in ["
              + LEAST_BITS
              + ", "
              + MOST_BITS
              + "] but is "
              + fingerprintBits);
    }
    int mostBuckets = FingerprintTable.mostBuckets(fingerprintBits);
    if (buckets < 1 || buckets > mostBuckets) {
      throw new IllegalArgumentException(
          "buckets must lie in [1, " + mostBuckets + "] but is " + buckets);
    }
    long places = (long) buckets * FingerprintTable.SLOTS;
    if (capacity < 1 || capacity > places) {
      throw new IllegalArgumentException(
          "capacity must lie in [1, " + places + "] but is " + capacity);
    }
  }

  /**
   * Returns the size for a number of distinct elements and a false-positive probability: the
   * narrowest fingerprints that keep the rate, and slots for 5 % more of them plus sixteen.
   *
   * @param expectedInsertions the number of distinct elements planned for, at least 1
   * @param fpp in (0, 1), and not below 1.8·10<sup>-9</sup>, the rate of 32 bits; at the full
   *     capacity the rate is this or less
   * @throws IllegalArgumentException if an argument is out of its range, or the fingerprints do not
   *     fit one array, 2 GiB
   */
  public static CuckooSize of(long expectedInsertions, double fpp) {
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
      if (fpp(expectedInsertions, buckets, bits) <= fpp) {
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
            fpp(expectedInsertions, buckets, MOST_BITS),
            expectedInsertions,
            MOST_BITS,
            fpp));
  }

  /**
   * Returns the expected false-positive probability with n distinct elements stored.
   *
   * @param elements n, at least 0
   * @throws IllegalArgumentException if elements is negative
   */
  public double fpp(long elements) {
    if (elements < 0) {
      throw new IllegalArgumentException("elements must be at least 0 but is " + elements);
    }
    return fpp(elements, buckets, fingerprintBits);
  }

  /**
   * Returns the number of elements that have a number of distinct fingerprints on average, those
   * included that share one. Each addition met a share of occupied pairs that rose evenly from 0 to
   * the present one, which is never above 8/255: four fingerprints per bucket, of 255 at least,
   * occupy two pairs each.
   */
  static long elements(long distinct, double share) {
    return distinct == 0 ? 0 : Math.round(distinct * -StrictMath.log1p(-share) / share);
  }

  /** Returns the number of bytes of the buckets, which is all that an empty filter occupies. */
  public long memoryBytes() {
    return FingerprintTable.memoryBytes(buckets, fingerprintBits);
  }

  /**
   * An element is one of b·(2<sup>f</sup> − 1) pairs of a bucket and a fingerprint, and each stored
   * element occupies two of them: 1 − (1 − 2/(b·(2<sup>f</sup> − 1)))<sup>n</sup>. With 2n/b = 8 ·
   * load this is the paper's 1 − (1 − 2<sup>−f</sup>)<sup>8·load</sup> (section 5.1), with the one
   * value off that means an empty place.
   */
  private static double fpp(long elements, double buckets, int bits) {
    double pairs = buckets * FingerprintTable.values(bits);
    return -StrictMath.expm1(elements * StrictMath.log1p(-2 / pairs));
  }
}
