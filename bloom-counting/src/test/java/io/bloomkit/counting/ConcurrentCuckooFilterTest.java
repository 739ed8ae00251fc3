package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.testkit.ConcurrentDeletableFilterContract;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The promise of a concurrent filter, with real threads. When full it has no place to spare. */
class ConcurrentCuckooFilterTest implements ConcurrentDeletableFilterContract<Long> {

  private static final int WRITERS = 4;

  @Override
  public CuckooFilter<Long> newFilter(long expectedInsertions, double fpp) {
    return CuckooFilter.builder(HashStrategies.longs())
        .expecting(expectedInsertions, fpp)
        .concurrent()
        .build();
  }

  @Override
  public Long element(long index) {
    return index;
  }

  /** The threads add the same elements, more than fit: each is added once, or refused by all. */
  @Test
  void ofRacingFirstAdditionsOneReturnsTrueUntilTheFilterIsFull() throws Exception {
    int capacity = 1_000;
    CuckooFilter<Long> filter = newFilter(capacity, 1e-6);
    AtomicInteger first = new AtomicInteger();
    CyclicBarrier start = new CyclicBarrier(WRITERS);
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        tasks.add(
            () -> {
              start.await();
              int refused = 0;
              for (long number = 0; number < capacity + 100; number++) {
                try {
                  first.addAndGet(filter.add(number) ? 1 : 0);
                } catch (IllegalStateException full) {
                  refused++;
                }
              }
              return refused;
            });
      }
      for (Future<Integer> refused : threads.invokeAll(tasks)) {
        assertEquals(100, refused.get());
      }
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }
    assertEquals(capacity, first.get());
    assertEquals(capacity, filter.distinctFingerprints());
    assertEquals((long) WRITERS * capacity, filter.elementCount().orElseThrow());
  }
}
