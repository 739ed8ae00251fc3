package io.bloomkit;

/**
 * The probability that a 4-bit counter overflows. Each of n independent trials hits the counter
 * with probability p, so the number of hits has the distribution Binomial(n, p). If every element
 * is added c times, each hit counts c times, and the counter overflows at more than 15/c hits.
 */
final class CounterOverflow {

  private static final long MAX_COUNT = 15;

  /** A smaller summand does not noticeably change a sum of probabilities. */
  private static final double NEGLIGIBLE = 1e-18;

  private CounterOverflow() {}

  /**
   * Returns P(Binomial(n, p) · c > 15). If the upper tail is about one half or more, it is computed
   * from the lower tail.
   *
   * @param logOfMiss ln(1 − p), negative infinity if every trial hits
   */
  static double probability(long trials, double logOfMiss, long copies) {
    long minHits = MAX_COUNT / copies + 1;
    if (trials < minHits) {
      return 0;
    }
    double hit = -StrictMath.expm1(logOfMiss);
    double hits = 1; // C(n, j) · p^j
    double lowerTail = 0;
    for (long j = 0; j < minHits; j++) {
      lowerTail += hits * StrictMath.exp((trials - j) * logOfMiss);
      hits *= (trials - j) * hit / (j + 1);
    }
    if (trials * hit >= minHits) {
      return 1 - lowerTail;
    }
    double upperTail = 0;
    double summand = 1;
    for (long j = minHits; j <= trials && summand > NEGLIGIBLE * upperTail; j++) {
      summand = hits * StrictMath.exp((trials - j) * logOfMiss);
      upperTail += summand;
      hits *= (trials - j) * hit / (j + 1);
    }
    return upperTail;
  }
}
