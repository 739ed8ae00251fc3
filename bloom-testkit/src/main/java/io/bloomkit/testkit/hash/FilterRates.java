package io.bloomkit.testkit.hash;

import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.FillTest;
import io.bloomkit.testkit.stat.MultipleTestResult;
import io.bloomkit.testkit.stat.StatisticalResult;
import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;

/**
 * Tests the false-positive rate of filters with a strategy, in three parts:
 *
 * <ul>
 *   <li>In models, the fill is compared with its exact mean and variance.
 *   <li>The answers are compared with the rate given the state, by exact binomial tails.
 *   <li>The rate is at most a tenth above the planned one. If not, the strategy is unfit. The
 *       tolerance is a tenth, because the random fill alone makes the rate of a filter of this size
 *       vary by 1 %.
 * </ul>
 *
 * <p>A random sixteenth of the keys is added; all others are queried.
 */
final class FilterRates {

  /** The planned rate: the highest of a cuckoo filter, so the tests need the fewest keys. */
  static final double FPP = 0.03;

  /** One key in this number is added. */
  static final int ADDED = 16;

  /** With fewer elements, the normal approximation of the fill fails. */
  private static final int MIN_ELEMENTS_FOR_FILL = 100;

  /** A growing filter is created for the elements divided by this, so it has several layers. */
  private static final int GROWTH = 10;

  /**
   * The largest assumed ratio of the rate given the state to the planned rate. It is more than five
   * standard deviations of the fill of a filter with a sixteenth of about 250,000 keys.
   */
  private static final double VARIATION = 1.05;

  /** The number of p-values: fill, answers, and the limit of the rate. */
  private static final int STEPS = 3;

  private final long[] added;
  private final long[] queried;
  private final double alpha;
  private double highestRate = FPP;

  FilterRates(long[] hashes, int[] places, double alphaOfFilter) {
    int elements = Math.max(1, places.length / ADDED);
    added = new long[elements];
    queried = new long[places.length - elements];
    for (int i = 0; i < places.length; i++) {
      if (i < elements) {
        added[i] = hashes[places[i]];
      } else {
        queried[i - elements] = hashes[places[i]];
      }
    }
    alpha = alphaOfFilter;
  }

  /** Returns all installed kinds of filters with insertions. */
  static List<FilterKind> installed() {
    return FilterKind.installed().stream()
        .filter(kind -> !kind.is(FilterKind.Trait.EXPIRING))
        .toList();
  }

  /** Returns the number of elements that the filters are planned for and filled with. */
  int elements() {
    return added.length;
  }

  ExaminationTest ofModel(FilterModel model) {
    for (long hash : added) {
      model.add(hash);
    }
    double fill = 1;
    String fillShown = "";
    if (added.length >= MIN_ELEMENTS_FOR_FILL) {
      StatisticalResult result =
          FillTest.ofTotals(model.law(), added.length, new long[] {model.setPositions()});
      fill = result.pValue();
      fillShown =
          String.format(
              Locale.ROOT,
              "%.0f positions set, expected %.0f, and ",
              result.observed(),
              result.expected());
    }
    return test(model.label(), fillShown, fill, model.rateOfState(), model::mightContain);
  }

  <T> ExaminationTest of(FilterKind kind, HashStrategy<? super T> strategy) {
    int begin = kind.is(FilterKind.Trait.GROWING) ? 1 + (added.length - 1) / GROWTH : added.length;
    InsertableFilter<T> filter = (InsertableFilter<T>) kind.<T>create(strategy, begin, FPP);
    filter.addHashes(added, 0, added.length);
    return test(kind.label(), "", 1, filter.expectedFpp(), filter::mightContainHash);
  }

  private ExaminationTest test(
      String label, String fillShown, double fill, double rate, LongPredicate filter) {
    long positives = 0;
    for (long hash : queried) {
      positives += filter.test(hash) ? 1 : 0;
    }
    highestRate = Math.max(highestRate, rate);
    Binomial given = new Binomial(queried.length, rate);
    double answers = given.twoSidedPValue(positives);
    Binomial maxPromised = new Binomial(queried.length, (1 + StatisticalResult.DEVIATION) * FPP);
    double promise = maxPromised.upperTail(positives);
    double pValue = Math.min(1, STEPS * Math.min(fill, Math.min(answers, promise)));
    boolean breaksPromise = STEPS * promise < alpha;
    double measured = (double) positives / queried.length;
    return HashTest.RATE.statistical(
        HashTest.RATE.label() + " " + label,
        new MultipleTestResult(
            fillShown + "false-positive rate, made for " + FPP,
            measured,
            rate,
            queried.length,
            pValue,
            power(queried.length, rate, alpha),
            "a rate that is off by a tenth of " + FPP),
        alpha,
        breaksPromise ? Verdict.UNFIT : Verdict.WEAK,
        String.format(
            Locale.ROOT,
            breaksPromise
                ? "A filter planned for a rate of %.1f %% has a rate of %.2f %% on these keys."
                : "A filter planned for a rate of %.1f %% has a rate of %.2f %%. That is not too"
                    + " high, but not what its formulas predict, so at another size it may be too"
                    + " high.",
            100 * FPP,
            100 * measured));
  }

  /** Returns the power to detect that the rate given the state is off by a tenth of the planned. */
  private static double power(long queries, double rate, double alpha) {
    double shift = StatisticalResult.DEVIATION * FPP;
    if (!(rate > shift)) {
      return new Binomial(queries, rate).power(rate + shift, alpha / STEPS);
    }
    return new Binomial(queries, rate).powerToTell(Math.min(1, shift / rate), alpha / STEPS);
  }

  /**
   * Returns the number of keys needed to detect a deviation of a tenth in every filter tested. That
   * a filter has a higher rate than planned shows only with many elements.
   */
  int keysNeeded() {
    int needed = keysNeeded(FPP);
    return added.length + queried.length < needed ? needed : keysNeeded(highestRate);
  }

  private int keysNeeded(double rate) {
    return SampleSize.smallest(
        n ->
            power(n - Math.max(1, n / ADDED), VARIATION * rate, alpha)
                >= HashStrategyExamination.POWER);
  }
}
