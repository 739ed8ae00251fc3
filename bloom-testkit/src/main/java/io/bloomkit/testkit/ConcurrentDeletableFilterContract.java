package io.bloomkit.testkit;

import io.bloomkit.DeletableFilter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests the contract of a concurrent {@link DeletableFilter}. Four threads add and remove elements
 * while four other threads query the filter. The query of every stored element must be positive at
 * any time. When all threads have ended, the filter must contain exactly the elements that were
 * added and not removed. {@link DeletableFilter#elementCount} must then return their number.
 *
 * <p>These tests rarely find a race condition of only a few instructions. Model checkers and
 * jcstress find more such race conditions, because they run few operations in many interleavings.
 *
 * @param <T> the type of the elements
 */
@ExtendWith(CreatedFilter.class)
public interface ConcurrentDeletableFilterContract<T> {

  /**
   * Returns a new, empty, {@linkplain DeletableFilter#isConcurrent concurrent} filter.
   *
   * @param expectedInsertions the planned number of distinct elements, at least 1
   * @param fpp the planned false-positive rate, in (0, 1)
   */
  DeletableFilter<T> newFilter(long expectedInsertions, double fpp);

  /**
   * Returns the element of an index. The same index must give an equal element; distinct indexes
   * must give distinct elements.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  /**
   * Returns whether two filters with the same elements are equal, whatever the order of insertions.
   * If true, the tests compare the filter with a new filter after all threads have ended. A single
   * thread adds to the new filter the elements that were added and not removed. The default is
   * true. Override this method to return false if equality depends on the order, for example
   * because the filter grows by layers.
   */
  default boolean equalsInAnyOrder() {
    return true;
  }

  @Test
  default void eightThreadsKeepFewElements() throws Exception {
    for (int elements : new int[] {8, 40, 200}) {
      stress(elements, 0.01, 60_000);
    }
  }

  @Test
  default void eightThreadsKeepManyElements() throws Exception {
    stress(8_000, 0.01, 60_000);
  }

  @Test
  @Tag("deep")
  default void eightThreadsKeepElementsForLong() throws Exception {
    for (int elements : new int[] {8, 40, 200, 100_000}) {
      stress(elements, 0.001, 250_000);
    }
  }

  private void stress(int elements, double fpp, int steps) throws Exception {
    for (boolean isCrowded : new boolean[] {false, true}) {
      ConcurrentStress<T> stress =
          new ConcurrentStress<>(filter(elements, fpp), this::element, elements);
      if (isCrowded) {
        stress.runCrowded(steps);
      } else {
        stress.runInWaves(steps);
      }
      if (equalsInAnyOrder()) {
        stress.checkEquals(filter(elements, fpp));
      }
      stress.drain();
    }
  }

  /** Returns a new filter, whose size failures name. */
  private DeletableFilter<T> filter(long expectedInsertions, double fpp) {
    return CreatedFilter.of(expectedInsertions, fpp, this::newFilter);
  }
}
