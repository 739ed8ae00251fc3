package io.bloomkit.testkit.stat;

import java.util.Locale;

/**
 * The result of a statistical test. {@link RateTest} and {@link FillTest} are two-sided tests with
 * the significance level α = {@value #ALPHA}. If a hundred such tests use new random seeds, the
 * probability of a false alarm in any of them is at most 10<sup>-6</sup>.
 *
 * @param claim what is tested, for the message
 * @param observed the observed statistic
 * @param expected the mean of the statistic if the claim holds
 * @param sampleSize the number of independent observations
 * @param pValue the probability, if the claim holds, of a statistic at least as extreme as the
 *     observed one, or an upper bound of this probability
 * @param power the probability that the test detects a deviation by a tenth; the method that
 *     returns the result documents which quantity deviates
 */
public record StatisticalResult(
    String claim, double observed, double expected, long sampleSize, double pValue, double power) {

  /** The significance level α: a test rejects a true claim with at most this probability. */
  public static final double ALPHA = 1e-8;

  /** The power for which the tests choose their sample size. */
  public static final double POWER = 0.99;

  /** The relative deviation for which the power is stated. */
  public static final double DEVIATION = 0.1;

  /**
   * Returns whether the test rejects the claim, which means that the p-value is below {@link
   * #ALPHA}.
   */
  public boolean isRejected() {
    return pValue < ALPHA;
  }

  /**
   * Checks that the claim is not {@linkplain #isRejected rejected}.
   *
   * @throws AssertionError if the claim is rejected; the message is {@link #toString()}
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
