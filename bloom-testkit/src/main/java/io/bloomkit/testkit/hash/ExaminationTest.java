package io.bloomkit.testkit.hash;

import java.util.Locale;

/**
 * One test of an {@linkplain HashStrategyExamination examination}, with all figures that support
 * its verdict. A test that is not statistical, such as that equal elements have equal hashes, has
 * p-value 0 or 1 and α = 0.
 *
 * @param name a short name, unique in a report: "avalanche", "rate in classic"
 * @param question the question that the test answers, a sentence
 * @param source the literature of the question or its test
 * @param measured a description of the statistic, and where it was most extreme
 * @param statistic the statistic
 * @param expected its mean or its bound for an ideal hash
 * @param sampleSize the number of observations
 * @param pValue the probability of a statistic at least as extreme for an ideal hash; for several
 *     tests the smallest p-value times their number (Bonferroni), at most 1
 * @param alpha the significance level: a p-value below it is a finding
 * @param power the probability that the test detects the alternative
 * @param alternative the fault against which the power is stated
 * @param verdict {@link Verdict#FIT} or {@link Verdict#INCONCLUSIVE} if no fault was found
 * @param meaning what the result means for false positives, in plain words
 */
public record ExaminationTest(
    String name,
    String question,
    String source,
    String measured,
    double statistic,
    double expected,
    long sampleSize,
    double pValue,
    double alpha,
    double power,
    String alternative,
    Verdict verdict,
    String meaning) {

  /** Returns whether no fault was found; too few keys are not a failure. */
  public boolean passed() {
    return !verdict.isFinding();
  }

  /**
   * Does nothing if this test passed.
   *
   * @throws AssertionError with {@link #toString()} as its message if it did not
   */
  public void assertPassed() {
    if (!passed()) {
      throw new AssertionError(toString());
    }
  }

  /** Returns a few lines with all figures. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s: %s. %s%n  %s: %.6g, expected %.6g, from %d observations; p-value %.3g, alpha %.1e,"
            + " power %.3f to tell %s%n  %s%n  Source: %s",
        name,
        verdict,
        question,
        measured,
        statistic,
        expected,
        sampleSize,
        pValue,
        alpha,
        power,
        alternative,
        meaning,
        source);
  }
}
