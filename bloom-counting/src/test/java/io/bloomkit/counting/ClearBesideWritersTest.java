package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.counting.dynamic.DynamicCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/** Two threads add elements while a third one clears the filter. */
class ClearBesideWritersTest {

  private static final int WRITERS = 2;
  private static final long ELEMENTS = 60_000;
  private static final double FPP = 1e-8;

  @Test
  void cuckooFilter() throws Exception {
    CuckooFilter<Long> filter =
        CuckooFilter.builder(HashStrategies.longs())
            .expecting(WRITERS * ELEMENTS, FPP)
            .concurrent()
            .<Long>build();
    clearWhileOthersAdd(filter);
  }

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
    AtomicLongArray begun = new AtomicLongArray(WRITERS);
    AtomicLongArray ended = new AtomicLongArray(WRITERS);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(
            threads.submit(
                () -> {
                  for (long index = 0; index < ELEMENTS; index++) {
                    begun.set(writer, index + 1);
                    filter.add(element(writer, index));
                    ended.set(writer, index + 1);
                  }
                }));
      }
      long[] checked = new long[WRITERS];
      boolean isOver = false;
      while (!isOver) {
        isOver = writers.stream().allMatch(Future::isDone);
        long[] before = {ended.get(0), ended.get(1)};
        filter.clear();
        long[] after = {begun.get(0), begun.get(1)};
        for (int writer = 0; writer < WRITERS; writer++) {
          for (long i = checked[writer]; i < before[writer]; i++) {
            assertFalse(filter.mightContain(element(writer, i)), "added before, still there");
          }
          TimeUnit.MICROSECONDS.sleep(300);
          for (long i = after[writer], end = ended.get(writer); i < end; i++) {
            assertTrue(filter.mightContain(element(writer, i)), "added afterwards, lost");
          }
          checked[writer] = before[writer];
        }
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(0, filter.elementCount().orElseThrow(), "the last addition was cleared");
  }
}
