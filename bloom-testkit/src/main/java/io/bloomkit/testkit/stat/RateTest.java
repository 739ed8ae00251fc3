package io.bloomkit.testkit.stat;

/**
 * The second step of testing the false-positive rate of a filter. It tests whether queries of
 * elements that were never added are positive at the rate {@code expectedFpp()} of the filter.
 * {@link FillTest} is the first step: it tests how many positions (bits or counters) are set.
 *
 * <p>The false-positive rate depends on the number of set positions, which is random. So this class
 * compares the answers with {@code expectedFpp()}, the rate <i>given the set positions</i>.
 *
 * <p>For one filter, the number of positive queries has the distribution Binomial(N, p), with N
 * queries and the rate p. For several filters with different rates, the number is a sum of binomial
 * variables. At a distance of at least 1 from the mean, the tails of this sum are at most those of
 * Binomial(ΣN, p̄), where p̄ = ΣNp / ΣN is the mean rate (W. Hoeffding, <i>On the distribution of
 * the number of successes in independent trials</i>, 1956, theorem 4). The test uses the
 * distribution Binomial(ΣN, p̄). The test is exact if all filters have the same rate. If not, the
 * probability of a false alarm is at most the significance level α = {@value
 * StatisticalResult#ALPHA}.
 *
 * <p>Query no element twice, not even in two filters: two queries of the same element are not
 * independent.
 */
public final class RateTest {

  private long queries;
  private long positives;
  private double expected;

  /**
   * Adds the results of queries of one filter. The filter must not change between these queries.
   *
   * @param queries the number of queries of elements that were never added
   * @param positives how many of these queries were positive
   * @param rate the {@code expectedFpp()} of the filter at the time of the queries
   * @return this
   * @throws IllegalArgumentException if {@code positives} is not in [0, {@code queries}] or {@code
   *     rate} is not in [0, 1]
   */
  public RateTest record(long queries, long positives, double rate) {
    if (positives < 0 || positives > queries) {
      throw new IllegalArgumentException(
          "positives must be in [0, queries], got " + positives + " of " + queries);
    }
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException("rate must be in [0, 1], got " + rate);
    }
    this.queries += queries;
    this.positives += positives;
    this.expected += queries * rate;
    return this;
  }

  /**
   * Returns the result of the two-sided test of all query results so far. The power is the smaller
   * of the exact probabilities of detecting the rates p̄ · 0.9 and p̄ · 1.1. If p̄ · 1.1 is above
   * 1, only p̄ · 0.9 counts.
   *
   * @param claim what is tested, for the message
   */
  public StatisticalResult result(String claim) {
    double meanRate = queries == 0 ? 0 : Math.min(1, expected / queries);
    Binomial law = new Binomial(queries, meanRate);
    return new StatisticalResult(
        claim,
        positives,
        expected,
        queries,
        law.twoSidedPValue(positives),
        law.powerToTell(StatisticalResult.DEVIATION, StatisticalResult.ALPHA));
  }
}
