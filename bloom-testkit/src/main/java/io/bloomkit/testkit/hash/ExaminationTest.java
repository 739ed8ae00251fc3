package io.bloomkit.testkit.hash;

import java.util.Locale;

/**
 * One test of an {@linkplain HashStrategyExamination examination}, with all figures that support
 * its verdict. Some tests are not statistical, such as the test that equal elements have equal
 * hashes. Such a test has an {@code alpha} of 0. Its {@code pValue} is 0 if it found a fault, and 1
 * otherwise.
 *
 * @param name a short name, such as "avalanche" or "rate in classic"
 * @param question the question that the test answers, as a sentence
 * @param source the literature on the question or on the test
 * @param measured a description of the statistic; if several were tested at once, the description
 *     also states which of them is the most extreme one, for example by naming a bit of the key and
 *     a bit of the hash
 * @param statistic the statistic
 * @param expected the mean of the statistic for an ideal hash, or an upper bound of that mean
 * @param sampleSize the number of observations
 * @param pValue the probability that an ideal hash has a statistic at least as extreme, or an upper
 *     bound of that probability. If several statistics are tested at once, {@code pValue} is the
 *     smallest of their p-values times the number of statistics (Bonferroni), at most 1.
 * @param alpha the significance level: a statistical test finds a fault if {@code pValue} is below
 *     {@code alpha}
 * @param power the probability that the test detects the fault named by {@code alternative}
 * @param alternative the fault for which the power is stated
 * @param verdict {@link Verdict#FIT} or {@link Verdict#INCONCLUSIVE} if no fault was found,
 *     otherwise {@link Verdict#WEAK} or {@link Verdict#UNFIT}
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

  /** Returns whether this test found no fault. Also true for {@link Verdict#INCONCLUSIVE}. */
  public boolean passed() {
    return !verdict.isFinding();
  }

  /**
   * Checks that this test {@linkplain #passed passed}.
   *
   * @throws AssertionError if a fault was found; the message is {@link #toString()}
   */
  public void assertPassed() {
    if (!passed()) {
      throw new AssertionError(toString());
    }
  }

  /** Returns four lines with all figures. */
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
