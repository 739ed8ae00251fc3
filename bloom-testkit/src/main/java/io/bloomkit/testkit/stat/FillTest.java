package io.bloomkit.testkit.stat;

import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.special.Erf;

/**
 * The first step of testing the false-positive rate of a filter. It tests whether the number X of
 * set positions (set bits or non-zero counters) has the {@linkplain FillDistribution distribution}
 * of an ideal hash. {@link RateTest} is the second step: it tests the results of queries.
 *
 * <p>Use {@link #ofTotals} for filters of a hundred elements or more. {@code ofTotals} compares the
 * sum of X over all filters with the exact mean and variance of this sum, by the normal
 * approximation. Use {@link #ofLaw} for filters of up to ten elements, because the normal
 * approximation fails for them. {@code ofLaw} compares the whole distribution of X with {@link
 * FillDistribution#distribution}.
 *
 * <p>{@code ofLaw} also suits {@linkplain io.bloomkit.Shape flat} filters of 11 to 99 elements. For
 * {@linkplain io.bloomkit.BlockedShape blocked} filters of 11 to 99 elements, neither method is
 * verified. Both methods have the significance level α = {@value StatisticalResult#ALPHA}.
 */
public final class FillTest {

  private static final double MIN_EXPECTATION = 5;

  private FillTest() {}

  /**
   * Returns the number of filters that {@link #ofTotals} needs for a power of 0.99.
   *
   * @param law the distribution of X for these filters
   * @param elements n, the number of distinct elements added to each filter
   */
  public static int filtersForTotals(FillDistribution law, long elements) {
    NormalDistribution normal = standardNormal();
    double deviations =
        -normal.inverseCumulativeProbability(StatisticalResult.ALPHA / 2)
            + normal.inverseCumulativeProbability(StatisticalResult.POWER);
    double ratio = deviations * deviationOf(law, elements) / shiftToTell(law, elements);
    return (int) Math.max(1, Math.ceil(ratio * ratio));
  }

  /**
   * Tests the sum of X over filters with different elements. The test is two-sided and uses the
   * normal approximation with {@link FillDistribution#mean} and {@link FillDistribution#variance}.
   * The power is the probability that the test detects a mean of X that raises the false-positive
   * rate by a tenth. For a flat filter of m positions and k positions per element, this rate is
   * (X/m)<sup>k</sup>.
   *
   * @param law the distribution of X for these filters
   * @param elements n, the number of distinct elements added to each filter
   * @param setPositions X of each filter; at least one value
   */
  public static StatisticalResult ofTotals(
      FillDistribution law, long elements, long[] setPositions) {
    double filters = setPositions.length;
    double expected = filters * law.mean(elements);
    double deviation = Math.sqrt(filters) * deviationOf(law, elements);
    double observed = Arrays.stream(setPositions).asDoubleStream().sum();
    double distance = Math.abs(observed - expected);
    // If X cannot vary, the deviation is 0, and the two differ only by rounding.
    double pValue =
        deviation == 0
            ? (distance <= 1e-9 * expected ? 1 : 0)
            : Erf.erfc(distance / deviation / Math.sqrt(2));
    NormalDistribution normal = standardNormal();
    double critical = -normal.inverseCumulativeProbability(StatisticalResult.ALPHA / 2);
    double power =
        deviation == 0
            ? 1
            : normal.cumulativeProbability(
                filters * shiftToTell(law, elements) / deviation - critical);
    return new StatisticalResult(
        "set positions after " + elements + " elements in " + law,
        observed,
        expected,
        setPositions.length,
        pValue,
        power);
  }

  /**
   * Returns the number of filters that {@link #ofLaw} needs for a power of 0.99.
   *
   * @param law the distribution of X for these filters; flat filters may have at most
   *     2<sup>31</sup> − 1 positions
   * @param elements n, the number of distinct elements added to each filter
   */
  public static int filtersForLaw(FillDistribution law, long elements) {
    double[] distribution = law.distribution(elements);
    double mostProbable = Arrays.stream(distribution).max().orElseThrow();
    return Math.toIntExact(
        Binomial.trialsToTell(
            mostProbable,
            StatisticalResult.DEVIATION,
            StatisticalResult.ALPHA / distribution.length,
            StatisticalResult.POWER));
  }

  /**
   * Tests X of many filters with different elements against {@link FillDistribution#distribution}.
   * For each value x, the number of filters with X = x has a binomial distribution with probability
   * P(X = x). The test computes the exact two-sided p-value for each x. The p-value of the result
   * is the smallest of these p-values times the number of values x (Bonferroni), at most 1. At each
   * end of the distribution, the test combines rare values of X into one value, which at least five
   * filters are expected to have. If a filter has an impossible X, the p-value is 0.
   *
   * <p>The statistic of the result is the number of filters with the value of X that has the
   * smallest p-value. If a filter has an impossible X, the statistic is the number of such filters.
   * The power is the probability that the test detects a deviation of P(X = x) by a tenth, up or
   * down, for the most probable value x.
   *
   * @param law the distribution of X for these filters; flat filters may have at most
   *     2<sup>31</sup> − 1 positions
   * @param elements n, the number of distinct elements added to each filter
   * @param setPositions X of each filter; at least one value
   */
  public static StatisticalResult ofLaw(FillDistribution law, long elements, long[] setPositions) {
    double[] distribution = law.distribution(elements);
    long filters = setPositions.length;
    int first = firstCell(distribution, filters);
    int last = lastCell(distribution, filters, first);
    long[] counts = new long[last - first + 1];
    long impossible = 0;
    for (long x : setPositions) {
      if (x < 0 || x >= distribution.length || distribution[(int) x] == 0) {
        impossible++;
      } else {
        counts[(int) Math.max(first, Math.min(last, x)) - first]++;
      }
    }
    String name = "filters by their set positions after " + elements + " elements in " + law;
    if (impossible > 0) {
      return new StatisticalResult(
          name + ", those with an impossible number", impossible, 0, filters, 0, 1);
    }
    double smallest = 2;
    int furthest = first;
    double greatest = 0;
    for (int x = first; x <= last; x++) {
      double probability = cell(distribution, first, last, x);
      greatest = Math.max(greatest, probability);
      double pValue = new Binomial(filters, probability).twoSidedPValue(counts[x - first]);
      if (pValue < smallest) {
        smallest = pValue;
        furthest = x;
      }
    }
    return new StatisticalResult(
        name + ", those with " + furthest,
        counts[furthest - first],
        filters * cell(distribution, first, last, furthest),
        filters,
        Math.min(1, smallest * counts.length),
        new Binomial(filters, greatest)
            .powerToTell(StatisticalResult.DEVIATION, StatisticalResult.ALPHA / counts.length));
  }

  private static int firstCell(double[] law, long filters) {
    int first = 0;
    for (double sum = law[0]; first < law.length - 1 && filters * sum < MIN_EXPECTATION; ) {
      sum += law[++first];
    }
    return first;
  }

  private static int lastCell(double[] law, long filters, int first) {
    int last = law.length - 1;
    for (double sum = law[last]; last > first && filters * sum < MIN_EXPECTATION; ) {
      sum += law[--last];
    }
    return last;
  }

  /** Returns P(X = x); for the first and the last x, the probability of the whole tail. */
  private static double cell(double[] law, int first, int last, int x) {
    int from = x == first ? 0 : x;
    int to = x == last ? law.length : x + 1;
    return Math.min(1, Arrays.stream(law, from, to).sum());
  }

  private static double deviationOf(FillDistribution law, long elements) {
    return Math.sqrt(law.variance(elements));
  }

  /**
   * Returns by how much the mean of X is higher when (X/m)^k is a tenth higher; for a tenth lower,
   * the difference would be larger. The rate of blocked filters is proportional to the same power
   * of a common factor of all fills.
   */
  private static double shiftToTell(FillDistribution law, long elements) {
    return law.mean(elements)
        * StrictMath.expm1(StrictMath.log1p(StatisticalResult.DEVIATION) / law.hashes());
  }

  private static NormalDistribution standardNormal() {
    return new NormalDistribution(null, 0, 1);
  }
}
