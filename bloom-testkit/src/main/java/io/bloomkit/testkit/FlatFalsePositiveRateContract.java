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
 * Both steps of testing a rate, for a filter whose elements take k of m positions, all alike: not
 * for layers, and for blocks there is {@link BlockedFalsePositiveRateContract}.
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

  /** Returns how many positions of a filter are set, that is, not zero. */
  long setPositions(F filter);

  /** At the design load, {@link Shape#fpp} is at most a tenth above the rate asked for: exact. */
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
   * The first step, {@link SetPositionsCheck}: as many positions are set as independent throws set.
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
