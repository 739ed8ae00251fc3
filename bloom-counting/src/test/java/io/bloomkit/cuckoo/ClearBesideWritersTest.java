package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/** Two threads add elements while a third one clears the filter. */
class ClearBesideWritersTest {

  private static final int WRITERS = 2;
  private static final long ELEMENTS = 30_000;
  private static final int ROUNDS = 20;

  private static final double FPP = 1e-8;

  @Test
  void dynamicCuckooFilter() throws Exception {
    DynamicCuckooFilter<Long> filter =
        DynamicCuckooFilter.create(HashStrategies.longs(), WRITERS * ELEMENTS, FPP);
    long empty = filter.memoryBytes();
    clearWhileOthersAdd(filter);
    for (long i = 0; i < ELEMENTS; i++) {
      filter.add(i);
    }
    filter.clear();
    assertEquals(empty, filter.memoryBytes(), "tables of the cleared elements");
  }

  /** Writer w adds the elements w, w + 2, w + 4, … */
  private static long element(int writer, long index) {
    return writer + WRITERS * index;
  }

  private static void clearWhileOthersAdd(DeletableFilter<Long> filter) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int round = 0; round < ROUNDS; round++) {
        new Round(filter).run(threads, round);
      }
    } finally {
      threads.shutdown();
    }
    filter.clear();
  }

  /** Both threads add their elements to a filter that was cleared before. */
  private static final class Round {

    private final DeletableFilter<Long> filter;
    private final AtomicLongArray begun = new AtomicLongArray(WRITERS);
    private final AtomicLongArray ended = new AtomicLongArray(WRITERS);

    Round(DeletableFilter<Long> filter) {
      this.filter = filter;
    }

    void run(ExecutorService threads, int round) throws Exception {
      filter.clear();
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(threads.submit(() -> add(writer)));
      }
      while (ended.get(0) + ended.get(1) < ELEMENTS * round / ROUNDS) {
        Thread.onSpinWait();
      }
      long[] before = {ended.get(0), ended.get(1)};
      filter.clear();
      long[] after = {begun.get(0), begun.get(1)};
      for (Future<?> writer : writers) {
        writer.get();
      }
      long held = 0;
      for (int writer = 0; writer < WRITERS; writer++) {
        for (long i = 0; i < ELEMENTS; i++) {
          boolean isHeld = filter.mightContain(element(writer, i));
          assertFalse(isHeld && i < before[writer], "an element from before");
          assertTrue(isHeld || i < after[writer], "an element lost");
          held += isHeld ? 1 : 0;
        }
      }
      assertEquals(held, filter.elementCount().orElseThrow(), "elements");
    }

    private void add(int writer) {
      for (long i = 0; i < ELEMENTS; i++) {
        begun.set(writer, i + 1);
        filter.add(element(writer, i));
        ended.set(writer, i + 1);
      }
    }
  }
}
