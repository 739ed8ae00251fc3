package io.bloomkit.testkit;

import io.bloomkit.BlockedShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.stat.FillDistribution;
import io.bloomkit.testkit.stat.FillTest;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests the false-positive rate of a blocked filter. In a blocked filter, all positions (bits or
 * counters) of an element lie in one block, and so in one cache line; see {@link BlockedShape}. The
 * tests of this contract use the numbers of elements and the planned rates that {@link
 * FalsePositiveRateContract} lists.
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
   * rate by at most a tenth. The test evaluates a formula, so its result does not depend on chance.
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
  default Stream<DynamicTest> asManyPositionsAreSetAsByIndependentChoices() {
    return RateRun.cases(
        this::newFilter,
        this::element,
        run ->
            run.setPositionsFollowTheirLaw(
                filter -> FillDistribution.of(shape(filter)), this::setPositions));
  }
}
