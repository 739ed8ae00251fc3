package io.bloomkit.testkit.stat;

/**
 * The result of testing many statistics at once; the most extreme one decides.
 *
 * @param measured a description of the statistic, and where it was most extreme
 * @param statistic the most extreme statistic
 * @param expected the mean of the statistic if the claim holds
 * @param sampleSize the number of observations
 * @param pValue the probability of a statistic at least as extreme if the claim holds
 * @param power the probability that the alternative is detected
 * @param alternative the fault to detect, in words
 */
public record Evidence(
    String measured,
    double statistic,
    double expected,
    long sampleSize,
    double pValue,
    double power,
    String alternative) {}
