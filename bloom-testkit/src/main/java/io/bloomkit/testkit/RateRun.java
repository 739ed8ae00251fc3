package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.FillDistribution;
import io.bloomkit.testkit.stat.FillTest;
import io.bloomkit.testkit.stat.RateTest;
import io.bloomkit.testkit.stat.StatisticalResult;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.junit.jupiter.api.DynamicTest;

/**
 * The experiments of the rate contracts on filters of one size. One filter is cleared and filled
 * repeatedly, each time with new elements. This is equivalent to many filters but computes their
 * shape only once.
 */
final class RateRun<T, F extends InsertableFilter<T>> {

  private static final double[] RATES = {0.03, 0.01, 0.001};
  private static final long[] SIZES = {1, 2, 10, 100, 1000, 1_000_000};

  /** The total number of elements in the filters of one test, so it covers many states. */
  private static final long ELEMENTS_IN_ALL = 20_000;

  private static final long MAX_FILTERS = 2000;

  /** A test that adds and queries more elements than this takes seconds. */
  private static final long ELEMENTS_OF_A_SHORT_TEST = 1_500_000;

  /** The distance at which a one-sided normal test has α = 10<sup>-9</sup>. */
  private static final double STANDARD_ERRORS = 6;

  /** Up to this number of elements, the normal approximation of the fill fails. */
  private static final long LARGEST_BY_LAW = 10;

  private final FalsePositiveRateContract<T, F> contract;
  private final F filter;
  private final HashStrategy<? super T> strategy;
  private final long size;
  private final double fpp;
  private long nextIndex;

  private RateRun(FalsePositiveRateContract<T, F> contract, long size, double fpp) {
    this.contract = contract;
    this.filter = contract.newFilter(size, fpp);
    this.strategy = filter.strategy();
    this.size = size;
    this.fpp = fpp;
  }

  /** Returns a test per size and rate that runs an experiment, for the chosen ones. */
  static <T, F extends InsertableFilter<T>> Stream<DynamicTest> cases(
      FalsePositiveRateContract<T, F> contract,
      BiPredicate<Long, Double> choice,
      Consumer<RateRun<T, F>> experiment) {
    return DoubleStream.of(RATES)
        .boxed()
        .flatMap(
            fpp ->
                LongStream.of(SIZES)
                    .filter(n -> choice.test(n, fpp))
                    .mapToObj(
                        n ->
                            DynamicTest.dynamicTest(
                                String.format(Locale.ROOT, "n = %d, fpp = %s", n, fpp),
                                () -> experiment.accept(new RateRun<>(contract, n, fpp)))));
  }

  /** Returns whether a test of {@link #answersFollowTheState} takes few elements. */
  static boolean isShort(long size, double fpp) {
    return filters(size) * size + queries(fpp) <= ELEMENTS_OF_A_SHORT_TEST;
  }

  void theRateIsThePlannedOne() {
    contract
        .shape(filter)
        .ifPresentOrElse(this::theRateIsThePlannedOne, this::theMeanIsThePlannedOne);
  }

  private void theRateIsThePlannedOne(Shape shape) {
    double rate = shape.fpp(size);
    assertTrue(
        rate <= (1 + StatisticalResult.DEVIATION) * fpp,
        () -> shape + " has a rate of " + rate + " at " + size + " elements instead of " + fpp);
  }

  private void theMeanIsThePlannedOne() {
    SummaryStatistics rates = rates();
    double error =
        rates.getN() == 1 ? 0 : rates.getStandardDeviation() / Math.sqrt((double) rates.getN());
    assertTrue(
        rates.getMean() - STANDARD_ERRORS * error <= (1 + StatisticalResult.DEVIATION) * fpp,
        () ->
            String.format(
                Locale.ROOT,
                "%d filters for %d elements at %s have a mean expectedFpp of %.4g with a standard"
                    + " error of %.2g",
                rates.getN(),
                size,
                fpp,
                rates.getMean(),
                error));
  }

  void answersFollowTheState() {
    long filters = filters(size);
    // At most twice the queries for the planned rate, since a filter may have a far lower rate.
    long queries = queries(Math.max(rates().getMean(), fpp / 2));
    long perFilter = (queries + filters - 1) / filters;
    RateTest check = new RateTest();
    for (long i = 0; i < filters; i++) {
      if (filters > 1) { // a single one is full already
        fill();
      }
      check.record(perFilter, falsePositives(perFilter), filter.expectedFpp());
    }
    check.result("false positives of filters for " + size + " elements at " + fpp).assertHolds();
  }

  /** Returns the number of queries needed to detect a deviation of a tenth at a rate. */
  private static long queries(double rate) {
    return Binomial.trialsToTell(
        Math.min(1, rate),
        StatisticalResult.DEVIATION,
        StatisticalResult.ALPHA,
        StatisticalResult.POWER);
  }

  void setPositionsFollowTheirLaw() {
    FillDistribution law = FillDistribution.of(contract.shape(filter).orElseThrow());
    boolean byLaw = size <= LARGEST_BY_LAW;
    long[] observed =
        new long[byLaw ? FillTest.filtersForLaw(law, size) : FillTest.filtersForTotals(law, size)];
    for (int i = 0; i < observed.length; i++) {
      fill();
      observed[i] = contract.setPositions(filter);
    }
    StatisticalResult result =
        byLaw ? FillTest.ofLaw(law, size, observed) : FillTest.ofTotals(law, size, observed);
    result.assertHolds();
  }

  private static long filters(long size) {
    return Math.max(1, Math.min(MAX_FILTERS, ELEMENTS_IN_ALL / size));
  }

  /** Returns the statistics of {@code expectedFpp()} of filters at the design load. */
  private SummaryStatistics rates() {
    SummaryStatistics rates = new SummaryStatistics();
    for (long i = filters(size); i > 0; i--) {
      fill();
      rates.addValue(filter.expectedFpp());
    }
    return rates;
  }

  private void fill() {
    filter.clear();
    for (long end = nextIndex + size; nextIndex < end; nextIndex++) {
      filter.addHash(strategy.hash(contract.element(nextIndex)));
    }
  }

  private long falsePositives(long queries) {
    long positives = 0;
    for (long end = nextIndex + queries; nextIndex < end; nextIndex++) {
      positives += filter.mightContainHash(strategy.hash(contract.element(nextIndex))) ? 1 : 0;
    }
    return positives;
  }
}
