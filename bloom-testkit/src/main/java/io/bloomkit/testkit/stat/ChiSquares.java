package io.bloomkit.testkit.stat;

import java.util.Arrays;
import java.util.Locale;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.special.Gamma;

/**
 * A collection of Pearson's chi-square tests (1900). Each test compares the numbers of observations
 * in several cells (classes) with a distribution, usually the uniform one. The p-value of the
 * collection is the smallest two-sided p-value times the number of tests (Bonferroni), so the tests
 * need not be independent.
 *
 * <p>The p-value of a test is twice the smaller tail probability of the chi-square distribution.
 * The tail probabilities are values of the regularized incomplete gamma functions P and Q (M.
 * Abramowitz, I. Stegun, <i>Handbook of mathematical functions</i>, 26.4.19). The p-values are
 * approximate, because the distribution of the statistic is only approximately chi-square. The
 * approximation requires an expected number of at least {@value #MIN_EXPECTATION} observations in
 * every cell. The methods {@code add} do not check this; {@link #suits} checks it for equally
 * likely cells.
 */
public final class ChiSquares {

  /** The least expected number of observations in a cell for the chi-square approximation. */
  static final int MIN_EXPECTATION = 64;

  /** The fault to detect: half of the cells have a tenth more, the other half a tenth less. */
  private static final double UNEVEN = 0.1;

  private int tests;
  private int maxCells;
  private double smallest = 2;
  private String furthest = "";
  private double statistic;
  private int degrees;
  private long observations;

  /**
   * Returns whether a number of observations is enough to {@linkplain #add(String, int[], long)
   * test} that cells are equally likely.
   */
  public static boolean suits(int cells, long observations) {
    return observations >= (long) MIN_EXPECTATION * cells;
  }

  /**
   * Adds a test that all cells are equally likely.
   *
   * @param name the name of the test, for {@link MultipleTestResult#measured}
   * @param counts the number of observations in each cell; at least two cells
   * @param observed the sum of the counts
   */
  public void add(String name, int[] counts, long observed) {
    add(name, counts, equalShares(counts.length), observed);
  }

  /**
   * Adds a test that cells have given probabilities.
   *
   * @param name the name of the test, for {@link MultipleTestResult#measured}
   * @param counts the number of observations in each cell; at least two cells
   * @param shares the probability of each cell, above 0; their sum is 1
   * @param observed the sum of the counts
   */
  public void add(String name, int[] counts, double[] shares, long observed) {
    tests++;
    maxCells = Math.max(maxCells, counts.length);
    double x = statistic(counts, shares, observed);
    double pValue = twoSidedPValue(x, counts.length - 1);
    if (pValue < smallest) {
      smallest = pValue;
      furthest = name;
      statistic = x;
      degrees = counts.length - 1;
      observations = observed;
    }
  }

  /** Returns whether no test was added. */
  public boolean isEmpty() {
    return tests == 0;
  }

  /**
   * Returns the smallest p-value times the number of tests, at most 1. Returns 1 if no test was
   * added.
   */
  public double pValue() {
    return isEmpty() ? 1 : Math.min(1, smallest * tests);
  }

  /**
   * Returns the figures of the test with the smallest p-value. The p-value in the result is that of
   * the collection, {@link #pValue()}. The power is the probability of detecting that half of the
   * cells have a tenth more observations than expected and the other half a tenth fewer. The power
   * is computed by the normal approximation of the noncentral chi-square distribution from two
   * numbers: the number of observations in the test with the smallest p-value, and the number of
   * cells in the test that has the most cells. Call this method only if the collection is not
   * {@linkplain #isEmpty empty}.
   *
   * @param alpha the significance level of all tests together
   */
  public MultipleTestResult result(double alpha) {
    return new MultipleTestResult(
        String.format(
            Locale.ROOT,
            "chi-square of %d cells, furthest out of %d: %s",
            degrees + 1,
            tests,
            furthest),
        statistic,
        degrees,
        observations,
        pValue(),
        power(observations, maxCells, alpha / tests),
        "half of the cells with a tenth more keys, half with a tenth less");
  }

  private static double[] equalShares(int cells) {
    double[] shares = new double[cells];
    Arrays.fill(shares, 1.0 / cells);
    return shares;
  }

  static double statistic(int[] counts, double[] shares, long observed) {
    double sum = 0;
    for (int cell = 0; cell < counts.length; cell++) {
      double expected = observed * shares[cell];
      sum += (counts[cell] - expected) * (counts[cell] - expected) / expected;
    }
    return sum;
  }

  /** Returns twice the smaller tail, at most 1. */
  static double twoSidedPValue(double x, int degrees) {
    return Math.min(1, 2 * Math.min(lowerTail(x, degrees), upperTail(x, degrees)));
  }

  static double upperTail(double x, int degrees) {
    double a = degrees / 2.0;
    double y = x / 2;
    // Far out, the tail is below any double, and the continued fraction would overflow.
    double logOfDensity = a * Math.log(y) - y - Gamma.logGamma(a);
    return y > a && logOfDensity < Math.log(Double.MIN_VALUE) ? 0 : Gamma.regularizedGammaQ(a, y);
  }

  private static double lowerTail(double x, int degrees) {
    return 1 - upperTail(x, degrees) > 0.5
        ? 1 - upperTail(x, degrees)
        : Gamma.regularizedGammaP(degrees / 2.0, x / 2);
  }

  /**
   * Returns the power by the normal approximation of the noncentral chi-square distribution, with
   * mean c − 1 + λ and variance 2(c − 1 + 2λ).
   */
  private static double power(long observed, int cells, double alpha) {
    int degrees = cells - 1;
    double noncentrality = observed * UNEVEN * UNEVEN;
    double critical = criticalValue(degrees, alpha / 2);
    return new NormalDistribution(null, 0, 1)
        .cumulativeProbability(
            (degrees + noncentrality - critical) / Math.sqrt(2 * (degrees + 2 * noncentrality)));
  }

  private static double criticalValue(int degrees, double alpha) {
    return Binomial.whereItHolds(degrees, 2.0 * degrees + 1000, x -> upperTail(x, degrees) < alpha);
  }
}
