package io.bloomkit.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.testkit.internal.ContractSeeds;
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
 * Concurrent writers that add and remove copies of elements, and readers that query elements that
 * are never removed. Each writer knows how many copies it has added and not removed; the filter
 * must have at least that many at any time, whatever the other threads do.
 */
final class ConcurrentStress<T> {

  private static final int WRITERS = 4;
  private static final int READERS = 4;

  /** One element in this number is never removed. */
  private static final int PERMANENT_SHARE = 4;

  /** When a writer has added about this many copies per element, it begins to remove them. */
  private static final double MAX_COPIES = 1.2;

  private static final int STEPS_BETWEEN_FIGURES = 1 << 10;

  private final DeletableFilter<T> filter;
  private final List<T> elements = new ArrayList<>();
  private final int permanent;
  private final AtomicInteger writing = new AtomicInteger(WRITERS);

  /** The number of copies of each element in the filter after the threads have ended. */
  private final long[] stored;

  ConcurrentStress(DeletableFilter<T> filter, LongFunction<T> element, int elements) {
    this.filter = filter;
    this.permanent = elements / PERMANENT_SHARE;
    this.stored = new long[elements];
    for (int i = 0; i < elements; i++) {
      this.elements.add(element.apply(i));
    }
  }

  /** All writers add and remove the same elements, so the filter grows and shrinks. */
  void runInWaves(int steps) throws Exception {
    run((writer, random) -> addAndRemove(random, steps));
  }

  /**
   * Each writer repeatedly removes one of its own elements and adds another one again, so the
   * filter is always nearly full.
   */
  void runCrowded(int steps) throws Exception {
    run((writer, random) -> replace(writer, random, steps));
  }

  /** Runs a writer and returns how many copies of each element it has added and not removed. */
  private interface Writer {
    int[] write(int writer, SplittableRandom random);
  }

  private void run(Writer writers) throws Exception {
    assertTrue(filter.isConcurrent(), "isConcurrent");
    for (int i = 0; i < permanent; i++) {
      filter.add(elements.get(i));
      stored[i]++;
    }
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + READERS);
    try {
      List<Callable<int[]>> parts = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        parts.add(() -> write(writers, writer));
      }
      for (int i = 0; i < READERS; i++) {
        SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY - 1 - i);
        parts.add(() -> read(random));
      }
      for (Future<int[]> part : threads.invokeAll(parts)) {
        int[] copies = part.get();
        for (int i = 0; i < copies.length; i++) {
          stored[i] += copies[i];
        }
      }
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS), "a thread does not end");
    }
  }

  private int[] write(Writer writers, int writer) {
    try {
      return writers.write(writer, new SplittableRandom(ContractSeeds.HISTORY + writer));
    } finally {
      writing.decrementAndGet();
    }
  }

  private int[] addAndRemove(SplittableRandom random, int steps) {
    int[] copies = new int[elements.size()];
    int removable = elements.size() - permanent;
    long maxSum = Math.round(MAX_COPIES * removable);
    long sum = 0;
    boolean isGrowing = true;
    for (int step = 0; step < steps; step++) {
      isGrowing = sum == 0 || (isGrowing && sum < maxSum);
      int i = permanent + random.nextInt(removable);
      if (random.nextInt(4) < (isGrowing ? 3 : 1)) {
        add(i, copies[i]++);
        sum++;
      } else if (copies[i] > 0) {
        remove(i, copies[i]--);
        sum--;
      }
    }
    return copies;
  }

  private int[] replace(int writer, SplittableRandom random, int steps) {
    int[] copies = new int[elements.size()];
    int own = (elements.size() - permanent) / WRITERS;
    for (int number = 1; number < own; number++) {
      add(own(writer, number), copies[own(writer, number)]++);
    }
    int absent = own(writer, 0);
    for (int step = 0; step < steps; step++) {
      int next = own(writer, random.nextInt(own));
      if (next != absent) { // if both are equal, there is nothing to exchange
        remove(next, copies[next]--);
        add(absent, copies[absent]++);
        absent = next;
      }
    }
    return copies;
  }

  /** Returns the index of an element that only one writer adds. */
  private int own(int writer, int number) {
    return permanent + writer + WRITERS * number;
  }

  private void add(int i, int copies) {
    boolean added = filter.add(elements.get(i));
    assertFalse(added && copies > 0, () -> "add of a stored element returned true: index " + i);
    checkContains(i, copies + 1L);
  }

  private void remove(int i, int copies) {
    assertTrue(
        filter.remove(elements.get(i)),
        () -> "remove of a stored element returned false: index " + i);
    checkContains(i, copies - 1L);
  }

  private void checkContains(int i, long copies) {
    assertTrue(
        copies == 0 || filter.mightContain(elements.get(i)),
        () -> "a stored element is negative: index " + i);
    long count = filter.count(elements.get(i));
    assertTrue(
        count >= copies, () -> "the count of index " + i + " is " + count + ", not " + copies);
  }

  private int[] read(SplittableRandom random) {
    for (int step = 0; writing.get() > 0; step++) {
      int i = random.nextInt(permanent);
      T element = elements.get(i);
      assertTrue(
          filter.mightContain(element), () -> "an element that stays is negative: index " + i);
      if (step % STEPS_BETWEEN_FIGURES == 0) {
        assertTrue(
            filter.count(element) >= 1,
            () -> "the count of an element that stays is 0: index " + i);
        double fpp = filter.expectedFpp();
        assertTrue(fpp >= 0 && fpp <= 1, () -> "expectedFpp " + fpp + " is not from 0 to 1");
        assertTrue(filter.approximateElementCount() >= 0, "approximateElementCount is negative");
        assertTrue(filter.elementCount().orElse(0) >= 0, "elementCount is negative");
        assertTrue(filter.memoryBytes() > 0, "memoryBytes is not positive");
        assertFalse(filter.toString().isEmpty(), "toString is empty");
      }
    }
    return new int[0];
  }

  /** Adds the remaining elements to an empty filter and compares the two filters. */
  void checkEquals(DeletableFilter<T> model) {
    for (int i = 0; i < stored.length; i++) {
      for (long copies = stored[i]; copies > 0; copies--) {
        model.add(elements.get(i));
      }
    }
    assertEquals(model, filter, "the contents are not those of what is held");
  }

  /**
   * Checks that the filter has the remaining elements, removes them, and checks that it is empty.
   */
  void drain() {
    long sum = 0;
    for (int i = 0; i < stored.length; i++) {
      sum += stored[i];
      checkContains(i, stored[i]);
    }
    assertEquals(OptionalLong.of(sum), filter.elementCount(), "elementCount");
    for (int i = 0; i < stored.length; i++) {
      for (long copies = stored[i]; copies > 0; copies--) {
        remove(i, (int) copies);
      }
    }
    for (int i = 0; i < stored.length; i++) {
      int index = i;
      assertFalse(
          filter.mightContain(elements.get(i)),
          () -> "positive after everything was removed: index " + index);
    }
    assertEquals(OptionalLong.of(0), filter.elementCount(), "elementCount when all is removed");
    assertEquals(0, filter.approximateElementCount(), "approximateElementCount of nothing");
  }
}
