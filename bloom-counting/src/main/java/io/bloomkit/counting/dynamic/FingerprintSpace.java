package io.bloomkit.counting.dynamic;

/**
 * All fingerprints that there can be: F = {@link #factor} · 2<sup>{@link #maxDepth}</sup>, so that
 * the hashes that share their first d bits, d ≤ maxDepth, have exactly F / 2<sup>d</sup> of them.
 */
record FingerprintSpace(long factor, int maxDepth) {

  /** As many fingerprints or more are left at the greatest depth, if there are as many at all. */
  static final int LEAST_FACTOR_LOG_2 = 13;

  /** The most fingerprints: 64-bit hashes tell no more apart, and products stay below 2^63. */
  static final long MOST = 1L << 60;

  /**
   * Returns the smallest space with at least that many fingerprints: at most a 2<sup>−13</sup> part
   * larger.
   */
  static FingerprintSpace ofAtLeast(long fingerprints) {
    int depth =
        Math.max(0, Long.SIZE - 1 - Long.numberOfLeadingZeros(fingerprints) - LEAST_FACTOR_LOG_2);
    return new FingerprintSpace(((fingerprints - 1) >>> depth) + 1, depth);
  }

  /** Returns F. */
  long fingerprints() {
    return factor << maxDepth;
  }

  /** Returns the number of fingerprints of hashes that share their first bits. */
  long fingerprints(int depth) {
    return factor << (maxDepth - depth);
  }

  /** Returns a hash with as many leading bits as {@link #maxDepth} as all of a fingerprint have. */
  long prefixOf(long fingerprint) {
    return (fingerprint / factor) << (Long.SIZE - maxDepth); // 0 << 64 is 0 as well
  }
}
