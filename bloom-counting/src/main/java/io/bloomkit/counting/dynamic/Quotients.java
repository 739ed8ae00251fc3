package io.bloomkit.counting.dynamic;

import java.math.BigInteger;

/** The constants by which a {@link TableShape} divides fingerprints into buckets and remainders. */
final class Quotients {

  private Quotients() {}

  /** Returns K = ⌊2<sup>63</sup> / G⌋. */
  static long k(long fingerprints) {
    return Long.divideUnsigned(1L << 63, fingerprints); // of one: 2^63, an unsigned number
  }

  /** Returns 2<sup>126</sup> / (k · m), rounded up, at most 2<sup>63</sup> − 1. */
  static long inverse(long k, long m) {
    BigInteger product = new BigInteger(Long.toUnsignedString(k)).multiply(BigInteger.valueOf(m));
    return BigInteger.ONE
        .shiftLeft(2 * Long.SIZE - 2)
        .add(product)
        .subtract(BigInteger.ONE)
        .divide(product)
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValue();
  }

  /** Returns the smallest width of a remainder that distinguishes all fingerprints, at least 1. */
  static int remainderBits(long fingerprints, int buckets) {
    long divisor = k(fingerprints);
    long least = Long.divideUnsigned((1L << 63) + divisor - 1, divisor);
    int bits = 1;
    while (Long.compareUnsigned((long) buckets << bits, least) < 0) {
      bits++;
    }
    return bits;
  }
}
