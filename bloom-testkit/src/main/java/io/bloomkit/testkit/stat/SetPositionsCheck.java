package io.bloomkit.testkit.stat;

import java.util.Arrays;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.apache.commons.math3.special.Erf;

/**
 * The first step of testing the rate of a filter: is the number X of its set positions distributed
 * as its {@linkplain SetPositionsLaw law} says? {@link AnswersCheck} is the second.
 *
 * <p>For a hundred elements or more, {@link #ofTotals} compares a sum over filters with its exact
 * mean and variance. For fewer, where the normal approximation fails, {@link #ofLaw} compares the
 * whole distribution with the exact one.
 */
public final class SetPositionsCheck {

  private static final double LEAST_EXPECTATION = 5;

  private SetPositionsCheck() {}

  /**
   * Returns the number of filters that {@link #ofTotals} needs to detect, with power 0.99, a fill
   * that changes the rate by a tenth: 1 at a million elements, about 10 at a thousand.
   *
   * @param law the law of the filters
   * @param elements n, the number of distinct elements added to each filter
   */
  public static int filtersForTotals(SetPositionsLaw law, long elements) {
    NormalDistribution normal = standardNormal();
    double deviations =
        -normal.inverseCumulativeProbability(StatisticalResult.ALPHA / 2)
            + normal.inverseCumulativeProbability(StatisticalResult.POWER);
    double ratio = deviations * deviationOf(law, elements) / shiftToTell(law, elements);
    return (int) Math.max(1, Math.ceil(ratio * ratio));
  }

  /**
   * Tests the sum of X over independent filters against its normal approximation, from {@link
   * SetPositionsLaw#mean} and {@link SetPositionsLaw#variance}. Its power is that of detecting the
   * fill at which the rate, (X/m)<sup>k</sup> in a flat filter, is a tenth higher.
   *
   * @param law the law of the filters
   * @param elements n, the number of distinct elements added to each filter
   * @param setPositions X of each filter
   */
  public static StatisticalResult ofTotals(
      SetPositionsLaw law, long elements, long[] setPositions) {
    double filters = setPositions.length;
    double expected = filters * law.mean(elements);
    double deviation = Math.sqrt(filters) * deviationOf(law, elements);
    double observed = Arrays.stream(setPositions).asDoubleStream().sum();
    double distance = Math.abs(observed - expected);
    // Where X cannot vary the deviation is 0, and only rounding may set the two apart.
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
        "set positions after " + elements + " elements in " + law.shape(),
        observed,
        expected,
        setPositions.length,
        pValue,
        power);
  }

  /**
   * Returns the number of filters that {@link #ofLaw} needs to detect, with power 0.99, that the
   * probability of the most probable number of set positions is off by a tenth.
   *
   * @param law the law of the filters; flat ones may have at most 2<sup>31</sup> − 1 positions
   * @param elements n, the number of distinct elements added to each filter
   */
  public static int filtersForLaw(SetPositionsLaw law, long elements) {
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
   * Tests X over many independent small filters against {@link SetPositionsLaw#distribution}. The
   * number of filters with X = x is Binomial(filters, P(X = x)). Each of these counts is tested by
   * its exact tails, and the smallest p-value is multiplied by the number of tests (Bonferroni), so
   * α holds without approximation. Rare values at either end are pooled, so that five or more are
   * expected. The reported statistic is the most extreme count; the power is that of detecting that
   * the most probable count is off by a tenth.
   *
   * @param law the law of the filters; flat ones may have at most 2<sup>31</sup> − 1 positions
   * @param elements n, the number of distinct elements added to each filter
   * @param setPositions X of each filter
   */
  public static StatisticalResult ofLaw(SetPositionsLaw law, long elements, long[] setPositions) {
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
    String name =
        "filters by their set positions after " + elements + " elements in " + law.shape();
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
    for (double sum = law[0]; first < law.length - 1 && filters * sum < LEAST_EXPECTATION; ) {
      sum += law[++first];
    }
    return first;
  }

  private static int lastCell(double[] law, long filters, int first) {
    int last = law.length - 1;
    for (double sum = law[last]; last > first && filters * sum < LEAST_EXPECTATION; ) {
      sum += law[--last];
    }
    return last;
  }

  /** P(X = x), with all that lies further out at the first and the last. */
  private static double cell(double[] law, int first, int last, int x) {
    int from = x == first ? 0 : x;
    int to = x == last ? law.length : x + 1;
    return Math.min(1, Arrays.stream(law, from, to).sum());
  }

  private static double deviationOf(SetPositionsLaw law, long elements) {
    return Math.sqrt(law.variance(elements));
  }

  /**
   * How much more is set on average when (X/m)^k is a tenth higher; less than for a tenth lower.
   * The rate of blocks, too, goes with the power k of a factor that all fills have in common.
   */
  private static double shiftToTell(SetPositionsLaw law, long elements) {
    return law.mean(elements)
        * StrictMath.expm1(StrictMath.log1p(StatisticalResult.DEVIATION) / law.hashes());
  }

  private static NormalDistribution standardNormal() {
    return new NormalDistribution(null, 0, 1);
  }
}
