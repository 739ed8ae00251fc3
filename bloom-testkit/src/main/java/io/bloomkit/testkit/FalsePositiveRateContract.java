package io.bloomkit.testkit;

import io.bloomkit.InsertableFilter;
import io.bloomkit.Shape;
import io.bloomkit.testkit.stat.FillDistribution;
import io.bloomkit.testkit.stat.FillTest;
import io.bloomkit.testkit.stat.RateTest;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests the false-positive rate of a filter. The rate must be at most a tenth above the planned
 * rate, and must agree with {@link InsertableFilter#expectedFpp()}.
 *
 * <p>If the set positions (bits or counters) of the filter can be counted, implement {@link #shape}
 * and {@link #setPositions} as well. The rate is then computed by the formula of the shape, and the
 * fill of the filter is compared with its {@linkplain FillDistribution distribution}.
 *
 * <p>The tests use filters planned for 1, 2, 10, 100, 1,000 and 1,000,000 elements, each at a
 * false-positive rate of 3 %, 1 % and 0.1 %. They fill each filter with the planned number of
 * elements. Filters of up to 1,000 elements are filled and cleared many times, each time with new
 * elements.
 *
 * @param <T> the type of the elements
 * @param <F> the type of the filter
 */
public interface FalsePositiveRateContract<T, F extends InsertableFilter<T>> {

  /**
   * Returns a new, empty filter.
   *
   * @param expectedInsertions the planned number of distinct elements, at least 1
   * @param fpp the planned false-positive rate, in (0, 1)
   */
  F newFilter(long expectedInsertions, double fpp);

  /**
   * Returns the element of an index. The same index must give an equal element; distinct indexes
   * must give distinct elements.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  /** Returns the shape of a filter; by default empty, if its set positions cannot be counted. */
  default Optional<Shape> shape(F filter) {
    return Optional.empty();
  }

  /** Returns the number of set (non-zero) positions of a filter that has a {@link #shape}. */
  default long setPositions(F filter) {
    throw new IllegalStateException("a contract with shape(...) must implement setPositions(...)");
  }

  /**
   * Tests that the rate of a filter with the planned number of elements is close to the planned
   * rate, or lower.
   *
   * <p>The rate of a filter with a {@link #shape} is {@link Shape#fpp}. It may exceed the planned
   * rate by at most a tenth of that rate. The test evaluates a formula, so its result does not
   * depend on chance.
   *
   * <p>The rate of another filter is its mean {@code expectedFpp()}. It may exceed the planned rate
   * by at most a tenth of that rate plus six standard errors of the mean. The mean is over 2,000
   * fills of a filter of up to 10 elements, 200 fills for 100 elements, 20 for 1,000, or one for a
   * million. With one fill, the standard error counts as 0. The probability α of a false alarm is
   * 10<sup>-9</sup> by the normal approximation. In flat filters of 10 elements or more, the
   * standard error is at most about 1 % of the rate, so the test detects a rate that is a fifth too
   * high with power above 0.95.
   */
  @TestFactory
  default Stream<DynamicTest> theRateAtTheDesignLoadIsThePlannedOne() {
    return RateRun.cases(this, (n, fpp) -> true, RateRun::theRateIsThePlannedOne);
  }

  /**
   * Tests that the number of set positions of a filter with a {@link #shape} has the distribution
   * {@link FillDistribution#of}. The test uses {@link FillTest#ofLaw} for filters of 1, 2 and 10
   * elements, and {@link FillTest#ofTotals} for filters of 100 or more. {@link FillTest} documents
   * the significance level α and the power of both methods.
   */
  @TestFactory
  default Stream<DynamicTest> asManyPositionsAreSetAsByIndependentChoices() {
    return shape(newFilter(1, 0.01)).isEmpty()
        ? Stream.empty()
        : RateRun.cases(this, (n, fpp) -> true, RateRun::setPositionsFollowTheirLaw);
  }

  /**
   * Tests that the false-positive rate is {@code expectedFpp()}, by {@link RateTest}. The
   * probability α of a false alarm is at most 10<sup>-8</sup>. If {@code expectedFpp()} is at least
   * half of the planned rate, the test detects a rate a tenth above or below {@code expectedFpp()}
   * with power 0.99. This method tests filters planned for a rate of 3 %, and filters of up to
   * 1,000 elements planned for 1 %.
   */
  @TestFactory
  default Stream<DynamicTest> absentElementsArePositiveAtTheExpectedRate() {
    return RateRun.cases(this, RateRun::isShort, RateRun::answersFollowTheState);
  }

  /**
   * Tests the same as {@link #absentElementsArePositiveAtTheExpectedRate} in the cases that take
   * longer: filters of a million elements planned for 1 %, and all filters planned for 0.1 %.
   */
  @TestFactory
  @Tag("deep")
  default Stream<DynamicTest> manyAbsentElementsArePositiveAtTheExpectedRate() {
    return RateRun.cases(
        this, (n, fpp) -> !RateRun.isShort(n, fpp), RateRun::answersFollowTheState);
  }
}
