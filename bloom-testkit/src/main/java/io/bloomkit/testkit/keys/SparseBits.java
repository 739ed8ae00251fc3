package io.bloomkit.testkit.keys;

/**
 * All 64-bit numbers, ordered by their number of set bits and then by value: the combinatorial
 * number system (D. Knuth, <i>The art of computer programming</i> 4A, 7.2.1.3).
 */
final class SparseBits {

  /** Enough for any index: 7·10^8 numbers have up to seven set bits. */
  private static final int MAX_BITS = 8;

  private static final long[][] BINOMIALS = binomials();

  private SparseBits() {}

  private static long[][] binomials() {
    long[][] binomials = new long[Long.SIZE + 1][MAX_BITS + 1];
    for (int n = 0; n <= Long.SIZE; n++) {
      binomials[n][0] = 1;
      for (int k = 1; k <= Math.min(n, MAX_BITS); k++) {
        binomials[n][k] = binomials[n - 1][k - 1] + binomials[n - 1][k];
      }
    }
    return binomials;
  }

  /** Returns the number of an index, from 0. */
  static long number(long index) {
    long rest = index;
    int bits = 0;
    while (rest >= BINOMIALS[Long.SIZE][bits]) {
      rest -= BINOMIALS[Long.SIZE][bits++];
    }
    long number = 0;
    int highest = Long.SIZE - 1;
    for (; bits > 0; bits--) {
      while (BINOMIALS[highest][bits] > rest) {
        highest--;
      }
      rest -= BINOMIALS[highest][bits];
      number |= 1L << highest;
    }
    return number;
  }
}
