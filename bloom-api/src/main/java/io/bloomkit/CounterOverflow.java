package io.bloomkit;

/**
 * How likely a four-bit counter is exceeded. The distinct elements that hit a counter are
 * Binomial(n, p), as each counts once however many of its hashes fall on the counter; if every
 * element is added c times, the counter is exceeded once more than 15/c of them hit it.
 */
final class CounterOverflow {

  private static final long LARGEST_COUNT = 15;

  /** Below this, a summand no longer changes a sum of probabilities. */
  private static final double NEGLIGIBLE = 1e-18;

  private CounterOverflow() {}

  /**
   * P(Binomial(n, p) · c > 15), with the lower tail where the upper one is about one half or more.
   *
   * @param logOfMiss ln(1 − p), negative infinity if every element hits
   */
  static double probability(long elements, double logOfMiss, long copies) {
    long enough = LARGEST_COUNT / copies + 1;
    if (elements < enough) {
      return 0;
    }
    double hit = -StrictMath.expm1(logOfMiss);
    double hits = 1; // C(n, j) · p^j
    double below = 0;
    for (long j = 0; j < enough; j++) {
      below += hits * StrictMath.exp((elements - j) * logOfMiss);
      hits *= (elements - j) * hit / (j + 1);
    }
    if (elements * hit >= enough) {
      return 1 - below;
    }
    double above = 0;
    double summand = 1;
    for (long j = enough; j <= elements && summand > NEGLIGIBLE * above; j++) {
      summand = hits * StrictMath.exp((elements - j) * logOfMiss);
      above += summand;
      hits *= (elements - j) * hit / (j + 1);
    }
    return above;
  }
}
