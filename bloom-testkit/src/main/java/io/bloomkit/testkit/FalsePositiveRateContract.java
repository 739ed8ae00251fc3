package io.bloomkit.testkit;

import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.stat.AnswersCheck;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests that the false-positive rate of a filter is the planned one and the one that {@code
 * expectedFpp()} returns, for filters of 1 to a million elements at 3 %, 1 % and 0.1 %. Tests of
 * flat filters implement {@link FlatFalsePositiveRateContract} instead, those of blocked filters
 * {@link BlockedFalsePositiveRateContract}.
 *
 * <p>Every test has α = 10<sup>-8</sup> and enough queries to detect a deviation of ±10 % with
 * power 0.99. Small filters are pooled; no element is used twice.
 *
 * @param <T> the type of the elements
 */
public interface FalsePositiveRateContract<T> {

  /** Returns a new, empty filter. */
  InsertableFilter<T> newFilter(long expectedInsertions, double fpp);

  /**
   * Returns the element of an index: distinct ones for distinct indexes.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  /**
   * At the design load, the mean {@code expectedFpp()} of up to 2,000 filters is at most a tenth
   * plus six standard errors of that mean above the planned rate: α is 10<sup>-9</sup> by the
   * normal approximation. A standard error is below 1 % of the rate in a flat filter of 10 elements
   * or more, so a rate that is a fifth too high is detected there with a power above 0.99.
   */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> theRateAtTheDesignLoadIsThePlannedOne() {
    return RateRun.cases(this::newFilter, this::element, RateRun::theRateIsThePlannedOne);
  }

  /**
   * The second step, {@link AnswersCheck}: there are as many false positives as {@code
   * expectedFpp()} states. For the sizes and rates that take up to one and a half million elements.
   */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> absentElementsArePositiveAtTheExpectedRate() {
    return RateRun.shortCasesOfAnswers(this::newFilter, this::element);
  }

  /**
   * The second step for the other sizes and rates: a million elements at 1 %, and all sizes at 0.1
   * %. Each takes seconds; a build may exclude them by the tag {@code deep}.
   */
  @TestFactory
  @Tag("rate")
  @Tag("deep")
  @Tag("jdk")
  default Stream<DynamicTest> manyAbsentElementsArePositiveAtTheExpectedRate() {
    return RateRun.longCasesOfAnswers(this::newFilter, this::element);
  }
}
