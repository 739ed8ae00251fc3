package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomkit.DeletableFilter;
import io.bloomkit.testkit.internal.ContractSeeds;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that the state of a counting filter depends only on the stored elements, not on earlier
 * operations or their order. Includes the tests of {@link DeletableFilterContract}.
 *
 * <p>After any insertions and removals, the filter must equal a new filter to which the remaining
 * elements were added in another order. Both filters must have the same {@code hashCode}.
 *
 * @param <T> the type of the elements
 */
@ExtendWith(CreatedFilter.class)
public interface FlatCountingFilterContract<T> extends DeletableFilterContract<T> {

  @Property(seed = ContractSeeds.JQWIK, tries = 200)
  default void anyHistoryLeavesTheFilterOfWhatIsLeft(
      @ForAll @LongRange(min = 1, max = 100) long expectedInsertions,
      @ForAll @DoubleRange(min = 0.01, max = 0.5) double fpp,
      @ForAll(supplier = Churn.Histories.class) List<Churn.Step> history) {
    long planned = PlannedCapacity.of(this, expectedInsertions, Churn.INDEXES);
    DeletableFilter<T> filter = filter(planned, fpp);
    Churn<T> churn = new Churn<>(filter, this::element);
    churn.run(history);
    assertIsTheFilterOfWhatIsLeft(filter, churn, filter(planned, fpp));
  }

  @Test
  default void aLongHistoryLeavesTheFilterOfWhatIsLeft() {
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY);
    DeletableFilter<T> filter = filter(PlannedCapacity.of(this, 1000, 3000), 0.01);
    Churn<T> churn = new Churn<>(filter, this::element);
    churn.runRandomly(random, 200_000, 3000);
    assertIsTheFilterOfWhatIsLeft(
        filter, churn, filter(PlannedCapacity.of(this, 1000, 3000), 0.01));
  }

  @Test
  default void aFilterFarOverItsDesignLoadLeavesTheFilterOfWhatIsLeft() {
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY);
    DeletableFilter<T> filter = filter(PlannedCapacity.of(this, 4, 200), 0.03);
    Churn<T> churn = new Churn<>(filter, this::element);
    for (int i = 0; i < 200; i++) {
      churn.add(i);
    }
    churn.runRandomly(random, 5000, 200);
    assertIsTheFilterOfWhatIsLeft(filter, churn, filter(PlannedCapacity.of(this, 4, 200), 0.03));
  }

  @Test
  default void aThousandRemovedCopiesLeaveNoTrace() {
    DeletableFilter<T> filter = filter(10, 0.01);
    filter.add(element(1));
    filter.add(element(2));
    for (int i = 0; i < 1000; i++) {
      filter.add(element(3));
    }
    for (int i = 0; i < 1000; i++) {
      filter.remove(element(3));
    }
    DeletableFilter<T> never = filter(10, 0.01);
    never.add(element(2));
    never.add(element(1));
    assertEquals(never, filter, "a filter whose copies were removed, and one without them");
    assertEquals(never.hashCode(), filter.hashCode(), "hashCode of equal filters");
  }

  @Test
  default void aClearedFilterEqualsANewOne() {
    DeletableFilter<T> filter = filter(10, 0.01);
    for (int i = 0; i < 100; i++) {
      filter.add(element(i % 5));
    }
    filter.clear();
    assertEquals(filter(10, 0.01), filter, "a cleared filter and a new one");
    assertEquals(filter(10, 0.01).hashCode(), filter.hashCode(), "hashCode of equal filters");
  }

  private void assertIsTheFilterOfWhatIsLeft(
      DeletableFilter<T> filter, Churn<T> churn, DeletableFilter<T> rebuilt) {
    churn.addRemainingTo(rebuilt);
    assertEquals(rebuilt, filter, "the filter of what is left");
    assertEquals(rebuilt.hashCode(), filter.hashCode(), "hashCode of equal filters");
    rebuilt.add(element(1));
    assertNotEquals(rebuilt, filter, "one element more is there");
    rebuilt.remove(element(1));
    assertEquals(rebuilt, filter, "the one element more was removed again");
  }

  /** Returns a new filter, whose size failures name. */
  private DeletableFilter<T> filter(long expectedInsertions, double fpp) {
    return CreatedFilter.of(expectedInsertions, fpp, this::newFilter);
  }
}
