package io.bloomkit.flink;

/**
 * How many of a stream's distinct keys the filter of a key group is planned for. Flink assigns a
 * key to one of K key groups by a hash, so a group gets Binomial(N, 1/K) of N keys.
 *
 * <p>The plan is μ + L/3 + √(L²/9 + 2μL), where μ = N/K, L = ln(K/δ) and δ = 10<sup>-6</sup>. By
 * Bernstein's inequality, a group exceeds it with probability at most δ/K, so all groups together
 * with at most δ.
 */
final class KeyGroupSize {

  /** The probability that some group gets more keys than planned. */
  static final double OVERFLOW = 1e-6;

  private KeyGroupSize() {}

  /** Returns the number of keys that each of {@code keyGroups} filters is planned for. */
  static long of(long keys, int keyGroups) {
    return of(keys, keyGroups, OVERFLOW);
  }

  static long of(long keys, int keyGroups, double overflow) {
    double mean = (double) keys / keyGroups;
    double log = Math.log(keyGroups / overflow);
    double room = log / 3 + Math.sqrt(log * log / 9 + 2 * mean * log);
    return Math.min(keys, (long) Math.ceil(mean + room));
  }
}
