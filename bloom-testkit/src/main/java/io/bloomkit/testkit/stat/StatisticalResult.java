package io.bloomkit.testkit.stat;

import java.util.Locale;

/**
 * What a statistical test found. All tests of this package are two-sided at α = {@value #ALPHA}: a
 * suite of hundreds of them raises a false alarm less than once in 10<sup>5</sup> runs with new
 * seeds. Their power is that of telling a deviation of ±10 %.
 *
 * @param claim what was tested, for the message
 * @param observed the statistic
 * @param expected its mean if the claim holds
 * @param sampleSize how many independent observations went into it
 * @param pValue the probability of a statistic at least as far out if the claim holds
 * @param power the probability that this test notices a deviation of ±10 %, as the test defines it
 */
public record StatisticalResult(
    String claim, double observed, double expected, long sampleSize, double pValue, double power) {

  /** α: how often a test rejects what is true. */
  public static final double ALPHA = 1e-8;

  /** The power to aim for when a sample size is chosen. */
  public static final double POWER = 0.99;

  /** The relative deviation that a test is to notice. */
  public static final double DEVIATION = 0.1;

  /** Returns whether the claim is rejected: the p-value is below {@link #ALPHA}. */
  public boolean isRejected() {
    return pValue < ALPHA;
  }

  /**
   * Does nothing if the claim holds.
   *
   * @throws AssertionError with {@link #toString()} as its message if it is rejected
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
