package io.bloomkit.testkit.stat;

/**
 * The second step of testing a rate: are queries of elements that were never added positive as
 * often as the filter states for its present contents?
 *
 * <p>The fill alone makes the rate of one filter vary by 12 % at a hundred elements, so the answers
 * are compared with the rate <i>given the state</i> ({@code expectedFpp()}), and {@link
 * SetPositionsCheck} looks at the state.
 *
 * <p>One filter gives Binomial(N, p). Several filters with rates of their own give a sum of
 * binomials, whose tails further than 1 from its mean are at most those of Binomial(ΣN, p̄) with
 * the mean rate p̄ = ΣNp / ΣN (W. Hoeffding, <i>On the distribution of the number of successes in
 * independent trials</i>, 1956, theorem 4). So the pooled test takes that binomial: it is exact for
 * one rate, and its probability of a false alarm is at most α for several.
 *
 * <p>Every query must be of a new element: two queries of the same one, even in two filters, are
 * not independent.
 */
public final class AnswersCheck {

  private long queries;
  private long positives;
  private double expected;

  /**
   * Adds the answers of one filter in one state.
   *
   * @param queries the number of queries of elements that were never added
   * @param positives the number of positive ones among them
   * @param rate its {@code expectedFpp()} at that time
   * @return this
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public AnswersCheck record(long queries, long positives, double rate) {
    if (positives < 0 || positives > queries) {
      throw new IllegalArgumentException(
          "positives must lie in [0, queries] but is " + positives + " of " + queries);
    }
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException("rate must lie in [0, 1] but is " + rate);
    }
    this.queries += queries;
    this.positives += positives;
    this.expected += queries * rate;
    return this;
  }

  /**
   * Returns the result of all answers so far, with the exact power against p̄ · (1 ± 0.1).
   *
   * @param claim the tested claim, for the message
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
