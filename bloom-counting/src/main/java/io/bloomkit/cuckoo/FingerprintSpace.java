package io.bloomkit.cuckoo;

/**
 * The set of possible fingerprints, whose number is F = {@link #factor} · 2<sup>{@link
 * #maxDepth}</sup>. So hashes that share their first d bits, d ≤ maxDepth, have exactly F /
 * 2<sup>d</sup> possible fingerprints.
 */
record FingerprintSpace(long factor, int maxDepth) {

  /** At the greatest depth there are at least 2 to this power fingerprints, if F is not smaller. */
  static final int MIN_FACTOR_LOG_2 = 13;

  /** The largest F: 64-bit hashes distinguish few more, and products stay below 2^63. */
  static final long MAX = 1L << 60;

  /**
   * Returns the smallest space with at least a number of fingerprints. It exceeds that number by a
   * fraction of at most 2<sup>−13</sup>.
   */
  static FingerprintSpace ofAtLeast(long fingerprints) {
    int depth =
        Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(fingerprints) - MIN_FACTOR_LOG_2);
    return new FingerprintSpace(((fingerprints - 1) >>> depth) + 1, depth);
  }

  /** Returns F. */
  long fingerprints() {
    return factor << maxDepth;
  }

  /** Returns the number of possible fingerprints of hashes that share their first bits. */
  long fingerprints(int depth) {
    return factor << (maxDepth - depth);
  }

  /** Returns the fingerprint of a hash: ⌊hash · F / 2<sup>64</sup>⌋ without the lowest bit. */
  long fingerprintOf(long hash) {
    return Math.multiplyHigh(hash >>> 1, fingerprints() << 1);
  }

  /** Returns the lowest hash of a fingerprint. */
  long hashOf(long fingerprint) {
    // ⌈(fingerprint mod factor) · 2^(64 − maxDepth) / factor⌉ after the prefix, rounded up to even
    long last = -1L >>> maxDepth;
    long quotient = Long.divideUnsigned(last, factor);
    long rest = Long.remainderUnsigned(last, factor) + 1;
    long number = fingerprint % factor;
    long hash = prefixOf(fingerprint) + number * quotient + (number * rest + factor - 1) / factor;
    return hash + (hash & 1);
  }

  /** Returns a hash whose first {@link #maxDepth} bits are those of all hashes of a fingerprint. */
  long prefixOf(long fingerprint) {
    return (fingerprint / factor) << (Long.SIZE - maxDepth); // 0 << 64 is 0 as well
  }
}
