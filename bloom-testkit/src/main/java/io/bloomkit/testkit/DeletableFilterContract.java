package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.internal.ContractSeeds;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the contract of {@link DeletableFilter}. The tests apply the same insertions and removals
 * to the filter and to an exact multiset. The filter must have no false negatives, and {@code
 * count} must return at least the number of occurrences in the multiset. After all elements have
 * been removed, the filter must be empty.
 *
 * @param <T> the type of the elements
 */
@ExtendWith(CreatedFilter.class)
public interface DeletableFilterContract<T> extends InsertableFilterContract<T> {

  @Override
  DeletableFilter<T> newFilter(long expectedInsertions, double fpp);

  /**
   * Returns whether {@code remove} returns true for every element whose query is positive. The
   * default is false: {@link DeletableFilter#remove} may recognize a false positive, for example
   * because a position of the element has a counter below the number of times that the element
   * derives it. Override this method to return true if {@code remove} never does.
   */
  default boolean removesEveryPositive() {
    return false;
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 200)
  default void anyHistoryKeepsWhatIsHeldAndForgetsTheRest(
      @ForAll @LongRange(min = 1, max = 100) long expectedInsertions,
      @ForAll @DoubleRange(min = 0.01, max = 0.5) double fpp,
      @ForAll(supplier = Churn.Histories.class) List<Churn.Step> history) {
    Churn<T> churn =
        new Churn<>(
            filter(PlannedCapacity.of(this, expectedInsertions, Churn.INDEXES), fpp),
            this::element);
    churn.run(history);
    churn.drain();
  }

  @Test
  default void aFilterFarOverItsDesignLoadForgetsExactly() {
    Churn<T> churn = new Churn<>(filter(PlannedCapacity.of(this, 4, 200), 0.03), this::element);
    for (int i = 0; i < 200; i++) {
      churn.add(i);
    }
    for (int i = 0; i < 200; i += 2) {
      churn.removeIfSafe(i);
      churn.checkAll();
    }
    churn.drain();
  }

  @Test
  default void aThousandCopiesAreCountedAndRemoved() {
    for (int copies : new int[] {2, 14, 15, 16, 17, 31, 32, 255, 256, 1000}) {
      DeletableFilter<T> filter = filter(PlannedCapacity.of(this, 10, 22), 0.01);
      Churn<T> churn = new Churn<>(filter, this::element);
      for (int i = 0; i < copies; i++) {
        churn.add(1);
        churn.add(i % 20);
      }
      churn.checkAll();
      churn.drain();
      for (int i = 0; i < copies; i++) {
        filter.add(element(7));
      }
      assertEquals(
          copies, filter.count(element(7)), "count of " + copies + " copies alone in the filter");
    }
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 100)
  default void copiesAtOnceEqualCopiesOneByOne(
      @ForAll @LongRange(min = 1, max = 100) long expectedInsertions,
      @ForAll @Size(max = 30) List<@LongRange(min = 0, max = 9) Long> added,
      @ForAll @IntRange(min = 1, max = 40) int most) {
    long planned = PlannedCapacity.of(this, expectedInsertions, 10);
    DeletableFilter<T> atOnce = filter(planned, 0.1);
    DeletableFilter<T> single = filter(planned, 0.1);
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY);
    for (long index : added) {
      T element = element(index);
      int copies = 1 + random.nextInt(most);
      if (random.nextInt(3) > 0) {
        boolean isNew = single.add(element);
        for (int i = 1; i < copies; i++) {
          single.add(element);
        }
        assertEquals(
            isNew,
            atOnce.add(element, copies),
            () -> "add of " + copies + " copies of index " + index);
      } else if (single.count(element) >= copies) {
        int removed = 0;
        while (removed < copies && single.remove(element)) {
          removed++;
        }
        boolean areRemoved = removed == copies;
        if (!areRemoved && removed > 0) {
          single.add(element, removed);
        }
        assertEquals(
            areRemoved,
            atOnce.remove(element, copies),
            () -> "remove of " + copies + " copies of index " + index);
      } else {
        assertFalse(
            atOnce.remove(element, copies),
            () -> "remove of too many copies, " + copies + ", of index " + index);
      }
    }
    ObservableState.of(single, this::element)
        .assertSame(ObservableState.of(atOnce, this::element), "after copies at once");
    assertEquals(single.elementCount(), atOnce.elementCount(), "elementCount after copies at once");
  }

  @Test
  default void aMillionCopiesAreAddedAndRemovedAtOnce() {
    DeletableFilter<T> filter = filter(10, 0.01);
    filter.add(element(1));
    ObservableState before = ObservableState.of(filter, this::element);
    assertTrue(filter.add(element(2), 1_000_000), "add of an absent element");
    assertFalse(filter.add(element(2), 1_000_000), "add of a stored element");
    assertEquals(2_000_000, filter.count(element(2)), "count of 2,000,000 copies");
    assertFalse(filter.remove(element(2), 2_000_001), "remove of 2,000,001 of 2,000,000 copies");
    assertEquals(2_000_000, filter.count(element(2)), "count after a refused remove");
    assertTrue(filter.remove(element(2), 1_999_999), "remove of 1,999,999 of 2,000,000 copies");
    assertTrue(filter.remove(element(2), 1), "remove of the last copy");
    assertFalse(filter.remove(element(2), 1), "remove after the last copy");
    before.assertSame(ObservableState.of(filter, this::element), "after the last copy is removed");
  }

  @Test
  default void lessThanOneCopyIsRefused() {
    DeletableFilter<T> filter = filter(10, 0.01);
    filter.add(element(1));
    ObservableState before = ObservableState.of(filter, this::element);
    for (long copies : new long[] {0, -1, Long.MIN_VALUE}) {
      ArgumentChecks.refusesNaming(
          copies, "add(element, " + copies + ")", () -> filter.add(element(1), copies));
      ArgumentChecks.refusesNaming(
          copies, "remove(element, " + copies + ")", () -> filter.remove(element(1), copies));
    }
    before.assertSame(ObservableState.of(filter, this::element), "after refused copies");
  }

  @Test
  default void aLongHistoryKeepsWhatIsHeldAndForgetsTheRest() {
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY);
    Churn<T> churn = new Churn<>(filter(PlannedCapacity.of(this, 1000, 3000), 0.01), this::element);
    for (int part = 0; part < 20; part++) {
      churn.runRandomly(random, 10_000, 3000);
      churn.checkAll();
    }
    assertTrue(churn.size() > 1000, "only " + churn.size() + " elements are left");
    churn.drain();
  }

  @Test
  default void removalOfANegativeElementChangesNothing() {
    DeletableFilter<T> filter = filter(100, 0.03);
    for (int i = 0; i < 200; i++) {
      filter.add(element(i % 100));
    }
    ObservableState before = ObservableState.of(filter, this::element);
    int refused = 0;
    for (int i = 100; i < ObservableState.INDEXES; i++) {
      if (!filter.mightContain(element(i))) {
        assertFalse(filter.remove(element(i)), "remove of a negative element: index " + i);
        refused++;
      }
    }
    assertTrue(
        refused > 500, "only " + refused + " of 900 queries of absent elements are negative");
    before.assertSame(
        ObservableState.of(filter, this::element), "after removals of negative elements");
  }

  @Test
  default void removalOfAFalsePositiveTakesAnOccurrenceOrIsRefused() {
    DeletableFilter<T> filter = filter(ObservableState.INDEXES, 0.1);
    for (int i = 0; i < ObservableState.INDEXES; i++) {
      filter.add(element(i));
    }
    int positives = 0;
    for (int i = ObservableState.INDEXES;
        i < 40 * ObservableState.INDEXES && positives < 100;
        i++) {
      T element = element(i);
      if (filter.mightContain(element)) {
        positives++;
        ObservableState before = ObservableState.of(filter, this::element);
        if (filter.remove(element)) {
          // A layered filter may find it in another layer next, but not without end.
          for (int times = 1; filter.remove(element); times++) {
            assertTrue(times < 10_000, "nothing was taken: index " + i);
          }
        } else {
          assertFalse(
              removesEveryPositive(),
              "remove of a positive was refused: index "
                  + i
                  + "; if the filter recognizes false positives, let removesEveryPositive() return"
                  + " false");
          before.assertSame(
              ObservableState.of(filter, this::element), "after a refused remove of index " + i);
        }
      }
    }
    assertTrue(positives > 10, "only " + positives + " false positives at a planned rate of 0.1");
  }

  @Test
  default void removeFromAnEmptyFilterIsRefused() {
    DeletableFilter<T> filter = filter(10, 0.01);
    for (int i = 0; i < 100; i++) {
      assertFalse(filter.remove(element(i)), "remove of index " + i);
      assertEquals(0, filter.count(element(i)), "count of index " + i);
    }
    assertEquals(0, filter.expectedFpp(), "expectedFpp of an empty filter");
  }

  @Test
  default void clearForgetsCopies() {
    DeletableFilter<T> filter = filter(10, 0.01);
    for (int i = 0; i < 100; i++) {
      filter.add(element(1));
    }
    filter.clear();
    assertEquals(0, filter.count(element(1)), "count after clear");
    filter.add(element(1));
    assertEquals(1, filter.count(element(1)), "count after clear and add");
    assertTrue(filter.remove(element(1)), "remove after clear and add");
    assertFalse(filter.mightContain(element(1)), "mightContain after clear, add and remove");
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 100)
  default void removingAndCountingByHashIsTheSame(
      @ForAll @LongRange(min = 1, max = 100) long expectedInsertions,
      @ForAll @Size(max = 100) List<@LongRange(min = 0, max = 50) Long> added,
      @ForAll @Size(max = 100) List<@LongRange(min = 0, max = 50) Long> removed) {
    long planned = PlannedCapacity.of(this, expectedInsertions, 51);
    DeletableFilter<T> byElement = filter(planned, 0.03);
    DeletableFilter<T> byHash = filter(planned, 0.03);
    HashStrategy<? super T> strategy = byHash.strategy();
    for (long index : added) {
      byElement.add(element(index));
      byHash.add(element(index));
    }
    for (long index : removed) {
      T element = element(index);
      long hash = strategy.hash(element);
      assertEquals(
          byElement.count(element), byHash.countHash(hash), () -> "countHash of index " + index);
      assertEquals(
          byElement.remove(element), byHash.removeHash(hash), () -> "removeHash of index " + index);
    }
    ObservableState.of(byElement, this::element)
        .assertSame(ObservableState.of(byHash, this::element), "after removeHash");
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 50)
  default void removingManyEqualsRemovingOneByOne(
      @ForAll @LongRange(min = 1, max = 100) long expectedInsertions,
      @ForAll @IntRange(min = 0, max = 100) int size,
      @ForAll @IntRange(min = 0, max = 100) int someOffset,
      @ForAll @IntRange(min = 0, max = 100) int someLength) {
    long planned = PlannedCapacity.of(this, expectedInsertions, 30);
    List<T> elements = LongStream.range(0, size).<T>mapToObj(i -> element(i % 30)).toList();
    int offset = Math.min(someOffset, size);
    int length = Math.min(someLength, size - offset);
    BulkChecks.removeHashesEqualsRemoveHash(
        () -> filter(planned, 0.03), this::element, elements, offset, length);
  }

  /** Returns a new filter, whose size failures name. */
  private DeletableFilter<T> filter(long expectedInsertions, double fpp) {
    return CreatedFilter.of(expectedInsertions, fpp, this::newFilter);
  }
}
