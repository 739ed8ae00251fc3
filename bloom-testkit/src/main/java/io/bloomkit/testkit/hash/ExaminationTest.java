package io.bloomkit.testkit.hash;

import java.util.Locale;

/**
 * One test of an {@linkplain HashStrategyExamination examination}, with all that is needed to judge
 * it. What is certain and not statistical (an element has one hash) has the p-value 0 or 1 and an α
 * of 0.
 *
 * @param name a short name, unique in a report: "avalanche", "rate in classic"
 * @param question what is asked, in a sentence
 * @param source where the question or its test is from
 * @param measured what the statistic is, and where it was furthest out
 * @param statistic the statistic
 * @param expected its mean, or its bound, if the strategy is fit
 * @param sampleSize how many observations went into it
 * @param pValue the probability of a statistic at least as far out if the hash were ideal; where a
 *     question takes many tests, the smallest p-value times their number (Bonferroni), at most 1
 * @param alpha α: a p-value below it is a finding
 * @param power the probability that the test finds the alternative
 * @param alternative the fault against which the power is stated
 * @param verdict {@link Verdict#FIT} or {@link Verdict#INCONCLUSIVE} if nothing was found
 * @param meaning in plain words, what the answer means for false positives
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

  /** Returns whether nothing was found; too few keys to find it are no failure. */
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
