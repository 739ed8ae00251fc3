package io.bloomkit;

/**
 * How likely a four-bit counter is exceeded. Of n independent trials, each of which hits a counter
 * with probability p, Binomial(n, p) do; if every element is added c times, each hit counts c, and
 * the counter is exceeded once there are more than 15/c.
 */
final class CounterOverflow {

  private static final long LARGEST_COUNT = 15;

  /** Below this, a summand no longer changes a sum of probabilities. */
  private static final double NEGLIGIBLE = 1e-18;

  private CounterOverflow() {}

  /**
   * P(Binomial(n, p) · c > 15), with the lower tail where the upper one is about one half or more.
   *
   * @param logOfMiss ln(1 − p), negative infinity if every trial hits
   */
  static double probability(long trials, double logOfMiss, long copies) {
    long enough = LARGEST_COUNT / copies + 1;
    if (trials < enough) {
      return 0;
    }
    double hit = -StrictMath.expm1(logOfMiss);
    double hits = 1; // C(n, j) · p^j
    double below = 0;
    for (long j = 0; j < enough; j++) {
      below += hits * StrictMath.exp((trials - j) * logOfMiss);
      hits *= (trials - j) * hit / (j + 1);
    }
    if (trials * hit >= enough) {
      return 1 - below;
    }
    double above = 0;
    double summand = 1;
    for (long j = enough; j <= trials && summand > NEGLIGIBLE * above; j++) {
      summand = hits * StrictMath.exp((trials - j) * logOfMiss);
      above += summand;
      hits *= (trials - j) * hit / (j + 1);
    }
    return above;
  }
}
