package io.bloomkit.testkit;

import io.bloomkit.BlockedShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.stat.SetPositionsLaw;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests the false-positive rate of a filter whose elements take the positions of a {@link
 * BlockedShape}: half of them, all distinct, in each of two different words of one block.
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
   * At the design load, {@link BlockedShape#fpp} is at most a tenth above the planned rate. An
   * exact comparison.
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
   * The first step: the number of set positions is distributed as if elements chose block, words
   * and positions independently. Tests the whole distribution for 1, 2 and 10 elements, and the
   * exact mean and variance for more.
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
