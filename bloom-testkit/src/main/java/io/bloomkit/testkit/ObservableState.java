package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import java.util.function.LongFunction;

/**
 * The observable state of a filter: the results of queries and counts for the first {@value
 * #INDEXES} elements, and its estimates. Equal observations show that an operation changed nothing,
 * or that two sequences of operations lead to the same state.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by assertSame
record ObservableState(
    boolean[] positives, long[] counts, double expectedFpp, long approximateElements) {

  static final int INDEXES = 1000;

  static <T> ObservableState of(InsertableFilter<T> filter, LongFunction<? extends T> elements) {
    boolean[] positives = new boolean[INDEXES];
    long[] counts = new long[INDEXES];
    for (int i = 0; i < INDEXES; i++) {
      T element = elements.apply(i);
      positives[i] = filter.mightContain(element);
      if (filter instanceof DeletableFilter<T> deletable) {
        counts[i] = deletable.count(element);
      }
    }
    return new ObservableState(
        positives, counts, filter.expectedFpp(), filter.approximateElementCount());
  }

  /**
   * Checks that another state is equal to this one.
   *
   * @param when the end of a failure's message, such as "after clear"
   */
  void assertSame(ObservableState actual, String when) {
    for (int i = 0; i < INDEXES; i++) {
      int index = i;
      assertEquals(
          positives[i], actual.positives[i], () -> "mightContain of index " + index + " " + when);
      assertEquals(counts[i], actual.counts[i], () -> "count of index " + index + " " + when);
    }
    assertEquals(expectedFpp, actual.expectedFpp, () -> "expectedFpp " + when);
    assertEquals(
        approximateElements, actual.approximateElements, () -> "approximateElementCount " + when);
  }
}
