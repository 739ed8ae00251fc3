package io.bloomkit.testkit;

import io.bloomkit.DeletableFilter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a {@link DeletableFilter} for any number of threads promises: eight threads change and query
 * it, and each compares it with what it holds itself. In the end it holds the sum of all.
 *
 * <p>Threads seldom meet at a fault that is a few instructions long. Model checks and jcstress find
 * more, in smaller races.
 *
 * @param <T> the type of the elements
 */
public interface ConcurrentDeletableFilterContract<T> {

  /** Returns a new, empty filter for any number of threads. */
  DeletableFilter<T> newFilter(long expectedInsertions, double fpp);

  /**
   * Returns the element of an index: distinct ones for distinct indexes.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  /**
   * Whether the filter equals the one to which a single thread has added what is left, in any
   * order. A filter whose layers depend on the order does not, and returns false here.
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
      soak(elements, 0.001, 500_000);
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
