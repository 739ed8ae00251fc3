package io.bloomkit.testkit;

import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.stat.FillDistribution;
import io.bloomkit.testkit.stat.FillTest;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests the false-positive rate of a flat filter. In a flat filter, an element has k positions
 * (bits or counters), each chosen with equal probability from all positions of the filter. For a
 * blocked filter, implement {@link BlockedFalsePositiveRateContract} instead. For any other filter,
 * such as one that grows by layers, implement {@link FalsePositiveRateContract}. The tests of this
 * contract use the numbers of elements and the planned rates that {@link FalsePositiveRateContract}
 * lists.
 *
 * @param <T> the type of the elements
 * @param <F> the type of the filter
 */
public interface FlatFalsePositiveRateContract<T, F extends InsertableFilter<T>>
    extends FalsePositiveRateContract<T> {

  @Override
  F newFilter(long expectedInsertions, double fpp);

  /** Returns the shape of a filter. */
  FlatShape shape(F filter);

  /** Returns the number of set (non-zero) positions of a filter. */
  long setPositions(F filter);

  /**
   * Tests that {@link FlatShape#fpp} after the planned number of insertions is at most a tenth
   * above the planned rate. The test evaluates a formula, so its result does not depend on chance.
   */
  @Override
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> theRateAtTheDesignLoadIsThePlannedOne() {
    return RateRun.cases(
        this::newFilter,
        this::element,
        run -> run.theRateOfTheShapeIsThePlannedOne(filter -> FillDistribution.of(shape(filter))));
  }

  /**
   * Tests that the number of set positions has the distribution {@link FillDistribution#of}. The
   * test uses {@link FillTest#ofLaw} for filters of 1, 2 and 10 elements, and {@link
   * FillTest#ofTotals} for filters of 100 or more. {@link FillTest} documents the significance
   * level α and the power of both methods.
   */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> asManyPositionsAreSetAsByIndependentThrows() {
    return RateRun.cases(
        this::newFilter,
        this::element,
        run ->
            run.setPositionsFollowTheirLaw(
                filter -> FillDistribution.of(shape(filter)), this::setPositions));
  }
}
