package io.bloomkit.testkit.stat;

import java.util.Locale;

/**
 * The result of a statistical test. {@link AnswersCheck} and {@link SetPositionsCheck} are
 * two-sided tests at α = {@value #ALPHA}: a suite of hundreds of them raises a false alarm less
 * than once in 10<sup>5</sup> runs with new seeds.
 *
 * @param claim the tested claim, for the message
 * @param observed the statistic
 * @param expected its mean if the claim holds
 * @param sampleSize the number of independent observations
 * @param pValue the probability of a statistic at least as extreme if the claim holds
 * @param power the probability that this test detects a deviation of ±10 %, as the test defines it
 */
public record StatisticalResult(
    String claim, double observed, double expected, long sampleSize, double pValue, double power) {

  /** The significance level α: a test rejects a true claim with at most this probability. */
  public static final double ALPHA = 1e-8;

  /** The power to aim for when a sample size is chosen. */
  public static final double POWER = 0.99;

  /** The relative deviation that a test should detect. */
  public static final double DEVIATION = 0.1;

  /** Returns whether the claim is rejected: the p-value is below {@link #ALPHA}. */
  public boolean isRejected() {
    return pValue < ALPHA;
  }

  /**
   * Does nothing if the claim is not {@linkplain #isRejected rejected}.
   *
   * @throws AssertionError with {@link #toString()} as its message if the claim is rejected
   */
  public void assertHolds() {
    if (isRejected()) {
      throw new AssertionError(toString());
    }
  }

  /** Returns one line with all figures. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s: observed %.8g, expected %.8g (%+.2f %%) from %d observations;"
            + " p-value %.3g, alpha %.0e, power %.3f to tell 10 %%",
        claim,
        observed,
        expected,
        expected == 0 ? 0 : 100 * (observed / expected - 1),
        sampleSize,
        pValue,
        ALPHA,
        power);
  }
}
