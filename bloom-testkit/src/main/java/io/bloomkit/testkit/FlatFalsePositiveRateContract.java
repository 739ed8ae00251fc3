package io.bloomkit.testkit;

import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.testkit.stat.SetPositionsCheck;
import io.bloomkit.testkit.stat.SetPositionsLaw;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests the false-positive rate of a flat filter, in which an element has k positions, each chosen
 * with equal probability from all positions of the filter. For blocked filters, use {@link
 * BlockedFalsePositiveRateContract}; for layered filters, {@link FalsePositiveRateContract}.
 *
 * @param <T> the type of the elements
 * @param <F> the type of the filter
 */
public interface FlatFalsePositiveRateContract<T, F extends InsertableFilter<T>>
    extends FalsePositiveRateContract<T> {

  @Override
  F newFilter(long expectedInsertions, double fpp);

  /** Returns the shape of a filter. */
  Shape shape(F filter);

  /** Returns the number of set (non-zero) positions of a filter. */
  long setPositions(F filter);

  /**
   * Tests that {@link Shape#fpp} after the planned number of insertions exceeds the planned rate by
   * at most a tenth. The test is exact: it compares two numbers for each size and rate.
   */
  @Override
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> theRateAtTheDesignLoadIsThePlannedOne() {
    return RateRun.cases(
        this::newFilter,
        this::element,
        run -> run.theRateOfTheShapeIsThePlannedOne(filter -> SetPositionsLaw.of(shape(filter))));
  }

  /**
   * Tests that the number of set positions has the distribution {@link SetPositionsLaw#of(Shape)}.
   * {@link SetPositionsCheck#ofLaw} tests this for 1, 2 and 10 elements, {@link
   * SetPositionsCheck#ofTotals} for more elements; α and power are documented there.
   */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> asManyPositionsAreSetAsByIndependentThrows() {
    return RateRun.cases(
        this::newFilter,
        this::element,
        run ->
            run.setPositionsFollowTheirLaw(
                filter -> SetPositionsLaw.of(shape(filter)), this::setPositions));
  }
}
