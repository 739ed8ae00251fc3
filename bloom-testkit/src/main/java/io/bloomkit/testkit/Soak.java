package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/**
 * Writers add and remove copies of the same elements, so the filter grows and shrinks; readers
 * query elements that stay. Each thread knows how many copies it holds itself, so that many must be
 * there at every moment, whatever the others do.
 */
final class Soak<T> {

  private static final int WRITERS = 4;
  private static final int READERS = 4;

  /** One element in this number stays. */
  private static final int STAYING = 4;

  /** When each writer has about this many copies of each element, it removes most of them. */
  private static final double MOST_COPIES = 1.2;

  private static final int STEPS_BETWEEN_FIGURES = 1 << 10;

  private final DeletableFilter<T> filter;
  private final List<T> elements = new ArrayList<>();
  private final int staying;
  private final AtomicInteger writing = new AtomicInteger(WRITERS);

  /** How many copies of each element are in the filter when the threads have ended. */
  private final long[] held;

  Soak(DeletableFilter<T> filter, LongFunction<T> element, int elements) {
    this.filter = filter;
    this.staying = elements / STAYING;
    this.held = new long[elements];
    for (int i = 0; i < elements; i++) {
      this.elements.add(element.apply(i));
    }
  }

  void run(int steps) throws Exception {
    assertTrue(filter.isConcurrent(), "isConcurrent");
    for (int i = 0; i < staying; i++) {
      filter.add(elements.get(i));
      held[i]++;
    }
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + READERS);
    try {
      List<Callable<int[]>> parts = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY + i);
        parts.add(() -> write(random, steps));
      }
      for (int i = 0; i < READERS; i++) {
        SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY - 1 - i);
        parts.add(() -> read(random));
      }
      for (Future<int[]> part : threads.invokeAll(parts)) {
        int[] copies = part.get();
        for (int i = 0; i < copies.length; i++) {
          held[i] += copies[i];
        }
      }
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }
  }

  /** Returns how many copies of each element this writer has left. */
  private int[] write(SplittableRandom random, int steps) {
    int[] copies = new int[elements.size()];
    long most = Math.round(MOST_COPIES * (elements.size() - staying));
    long sum = 0;
    boolean isGrowing = true;
    try {
      for (int step = 0; step < steps; step++) {
        isGrowing = sum == 0 || (isGrowing && sum < most);
        int i = staying + random.nextInt(elements.size() - staying);
        if (random.nextInt(4) < (isGrowing ? 3 : 1)) {
          add(i, copies[i]++);
          sum++;
        } else if (copies[i] > 0) {
          remove(i, copies[i]--);
          sum--;
        }
      }
    } finally {
      writing.decrementAndGet();
    }
    return copies;
  }

  private void add(int i, int copies) {
    boolean added = filter.add(elements.get(i));
    assertFalse(added && copies > 0, "add of a stored element returned true");
    checkHolds(i, copies + 1L);
  }

  private void remove(int i, int copies) {
    assertTrue(filter.remove(elements.get(i)), "remove of a stored element returned false");
    checkHolds(i, copies - 1L);
  }

  private void checkHolds(int i, long copies) {
    assertTrue(copies == 0 || filter.mightContain(elements.get(i)), "a stored element is negative");
    assertTrue(filter.count(elements.get(i)) >= copies, "the count is too low");
  }

  private int[] read(SplittableRandom random) {
    for (int step = 0; writing.get() > 0; step++) {
      T element = elements.get(random.nextInt(staying));
      assertTrue(filter.mightContain(element), "an element that stays is negative");
      if (step % STEPS_BETWEEN_FIGURES == 0) {
        assertTrue(filter.count(element) >= 1, "the count of an element that stays is zero");
        assertTrue(filter.expectedFpp() >= 0 && filter.expectedFpp() <= 1, "expectedFpp");
        assertTrue(filter.approximateElementCount() >= 0, "approximateElementCount");
        assertTrue(filter.elementCount().orElse(0) >= 0, "elementCount");
        assertTrue(filter.memoryBytes() > 0, "memoryBytes");
        assertFalse(filter.toString().isEmpty(), "toString");
      }
    }
    return new int[0];
  }

  /** Compares with an empty filter to which this thread adds the same. */
  void checkEquals(DeletableFilter<T> model) {
    for (int i = 0; i < held.length; i++) {
      for (long copies = held[i]; copies > 0; copies--) {
        model.add(elements.get(i));
      }
    }
    assertEquals(model, filter, "the contents are not those of what is held");
  }

  /** Checks that all is there, and nothing when all was removed. */
  void drain() {
    long sum = 0;
    for (int i = 0; i < held.length; i++) {
      sum += held[i];
      checkHolds(i, held[i]);
    }
    assertEquals(OptionalLong.of(sum), filter.elementCount(), "elementCount");
    for (int i = 0; i < held.length; i++) {
      for (long copies = held[i]; copies > 0; copies--) {
        remove(i, (int) copies);
      }
    }
    for (T element : elements) {
      assertFalse(filter.mightContain(element), "an element is left of what was removed");
    }
    assertEquals(OptionalLong.of(0), filter.elementCount(), "elementCount when all is removed");
    assertEquals(0, filter.approximateElementCount(), "approximateElementCount of nothing");
  }
}
