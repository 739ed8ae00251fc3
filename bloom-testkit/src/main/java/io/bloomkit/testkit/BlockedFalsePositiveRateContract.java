package io.bloomkit.testkit;

import io.bloomkit.BlockedShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.stat.SetPositionsCheck;
import io.bloomkit.testkit.stat.SetPositionsLaw;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests the false-positive rate of a blocked filter, in which an element has the positions that a
 * {@link BlockedShape} describes.
 *
 * @param <T> the type of the elements
 * @param <F> the type of the filter
 */
public interface BlockedFalsePositiveRateContract<T, F extends InsertableFilter<T>>
    extends FalsePositiveRateContract<T> {

  @Override
  F newFilter(long expectedInsertions, double fpp);

  /** Returns the shape of a filter. */
  BlockedShape shape(F filter);

  /** Returns the number of set (non-zero) positions of a filter. */
  long setPositions(F filter);

  /**
   * Tests that {@link BlockedShape#fpp} after the planned number of insertions exceeds the planned
   * rate by at most a tenth. The test is exact: it compares two numbers for each size and rate.
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
   * Tests that the number of set positions has the distribution {@link
   * SetPositionsLaw#of(BlockedShape)}. {@link SetPositionsCheck#ofLaw} tests this for 1, 2 and 10
   * elements, {@link SetPositionsCheck#ofTotals} for more elements; α and power are documented
   * there.
   */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> asManyPositionsAreSetAsByIndependentChoices() {
    return RateRun.cases(
        this::newFilter,
        this::element,
        run ->
            run.setPositionsFollowTheirLaw(
                filter -> SetPositionsLaw.of(shape(filter)), this::setPositions));
  }
}
