package io.bloomkit.testkit.stat;

/**
 * The result of a test of many statistics at once, which is decided by the most extreme statistic.
 *
 * @param measured a description of the statistic and of the place where it was most extreme
 * @param statistic the most extreme statistic
 * @param expected the mean that this one statistic has if the tested claim holds, or an upper bound
 *     of that mean
 * @param sampleSize the number of observations from which this statistic was computed
 * @param pValue the probability that any of the statistics is at least as extreme as this one if
 *     the claim holds, or an upper bound of that probability
 * @param power the probability that the test detects the fault named by {@code alternative}
 * @param alternative the fault to detect, in words
 */
public record MultipleTestResult(
    String measured,
    double statistic,
    double expected,
    long sampleSize,
    double pValue,
    double power,
    String alternative) {}
