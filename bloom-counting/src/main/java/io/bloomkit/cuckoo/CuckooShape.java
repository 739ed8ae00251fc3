package io.bloomkit.cuckoo;

import io.bloomkit.internal.Arguments;
import java.util.Locale;

/**
 * The size of a {@link CuckooFilter}: its capacity, the number of its buckets and the width of its
 * fingerprints. A bucket has slots for four fingerprints. {@link #of} computes the size for a
 * number of elements and a false-positive rate.
 *
 * @param capacity the maximum number of distinct elements, from 1 to 4 · buckets
 * @param buckets the number of buckets, at least 1; all of them must fit into one array of 2 GiB
 * @param fingerprintBits the number of bits of a fingerprint, an even number from 8 to 32
 */
public record CuckooShape(long capacity, int buckets, int fingerprintBits) {

  /**
   * The fraction of slots that may be occupied. Chains of 500 kicks begin to fail at 0.96 to 0.97;
   * at 0.98 there is usually no arrangement at all.
   */
  private static final double LOAD = 0.95;

  /** Buckets added to every table, since the buckets of a small one fill unevenly. */
  private static final int SPARE_BUCKETS = 4;

  /** With fewer bits, an element has too few possible second buckets for a high load. */
  static final int MIN_BITS = 8;

  static final int MAX_BITS = 32;

  /**
   * Creates a size.
   *
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public CuckooShape {
    if (fingerprintBits < MIN_BITS || fingerprintBits > MAX_BITS || fingerprintBits % 2 != 0) {
      throw new IllegalArgumentException(
          "fingerprintBits must be even and in ["
              + MIN_BITS
              + ", "
              + MAX_BITS
              + "], got "
              + fingerprintBits);
    }
    int maxBuckets = FingerprintTable.maxBuckets(fingerprintBits);
    Arguments.checkRange(1, maxBuckets, buckets, "buckets");
    long places = (long) buckets * FingerprintTable.SLOTS;
    Arguments.checkRange(1, places, capacity, "capacity");
  }

  /**
   * Returns the size for a number n of distinct elements and a false-positive rate. The size has ⌈n
   * / 3.8⌉ + 4 buckets, and the shortest fingerprints with which the rate is at most {@code fpp}.
   * With at least ten thousand elements, there are about 5 % more slots than elements; with fewer
   * elements, the percentage is higher.
   *
   * @param expectedInsertions n, the largest number of distinct elements at any one time, at least
   *     1; it becomes the capacity
   * @param fpp the false-positive rate with that number of elements, in (0, 1). The actual rate may
   *     be lower, since fingerprints have an even number of bits, at least 8. The lowest possible
   *     rate, with fingerprints of 32 bits, is about 1.8·10<sup>-9</sup> in a large filter.
   * @throws IllegalArgumentException if an argument is out of its range, if the rate exceeds {@code
   *     fpp} even with the longest fingerprints, of 32 bits, or if the buckets do not fit into one
   *     array of 2 GiB
   */
  public static CuckooShape of(long expectedInsertions, double fpp) {
    Arguments.checkAtLeast(1, expectedInsertions, "expectedInsertions");
    Arguments.checkFraction(fpp, "fpp");
    double buckets =
        Math.ceil(expectedInsertions / (LOAD * FingerprintTable.SLOTS)) + SPARE_BUCKETS;
    for (int bits = MIN_BITS; bits <= MAX_BITS; bits += 2) {
      if (fpp(expectedInsertions, buckets, bits) <= fpp) {
        if (buckets > FingerprintTable.maxBuckets(bits)) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "expectedInsertions must be at most about %.3g for fpp %s, as one array holds no"
                      + " more, got %d",
                  FingerprintTable.maxBuckets(bits) * LOAD * FingerprintTable.SLOTS,
                  fpp,
                  expectedInsertions));
        }
        return new CuckooShape(expectedInsertions, (int) buckets, bits);
      }
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "fpp must be at least %.3g for %d elements (fingerprints of %d bits), got %s",
            fpp(expectedInsertions, buckets, MAX_BITS),
            expectedInsertions,
            MAX_BITS,
            fpp));
  }

  /**
   * Returns the expected false-positive rate of a filter of this size with a number of elements.
   *
   * @param elements the number of distinct elements in the filter, at least 0
   * @throws IllegalArgumentException if the number is negative
   */
  public double fpp(long elements) {
    Arguments.checkAtLeast(0, elements, "elements");
    return fpp(elements, buckets, fingerprintBits);
  }

  /**
   * Returns the expected number of distinct elements, given the number of distinct fingerprints and
   * the fraction of occupied pairs. During the insertions that fraction rose evenly from 0 to the
   * given one. It is at most 8/255: a bucket has four fingerprints that occupy two pairs each, and
   * there are at least 255 fingerprints.
   */
  static long elements(long distinct, double share) {
    return distinct == 0 ? 0 : Math.round(distinct * -StrictMath.log1p(-share) / share);
  }

  /** Returns the number of bytes that the buckets occupy. */
  public long memoryBytes() {
    return FingerprintTable.memoryBytes(buckets, fingerprintBits);
  }

  /**
   * Returns 1 − (1 − 2/(b·(2<sup>f</sup> − 1)))<sup>n</sup>: an element is one of b·(2<sup>f</sup>
   * − 1) pairs of a bucket and a fingerprint, and each stored element occupies two of them. With
   * 2n/b = 8 · load this is the formula of the paper, 1 − (1 − 2<sup>−f</sup>)<sup>8·load</sup>
   * (section 5.1), but without the value that marks a free slot.
   */
  private static double fpp(long elements, double buckets, int bits) {
    double pairs = buckets * FingerprintTable.values(bits);
    return -StrictMath.expm1(elements * StrictMath.log1p(-2 / pairs));
  }
}
