package io.bloomkit.cuckoo;

/** The constants by which a {@link TableShape} divides fingerprints into buckets and remainders. */
final class Quotients {

  private Quotients() {}

  /** Returns K = ⌊2<sup>63</sup> / G⌋. */
  static long k(long fingerprints) {
    return Long.divideUnsigned(1L << 63, fingerprints); // of one: 2^63, an unsigned number
  }

  /** Returns 2<sup>126</sup> / (k · m), or more: at most a fraction of 2<sup>−61</sup> and 1. */
  static long inverse(long fingerprints, long k, long m) {
    if (m >= 4 * fingerprints) { // fewer fingerprints than buckets: k · m may exceed 2^65
      return (Long.divideUnsigned(1L << 63, m) + 2) * fingerprints;
    }
    long divisor = (Math.multiplyHigh(k, m) << (Long.SIZE - 2)) | ((k * m) >>> 2);
    long rest = 1L << 61; // 2^124 / divisor, digit by digit
    long quotient = 0;
    for (int bit = 0; bit < Long.SIZE - 1 && rest != divisor; bit++) {
      rest <<= 1;
      quotient <<= 1;
      if (Long.compareUnsigned(rest, divisor) >= 0) {
        rest -= divisor;
        quotient |= 1;
      }
    }
    return rest == divisor ? Long.MAX_VALUE : Math.max(quotient, quotient + 1);
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
