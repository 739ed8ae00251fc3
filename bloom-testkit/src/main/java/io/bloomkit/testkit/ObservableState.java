package io.bloomkit.testkit;

import io.bloomkit.DeletableFilter;
import io.bloomkit.InsertableFilter;
import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * The observable state of a filter: the results of queries and counts for the first {@value
 * #INDEXES} elements, and its estimates. Equal observations show that an operation changed nothing,
 * or that two sequences of operations lead to the same state.
 */
record ObservableState(
    String answers, String counts, double expectedFpp, long approximateElements) {

  static final int INDEXES = 1000;

  static <T> ObservableState of(InsertableFilter<T> filter, LongFunction<? extends T> elements) {
    StringBuilder answers = new StringBuilder();
    long[] counts = new long[INDEXES];
    for (int i = 0; i < INDEXES; i++) {
      T element = elements.apply(i);
      answers.append(filter.mightContain(element) ? '1' : '0');
      if (filter instanceof DeletableFilter<T> deletable) {
        counts[i] = deletable.count(element);
      }
    }
    return new ObservableState(
        answers.toString(),
        Arrays.toString(counts),
        filter.expectedFpp(),
        filter.approximateElementCount());
  }
}
