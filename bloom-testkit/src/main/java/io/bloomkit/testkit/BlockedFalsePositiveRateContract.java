package io.bloomkit.testkit;

import io.bloomkit.BlockedShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.stat.SetPositionsLaw;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Both steps of testing a rate, for a filter whose elements take positions as {@link BlockedShape}
 * says: a block, two different words of it, and half of its positions, all different, in either.
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

  /** Returns how many positions of a filter are set, that is, not zero. */
  long setPositions(F filter);

  /**
   * At the design load, {@link BlockedShape#fpp} is at most a tenth above the rate asked for:
   * exact.
   */
  @Override
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> theRateAtTheDesignLoadIsTheOneAskedFor() {
    return RateRun.cases(
        this::newFilter,
        this::element,
        run -> run.theRateOfTheShapeIsTheOneAskedFor(filter -> SetPositionsLaw.of(shape(filter))));
  }

  /**
   * The first step: as many positions are set as elements set that choose block, words and
   * positions independently. The whole distribution for 1, 2 and 10 elements, mean and variance,
   * which are exact, for more.
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
