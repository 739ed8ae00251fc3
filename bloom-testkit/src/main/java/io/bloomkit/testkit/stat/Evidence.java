package io.bloomkit.testkit.stat;

/**
 * The figures of a test of many statistics at once, of which the one furthest out decides.
 *
 * @param measured what the statistic is, and where it was furthest out
 * @param statistic the statistic furthest out
 * @param expected its mean if the claim holds
 * @param sampleSize how many observations went into it
 * @param pValue the probability of a statistic at least as far out if the claim holds
 * @param power the probability that the fault named by the alternative is found
 * @param alternative the fault to find, in words
 */
public record Evidence(
    String measured,
    double statistic,
    double expected,
    long sampleSize,
    double pValue,
    double power,
    String alternative) {}
