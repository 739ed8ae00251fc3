package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.MembershipFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.ContractSeeds;
import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.RateTest;
import io.bloomkit.testkit.stat.StatisticalResult;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.junit.jupiter.api.DynamicTest;

/** The experiments of {@link AgingFilterContract} on the rate of filters of one window. */
final class AgingRateRun<T, F extends MembershipFilter<T>> {

  private static final double[] RATES = {0.03, 0.01};

  /** This takes seven million queries to tell a tenth, so one window must do. */
  private static final double LOW_RATE = 0.001;

  private static final long LOW_RATE_WINDOW = 1000;
  private static final long[] WINDOWS = {1, 10, 100, 1000, 100_000};
  private static final long[] STREAM_WINDOWS = {1, 30, 1000};

  /** At how many moments of its cycle a filter is looked at. */
  private static final int MOMENTS = 20;

  /** How many elements the windows of one test hold in all, so that many states take part. */
  private static final long ELEMENTS_IN_ALL = 20_000;

  private static final long MOST_FILTERS = 100;

  /** A one-sided normal test at this distance has an α of 1e-9. */
  private static final double STANDARD_ERRORS = 6;

  private final AgingFilterContract<T, F> contract;
  private final F filter;
  private final HashStrategy<? super T> strategy;
  private final long window;
  private final double fpp;
  private final long[] gaps = new long[MOMENTS];
  private long nextIndex;

  private AgingRateRun(AgingFilterContract<T, F> contract, long window, double fpp) {
    this.contract = contract;
    this.filter = contract.newFilter(window, fpp);
    this.strategy = filter.strategy();
    this.window = window;
    this.fpp = fpp;
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY);
    for (int i = 0; i < MOMENTS; i++) {
      gaps[i] = 1 + random.nextLong(1 + window / 4);
    }
  }

  static <T, F extends MembershipFilter<T>> Stream<DynamicTest> cases(
      AgingFilterContract<T, F> contract, Consumer<AgingRateRun<T, F>> experiment) {
    return DoubleStream.of(RATES)
        .boxed()
        .flatMap(fpp -> LongStream.of(WINDOWS).mapToObj(n -> test(contract, n, fpp, experiment)));
  }

  static <T, F extends MembershipFilter<T>> Stream<DynamicTest> lowRate(
      AgingFilterContract<T, F> contract, Consumer<AgingRateRun<T, F>> experiment) {
    return Stream.of(test(contract, LOW_RATE_WINDOW, LOW_RATE, experiment));
  }

  static <T, F extends MembershipFilter<T>> Stream<DynamicTest> streams(
      AgingFilterContract<T, F> contract, Consumer<AgingRateRun<T, F>> experiment) {
    return LongStream.of(STREAM_WINDOWS).mapToObj(n -> test(contract, n, RATES[0], experiment));
  }

  private static <T, F extends MembershipFilter<T>> DynamicTest test(
      AgingFilterContract<T, F> contract,
      long window,
      double fpp,
      Consumer<AgingRateRun<T, F>> experiment) {
    return DynamicTest.dynamicTest(
        String.format(Locale.ROOT, "window = %d, fpp = %s", window, fpp),
        () -> experiment.accept(new AgingRateRun<>(contract, window, fpp)));
  }

  void theRateIsThePlannedOne() {
    SummaryStatistics[] rates = ratesAtMoments();
    for (int i = 0; i < MOMENTS; i++) {
      SummaryStatistics rate = rates[i];
      double error =
          rate.getN() == 1 ? 0 : rate.getStandardDeviation() / Math.sqrt((double) rate.getN());
      String message =
          String.format(
              Locale.ROOT,
              "%d filters for the last %d at %s have a mean expectedFpp of %.4g with a standard"
                  + " error of %.2g at moment %d",
              rate.getN(),
              window,
              fpp,
              rate.getMean(),
              error,
              i);
      assertTrue(
          rate.getMean() - STANDARD_ERRORS * error <= (1 + StatisticalResult.DEVIATION) * fpp,
          message);
    }
  }

  private SummaryStatistics[] ratesAtMoments() {
    SummaryStatistics[] rates = new SummaryStatistics[MOMENTS];
    Arrays.setAll(rates, i -> new SummaryStatistics());
    for (long left = filters(); left > 0; left--) {
      fill();
      for (int i = 0; i < MOMENTS; i++) {
        add(gaps[i]);
        rates[i].addValue(filter.expectedFpp());
      }
    }
    return rates;
  }

  void answersFollowTheState() {
    double sum = 0;
    for (SummaryStatistics rate : ratesAtMoments()) {
      sum += rate.getMean();
    }
    long looks = filters() * MOMENTS;
    long perLook = (queries(sum / MOMENTS) + looks - 1) / looks;
    RateTest check = new RateTest();
    for (long left = filters(); left > 0; left--) {
      fill();
      for (int i = 0; i < MOMENTS; i++) {
        add(gaps[i]);
        check.record(perLook, positive(perLook), filter.expectedFpp());
      }
    }
    check
        .result("absent elements positive by filters for the last " + window + " at " + fpp)
        .assertHolds();
  }

  void theForgottenFollowTheRateOfTheState() {
    long until = contract.additionsUntilForgotten(filter);
    assertTrue(until >= window, () -> "additionsUntilForgotten " + until + " of " + window);
    long first = nextIndex;
    add(2 * until);
    RateTest check = new RateTest();
    for (long left = queries(fpp); left > 0; left--) {
      boolean positive = filter.mightContain(contract.element(first++ + until - 1));
      check.record(1, positive ? 1 : 0, filter.expectedFpp());
      add(1);
    }
    check
        .result("forgotten elements positive by a filter for the last " + window + " at " + fpp)
        .assertHolds();
  }

  /**
   * How many queries tell a tenth at a rate; no more than twice those for the planned rate, since a
   * filter may be far better than that.
   */
  private long queries(double rate) {
    return Binomial.trialsToTell(
        Math.min(1, Math.max(rate, fpp / 2)),
        StatisticalResult.DEVIATION,
        StatisticalResult.ALPHA,
        StatisticalResult.POWER);
  }

  private long filters() {
    return Math.max(1, Math.min(MOST_FILTERS, ELEMENTS_IN_ALL / window));
  }

  /** From empty to the state in which as much is forgotten as is added. */
  private void fill() {
    contract.clear(filter);
    add(contract.additionsUntilForgotten(filter));
  }

  private void add(long elements) {
    for (long end = nextIndex + elements; nextIndex < end; nextIndex++) {
      contract.addHash(filter, strategy.hash(contract.element(nextIndex)));
    }
  }

  private long positive(long queries) {
    long positive = 0;
    for (long end = nextIndex + queries; nextIndex < end; nextIndex++) {
      positive += filter.mightContainHash(strategy.hash(contract.element(nextIndex))) ? 1 : 0;
    }
    return positive;
  }
}
