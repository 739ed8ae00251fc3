package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.MembershipFilter;
import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.RateTest;
import io.bloomkit.testkit.stat.StatisticalResult;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the contract of {@link MembershipFilter}, for a filter that can only be queried, such as a
 * memory-mapped file or a view of another filter. For a filter with insertions, implement {@link
 * InsertableFilterContract} and {@link FalsePositiveRateContract} instead.
 *
 * @param <T> the type of the elements
 */
@ExtendWith(CreatedFilter.class)
public interface MembershipFilterContract<T> {

  /**
   * Returns a filter that contains the given elements and no others. Its planned false-positive
   * rate with these elements is 1 %.
   *
   * @param elements distinct elements; may be empty
   */
  MembershipFilter<T> filterOf(List<T> elements);

  /**
   * Returns the element of an index. The same index must give an equal element; distinct indexes
   * must give distinct elements.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  /** Returns the filter of the first elements, whose number failures name. */
  private MembershipFilter<T> filled(int elements) {
    CreatedFilter.remember("filterOf(" + elements + " elements)");
    return filterOf(elements(0, elements));
  }

  private List<T> elements(long from, long to) {
    return LongStream.range(from, to).mapToObj(this::element).toList();
  }

  @Test
  default void storedElementsAreAlwaysPositive() {
    for (int size : new int[] {1, 2, 10, 1000, 20_000}) {
      MembershipFilter<T> filter = filled(size);
      for (int i = 0; i < size; i++) {
        assertTrue(filter.mightContain(element(i)), "negative: index " + i);
      }
    }
  }

  @Test
  default void anEmptyFilterIsNegative() {
    MembershipFilter<T> filter = filled(0);
    for (T element : elements(0, 10_000)) {
      assertFalse(filter.mightContain(element), () -> "positive in an empty filter: " + element);
    }
    assertEquals(0, filter.expectedFpp(), "expectedFpp of an empty filter");
    assertEquals(0, filter.approximateElementCount(), "elements of an empty filter");
  }

  /**
   * Tests that a filter of 1,000 elements has the false-positive rate {@link
   * MembershipFilter#expectedFpp expectedFpp()}, by {@link RateTest}. The probability α of a false
   * alarm is at most 10<sup>-8</sup>. If {@code expectedFpp()} is at least 0.5 %, the test detects
   * a rate that is a tenth above or below {@code expectedFpp()}, with power 0.99.
   */
  @Test
  default void absentElementsArePositiveAtTheExpectedRate() {
    MembershipFilter<T> filter = filled(1000);
    double rate = filter.expectedFpp();
    assertTrue(rate > 0 && rate <= 1, "expectedFpp " + rate + " is not in (0, 1]");
    long queries =
        Binomial.trialsToTell(
            Math.max(rate, 0.005),
            StatisticalResult.DEVIATION,
            StatisticalResult.ALPHA,
            StatisticalResult.POWER);
    long positives = 0;
    for (long i = 1000; i < 1000 + queries; i++) {
      positives += filter.mightContain(element(i)) ? 1 : 0;
    }
    new RateTest().record(queries, positives, rate).result("false positives").assertHolds();
  }

  @Test
  default void everyQueryMethodGivesTheSameAnswer() {
    MembershipFilter<T> filter = filled(500);
    List<T> queried = elements(250, 2250);
    for (T element : queried) {
      long hash = filter.strategy().hash(element);
      assertEquals(
          filter.mightContain(element),
          filter.mightContainHash(hash),
          () -> "mightContainHash of " + element);
    }
    BulkChecks.queriesOfManyEqualQueriesOfOne(filter, queried, 0, queried.size());
  }

  @Test
  default void aRangeOutsideTheArrayIsRefused() {
    BulkChecks.badRangesOfQueriesAreRefused(filled(100), new long[3]);
  }

  @Test
  default void nullIsRefused() {
    MembershipFilter<T> filter = filled(100);
    ArgumentChecks.<T>nullIsRefusedBy("mightContain", filter::mightContain);
  }

  /**
   * Tests that {@code approximateElementCount()} of a filter of n elements differs from n by at
   * most 6 · 0.67·√n + 0.01·n, for n = 100, 1,000 and 10,000. {@link
   * InsertableFilterContract#approximateElementCountIsCloseAtTheDesignLoad} derives this bound.
   */
  @Test
  default void approximateElementCountIsClose() {
    for (int n : new int[] {100, 1000, 10_000}) {
      long estimate = filled(n).approximateElementCount();
      double tolerance = 6 * 0.67 * Math.sqrt(n) + 0.01 * n;
      assertTrue(
          Math.abs(estimate - n) <= tolerance,
          "approximateElementCount " + estimate + " is not within " + tolerance + " of " + n);
    }
  }

  @Test
  default void memoryIsTaken() {
    assertTrue(filled(100).memoryBytes() > 0, "memoryBytes is not positive");
  }
}
