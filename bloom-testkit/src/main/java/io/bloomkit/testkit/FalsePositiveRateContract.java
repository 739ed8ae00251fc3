package io.bloomkit.testkit;

import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.stat.AnswersCheck;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests that the false-positive rate of a filter is the planned one and the one that {@link
 * InsertableFilter#expectedFpp()} returns. For a flat filter, implement {@link
 * FlatFalsePositiveRateContract} instead; for a blocked filter, {@link
 * BlockedFalsePositiveRateContract}.
 *
 * <p>Each test runs for filters planned for 1, 2, 10, 100, 1,000 and 1,000,000 elements at 3 %, 1 %
 * and 0.1 %, and fills them with the planned number of elements. Filters of up to 1,000 elements
 * are filled and cleared many times, each time with new elements.
 *
 * @param <T> the type of the elements
 */
public interface FalsePositiveRateContract<T> {

  /**
   * Returns a new, empty filter.
   *
   * @param expectedInsertions the planned number of distinct elements, at least 1
   * @param fpp the planned false-positive rate, in (0, 1)
   */
  InsertableFilter<T> newFilter(long expectedInsertions, double fpp);

  /**
   * Returns the element of an index; distinct indexes have distinct elements.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  /**
   * Tests that the mean {@code expectedFpp()} of filters with the planned number of elements
   * exceeds the planned rate by at most a tenth of that rate plus six standard errors. The mean is
   * over 2,000 filters of up to 10 elements, 200 of 100, 20 of 1,000, or one of a million. α is
   * 10<sup>-9</sup> by the normal approximation. In flat filters of 10 elements or more, the
   * standard error is about 1 % of the rate, so the test detects a rate that is a fifth too high
   * with power above 0.99.
   */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> theRateAtTheDesignLoadIsThePlannedOne() {
    return RateRun.cases(this::newFilter, this::element, RateRun::theRateIsThePlannedOne);
  }

  /**
   * Tests that the false-positive rate is {@code expectedFpp()}, by {@link AnswersCheck} with α =
   * 10<sup>-8</sup>. If {@code expectedFpp()} is at least half of the planned rate, the test
   * detects a rate that is a tenth higher or lower with power 0.99. It covers all sizes at 3 %, and
   * up to 1,000 elements at 1 %.
   */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> absentElementsArePositiveAtTheExpectedRate() {
    return RateRun.shortCasesOfAnswers(this::newFilter, this::element);
  }

  /**
   * Tests the same as {@link #absentElementsArePositiveAtTheExpectedRate} for the sizes and rates
   * that need more queries: a million elements at 1 %, and all sizes at 0.1 %.
   */
  @TestFactory
  @Tag("rate")
  @Tag("deep")
  @Tag("jdk")
  default Stream<DynamicTest> manyAbsentElementsArePositiveAtTheExpectedRate() {
    return RateRun.longCasesOfAnswers(this::newFilter, this::element);
  }
}
