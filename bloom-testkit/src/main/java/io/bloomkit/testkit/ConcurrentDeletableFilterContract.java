package io.bloomkit.testkit;

import io.bloomkit.DeletableFilter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests the contract of a concurrent {@link DeletableFilter}. Four threads add and remove elements
 * and four query it at the same time; no element that a thread still holds may be absent. When all
 * threads have ended, the filter must hold exactly what the writers left.
 *
 * <p>Threads seldom meet at a fault that is a few instructions long. Model checks and jcstress find
 * more, in smaller races.
 *
 * @param <T> the type of the elements
 */
public interface ConcurrentDeletableFilterContract<T> {

  /** Returns a new, empty, {@linkplain DeletableFilter#isConcurrent concurrent} filter. */
  DeletableFilter<T> newFilter(long expectedInsertions, double fpp);

  /**
   * Returns the element of an index: distinct ones for distinct indexes.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  /**
   * Returns whether the filter equals one to which a single thread added the remaining elements in
   * another order: true by default, false for a filter whose layers depend on the order.
   */
  default boolean equalsInAnyOrder() {
    return true;
  }

  @Test
  default void eightThreadsKeepFewElements() throws Exception {
    for (int elements : new int[] {8, 40, 200}) {
      soak(elements, 0.01, 60_000);
    }
  }

  @Test
  default void eightThreadsKeepManyElements() throws Exception {
    soak(8_000, 0.01, 60_000);
  }

  @Test
  @Tag("deep")
  @Tag("jdk")
  default void eightThreadsKeepElementsForLong() throws Exception {
    for (int elements : new int[] {8, 40, 200, 100_000}) {
      soak(elements, 0.001, 250_000);
    }
  }

  private void soak(int elements, double fpp, int steps) throws Exception {
    for (boolean isCrowded : new boolean[] {false, true}) {
      Soak<T> soak = new Soak<>(newFilter(elements, fpp), this::element, elements);
      if (isCrowded) {
        soak.runCrowded(steps);
      } else {
        soak.runInWaves(steps);
      }
      if (equalsInAnyOrder()) {
        soak.checkEquals(newFilter(elements, fpp));
      }
      soak.drain();
    }
  }
}
