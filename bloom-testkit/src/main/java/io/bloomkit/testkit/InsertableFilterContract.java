package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.InsertableFilter;
import io.bloomkit.testkit.internal.ContractSeeds;
import io.bloomkit.testkit.internal.Engines;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the contract of {@link InsertableFilter}. A test class implements this interface and its
 * two abstract methods, which create filters and elements:
 *
 * <pre>{@code
 * class MyFilterContractTest implements InsertableFilterContract<Long> {
 *   public MyFilter<Long> newFilter(long expectedInsertions, double fpp) {
 *     return new MyFilter<>(HashStrategies.longs(), expectedInsertions, fpp);
 *   }
 *
 *   public Long element(long index) {
 *     return index;
 *   }
 * }
 * }</pre>
 *
 * @param <T> the type of the elements
 */
@ExtendWith(CreatedFilter.class)
public interface InsertableFilterContract<T> {

  /**
   * Returns a new, empty filter.
   *
   * @param expectedInsertions the planned number of distinct elements
   * @param fpp the planned false-positive rate
   * @throws IllegalArgumentException if {@code expectedInsertions} is negative or {@code fpp} is
   *     not in (0, 1); the message must contain the invalid value
   */
  InsertableFilter<T> newFilter(long expectedInsertions, double fpp);

  /**
   * Returns the element of an index. The same index must give an equal element; distinct indexes
   * must give distinct elements.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  /**
   * Returns whether the filters refuse elements beyond {@code expectedInsertions}. The default is
   * false: most tests add more elements than planned. Override this method to return true for a
   * filter with a fixed capacity, such as a cuckoo filter; the tests then plan for all elements
   * that they add.
   */
  default boolean isBounded() {
    return false;
  }

  @Test
  default void jqwikIsThereAndTheSeedsAreReported(TestReporter reporter) {
    Engines.requireEngine("jqwik");
    reporter.publishEntry("jqwik seed", ContractSeeds.JQWIK);
    reporter.publishEntry("seed of histories", Long.toString(ContractSeeds.HISTORY));
  }

  @Example
  default void jupiterIsThere() {
    Engines.requireEngine("junit-jupiter");
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 200)
  default void addedElementsAreAlwaysPositive(
      @ForAll @LongRange(min = 1, max = 500) long expectedInsertions,
      @ForAll @DoubleRange(min = 0.01, max = 0.5) double fpp,
      @ForAll @Size(max = 400) List<@LongRange(min = 0, max = Long.MAX_VALUE) Long> indexes) {
    InsertableFilter<T> filter = filter(PlannedCapacity.of(this, expectedInsertions, 400), fpp);
    for (long index : indexes) {
      filter.add(element(index));
      assertTrue(filter.mightContain(element(index)), () -> "negative at once: index " + index);
    }
    for (long index : indexes) {
      assertTrue(filter.mightContain(element(index)), () -> "negative later: index " + index);
    }
  }

  @Test
  default void addedElementsArePositiveAtTenTimesTheDesignLoad() {
    InsertableFilter<T> filter = filter(PlannedCapacity.of(this, 1000, 10_000), 0.01);
    for (int i = 0; i < 10_000; i++) {
      filter.add(element(i));
    }
    for (int i = 0; i < 10_000; i++) {
      assertTrue(filter.mightContain(element(i)), "negative: index " + i);
    }
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 200)
  default void addReturnsTrueExactlyIfTheElementWasCertainlyAbsent(
      @ForAll @LongRange(min = 1, max = 200) long expectedInsertions,
      @ForAll @DoubleRange(min = 0.01, max = 0.5) double fpp,
      @ForAll @Size(max = 400) List<@LongRange(min = 0, max = 600) Long> indexes) {
    InsertableFilter<T> filter = filter(PlannedCapacity.of(this, expectedInsertions, 400), fpp);
    for (long index : indexes) {
      boolean isPositive = filter.mightContain(element(index));
      assertEquals(!isPositive, filter.add(element(index)), () -> "add of index " + index);
      assertFalse(filter.add(element(index)), () -> "second add of index " + index);
    }
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 100)
  default void anElementAndItsHashAreTheSameToTheFilter(
      @ForAll @LongRange(min = 1, max = 200) long expectedInsertions,
      @ForAll @Size(max = 200) List<@LongRange(min = 0, max = 600) Long> indexes) {
    long planned = PlannedCapacity.of(this, expectedInsertions, 200);
    InsertableFilter<T> byElement = filter(planned, 0.03);
    InsertableFilter<T> byHash = filter(planned, 0.03);
    for (long index : indexes) {
      long hash = byHash.strategy().hash(element(index));
      assertEquals(
          byElement.add(element(index)), byHash.addHash(hash), () -> "addHash of index " + index);
    }
    ObservableState.of(byElement, this::element)
        .assertSame(ObservableState.of(byHash, this::element), "after addHash instead of add");
    for (long index = 0; index < 1000; index++) {
      long hash = byElement.strategy().hash(element(index));
      assertEquals(
          byElement.mightContain(element(index)),
          byElement.mightContainHash(hash),
          "mightContainHash of index " + index);
    }
  }

  @Test
  default void anEmptyFilterIsNegative() {
    for (long expectedInsertions : new long[] {1, 2, 10, 1000, 100_000}) {
      assertIsEmpty(filter(expectedInsertions, 0.03));
    }
  }

  private void assertIsEmpty(InsertableFilter<T> filter) {
    for (int i = 0; i < 10_000; i++) {
      assertFalse(filter.mightContain(element(i)), "positive in an empty filter: index " + i);
    }
    assertEquals(0, filter.expectedFpp(), "expectedFpp of an empty filter");
    assertEquals(0, filter.approximateElementCount(), "approximateElementCount of an empty filter");
  }

  @Test
  default void expectedFppIsAProbabilityAndNeverFallsWhileAdding() {
    for (long expectedInsertions : new long[] {1, 4, 100}) {
      InsertableFilter<T> filter = filter(PlannedCapacity.of(this, expectedInsertions, 1000), 0.01);
      double last = 0;
      for (int i = 0; i < 1000; i++) {
        filter.add(element(i));
        double now = filter.expectedFpp();
        assertTrue(now >= 0 && now <= 1, "expectedFpp " + now + " is not from 0 to 1");
        assertTrue(now >= last, "expectedFpp fell from " + last + " to " + now);
        last = now;
      }
      assertTrue(last > 0, "expectedFpp is 0 although a thousand elements were added");
    }
  }

  /**
   * Tests {@code approximateElementCount()} of a filter that is planned for n elements and contains
   * n elements. The result may differ from n by at most 6 · 0.67·√n + fpp·n. The tests use an
   * {@code fpp} of 1 % and n = 100, 1,000, 10,000 and 100,000.
   *
   * <p>A usual estimate follows from the fill ratio, which is the fraction of positions (bits or
   * counters) that are set. For m positions and k positions per element, this estimate has a
   * standard deviation of √(m(e<sup>λ</sup> − λ − 1))/k with λ = kn/m (K. Whang, B. Vander-Zanden,
   * H. Taylor, <i>A linear-time probabilistic counting algorithm</i>, 1990, theorem 4). At λ = ln 2
   * the deviation is 0.67·√n for k = 1, and less for larger k. At six standard deviations, the
   * probability α of a false alarm is 2·10<sup>-9</sup>. The term fpp·n allows for filters that do
   * not add an element whose query is already positive. At n = 100,000, the power of the test
   * against an estimate that is 4 % too high or too low is above 0.99.
   */
  @Test
  default void approximateElementCountIsCloseAtTheDesignLoad() {
    double fpp = 0.01;
    for (int n : new int[] {100, 1000, 10_000, 100_000}) {
      InsertableFilter<T> filter = filter(n, fpp);
      for (int i = 0; i < n; i++) {
        filter.add(element(i));
      }
      double tolerance = 6 * 0.67 * Math.sqrt(n) + fpp * n;
      long estimate = filter.approximateElementCount();
      assertTrue(
          Math.abs(estimate - n) <= tolerance,
          "approximateElementCount " + estimate + " is not within " + tolerance + " of " + n);
    }
  }

  @Test
  default void aClearedFilterIsANewOne() {
    InsertableFilter<T> cleared = filter(PlannedCapacity.of(this, 100, 500), 0.01);
    for (int i = 0; i < 3000; i++) {
      cleared.add(element(i % 500));
    }
    cleared.clear();
    assertIsEmpty(cleared);

    InsertableFilter<T> fresh = filter(PlannedCapacity.of(this, 100, 500), 0.01);
    for (int i = 0; i < 300; i++) {
      assertEquals(fresh.add(element(i)), cleared.add(element(i)), "add after clear, index " + i);
    }
    ObservableState.of(fresh, this::element)
        .assertSame(ObservableState.of(cleared, this::element), "after clear");
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 50)
  default void addingManyEqualsAddingOneByOne(
      @ForAll @LongRange(min = 1, max = 200) long expectedInsertions,
      @ForAll @Size(max = 300) List<@LongRange(min = 0, max = 900) Long> indexes,
      @ForAll @IntRange(min = 0, max = 300) int someOffset,
      @ForAll @IntRange(min = 0, max = 300) int someLength) {
    List<T> elements = indexes.stream().map(this::element).toList();
    int offset = Math.min(someOffset, elements.size());
    int length = Math.min(someLength, elements.size() - offset);
    BulkChecks.addHashesEqualsAddHash(
        () -> filter(PlannedCapacity.of(this, expectedInsertions, 300), 0.03),
        this::element,
        elements,
        offset,
        length);
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 50)
  default void bulkQueriesEqualSingleQueries(
      @ForAll @LongRange(min = 1, max = 200) long expectedInsertions,
      @ForAll @Size(max = 300) List<@LongRange(min = 0, max = 900) Long> indexes,
      @ForAll @IntRange(min = 0, max = 300) int someOffset,
      @ForAll @IntRange(min = 0, max = 300) int someLength) {
    InsertableFilter<T> filter = filter(PlannedCapacity.of(this, expectedInsertions, 100), 0.03);
    for (int i = 0; i < 100; i++) {
      filter.add(element(i));
    }
    List<T> elements = indexes.stream().map(this::element).toList();
    int offset = Math.min(someOffset, elements.size());
    int length = Math.min(someLength, elements.size() - offset);
    BulkChecks.queriesOfManyEqualQueriesOfOne(filter, elements, offset, length);
  }

  /**
   * Tests that {@code addHashes} adds nothing if it throws {@link IllegalStateException} because
   * the filter is full. A filter that is never full passes.
   */
  @Test
  default void aRefusedAdditionOfManyAddsNothing() {
    BulkChecks.refusedAdditionsOfManyAddNothing(() -> filter(10, 0.01), this::element);
  }

  @Test
  default void aRangeOutsideTheArrayIsRefusedAndChangesNothing() {
    BulkChecks.badRangesAreRefused(someFilled(), this::element);
  }

  @Test
  default void nullElementsAreRefusedAndChangeNothing() {
    ArgumentChecks.nullElementsAreRefused(someFilled(), this::element);
  }

  private InsertableFilter<T> someFilled() {
    InsertableFilter<T> filter = filter(100, 0.01);
    LongStream.range(0, 50).forEach(i -> filter.add(element(i)));
    return filter;
  }

  @Test
  default void badSizesAreRefusedByTheirValue() {
    ArgumentChecks.badSizesAreRefusedByValue(this::newFilter);
  }

  @Test
  default void memoryIsTaken() {
    assertTrue(filter(1, 0.5).memoryBytes() > 0, "memoryBytes is not positive");
    assertTrue(filter(100_000, 0.01).memoryBytes() > 0, "memoryBytes is not positive");
  }

  /** Returns a new filter, whose size failures name. */
  private InsertableFilter<T> filter(long expectedInsertions, double fpp) {
    return CreatedFilter.of(expectedInsertions, fpp, this::newFilter);
  }
}
