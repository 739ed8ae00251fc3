package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import it.unimi.dsi.fastutil.longs.Long2IntMap;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * Applies the same operations to a filter and to an exact multiset, and compares the two after each
 * operation. It never removes a false positive, since no filter can detect this error.
 */
final class Churn<T> {

  /** The number of distinct elements in {@link Histories}. */
  static final int INDEXES = 40;

  private final DeletableFilter<T> filter;
  private final LongFunction<? extends T> elements;
  private final Long2IntOpenHashMap truth = new Long2IntOpenHashMap();

  Churn(DeletableFilter<T> filter, LongFunction<? extends T> elements) {
    this.filter = filter;
    this.elements = elements;
  }

  enum Kind {
    ADD,
    ADD_AT_ONCE,
    REMOVE,
    REMOVE_AT_ONCE,
    QUERY
  }

  /** An operation, its element, and the number of repetitions. */
  record Step(Kind kind, long index, int times) {}

  /** Random sequences of operations on few elements, with more copies than four bits can count. */
  static final class Histories implements ArbitrarySupplier<List<Step>> {

    @Override
    public Arbitrary<List<Step>> get() {
      Arbitrary<Kind> kinds =
          Arbitraries.frequency(
              Tuple.of(4, Kind.ADD),
              Tuple.of(1, Kind.ADD_AT_ONCE),
              Tuple.of(3, Kind.REMOVE),
              Tuple.of(1, Kind.REMOVE_AT_ONCE),
              Tuple.of(1, Kind.QUERY));
      Arbitrary<Long> indexes = Arbitraries.longs().between(0, INDEXES - 1);
      Arbitrary<Integer> times =
          Arbitraries.frequencyOf(
              Tuple.of(9, Arbitraries.just(1)), Tuple.of(1, Arbitraries.integers().between(2, 40)));
      return Combinators.combine(kinds, indexes, times).as(Step::new).list().ofMaxSize(300);
    }
  }

  void run(List<Step> history) {
    history.forEach(this::run);
  }

  private void run(Step step) {
    switch (step.kind()) {
      case ADD_AT_ONCE -> add(step.index(), step.times());
      case REMOVE_AT_ONCE -> removeIfSafe(step.index(), step.times());
      default -> runOneByOne(step);
    }
  }

  private void runOneByOne(Step step) {
    for (int i = 0; i < step.times(); i++) {
      switch (step.kind()) {
        case ADD -> add(step.index());
        case REMOVE -> removeIfSafe(step.index());
        default -> check(step.index());
      }
    }
  }

  /** Runs random operations. Small indexes are much more frequent than large ones. */
  void runRandomly(SplittableRandom random, int steps, long indexes) {
    for (int i = 0; i < steps; i++) {
      double u = random.nextDouble();
      long index = (long) (u * u * u * indexes);
      int choice = random.nextInt(20);
      if (choice < 10) {
        add(index);
      } else if (choice < 19) {
        removeIfSafe(index);
      } else {
        check(index);
      }
    }
  }

  void add(long index) {
    T element = elements.apply(index);
    boolean isPositive = filter.mightContain(element);
    assertEquals(!isPositive, filter.add(element), () -> "add of index " + index);
    truth.addTo(index, 1);
    check(index);
  }

  void add(long index, int copies) {
    T element = elements.apply(index);
    boolean isPositive = filter.mightContain(element);
    assertEquals(
        !isPositive,
        filter.add(element, copies),
        () -> "add of " + copies + " copies of index " + index);
    truth.addTo(index, copies);
    check(index);
  }

  /** Removes stored copies, or checks that removing more than the filter has fails. */
  void removeIfSafe(long index, int copies) {
    T element = elements.apply(index);
    long stored = truth.get(index);
    if (stored >= copies) {
      assertTrue(
          filter.remove(element, copies),
          () -> "remove of " + copies + " copies of index " + index);
      if (truth.addTo(index, -copies) == copies) {
        truth.remove(index);
      }
      check(index);
    } else if (filter.count(element) < copies) {
      double fpp = filter.expectedFpp();
      long count = filter.count(element);
      assertFalse(
          filter.remove(element, copies),
          () ->
              "remove of "
                  + copies
                  + " copies of index "
                  + index
                  + ", of which there are "
                  + count);
      assertEquals(count, filter.count(element), "a refused remove of copies changed the count");
      assertEquals(fpp, filter.expectedFpp(), "a refused remove of copies changed the filter");
    }
  }

  /** Removes a stored element, or checks that removing a negative one fails; else does nothing. */
  void removeIfSafe(long index) {
    T element = elements.apply(index);
    if (truth.get(index) > 0) {
      assertTrue(filter.remove(element), () -> "remove of an element that is held: index " + index);
      if (truth.addTo(index, -1) == 1) {
        truth.remove(index);
      }
      check(index);
    } else if (!filter.mightContain(element)) {
      double fpp = filter.expectedFpp();
      assertFalse(filter.remove(element), () -> "remove of an absent element: index " + index);
      assertEquals(fpp, filter.expectedFpp(), "a refused remove changed the filter");
      assertEquals(0, filter.count(element), () -> "count of an absent element: index " + index);
    }
  }

  private void check(long index) {
    T element = elements.apply(index);
    long stored = truth.get(index);
    long count = filter.count(element);
    boolean isPositive = filter.mightContain(element);
    assertTrue(
        count >= stored,
        () -> "count of index " + index + " is " + count + " but " + stored + " are held");
    assertTrue(
        isPositive || stored == 0,
        () -> "negative although " + stored + " are held: index " + index);
    assertEquals(isPositive, count > 0, () -> "mightContain and count disagree: index " + index);
  }

  void checkAll() {
    truth.keySet().forEach(this::check);
  }

  /** Removes all elements and checks that the filter is empty. */
  void drain() {
    checkAll();
    long[] indexes = truth.keySet().toLongArray();
    int fullChecks = 40;
    for (int i = 0; i < indexes.length; i++) {
      while (truth.get(indexes[i]) > 0) {
        removeIfSafe(indexes[i]);
      }
      if (i % (indexes.length / fullChecks + 1) == 0) {
        checkAll();
      }
    }
    assertEquals(0, filter.expectedFpp(), "expectedFpp after everything was removed");
    assertEquals(0, filter.approximateElementCount(), "elements after everything was removed");
    for (long index = 0; index < ObservableState.INDEXES; index++) {
      T element = elements.apply(index);
      assertFalse(
          filter.mightContain(element), "positive after everything was removed: index " + index);
    }
  }

  /** Adds the remaining elements to another filter, in an order of its own. */
  void addRemainingTo(DeletableFilter<T> other) {
    long[] indexes = truth.keySet().toLongArray();
    Arrays.sort(indexes);
    boolean more = true;
    for (int round = 0; more; round++) {
      more = false;
      for (int i = indexes.length - 1; i >= 0; i--) {
        if (truth.get(indexes[i]) > round) {
          other.add(elements.apply(indexes[i]));
          more = true;
        }
      }
    }
  }

  long size() {
    long sum = 0;
    for (Long2IntMap.Entry entry : truth.long2IntEntrySet()) {
      sum += entry.getIntValue();
    }
    return sum;
  }
}
