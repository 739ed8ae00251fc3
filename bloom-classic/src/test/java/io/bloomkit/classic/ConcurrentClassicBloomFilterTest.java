package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FlatShape;
import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promise of a concurrent filter, with real threads. */
@Timeout(60)
class ConcurrentClassicBloomFilterTest {

  private static final int THREADS = 4;
  private static final int ELEMENTS = 50_000;

  private static ClassicBloomFilter<Long> concurrentFilter() {
    return ClassicBloomFilter.builder(HashStrategies.longs())
        .expecting(ELEMENTS, 0.01)
        .concurrent()
        .build();
  }

  /** Runs a task in every thread at once and returns what they return. */
  private static <R> List<R> race(ThreadTask<R> task) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Callable<R>> calls = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        calls.add(
            () -> {
              start.await();
              return task.run(thread);
            });
      }
      List<R> results = new ArrayList<>();
      for (Future<R> future : threads.invokeAll(calls)) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }
  }

  private interface ThreadTask<R> {
    R run(int thread) throws Exception;
  }

  @Test
  void racingAdditionsAreAllKeptAndGiveTheBitsOfASequentialFilter() throws Exception {
    ClassicBloomFilter<Long> filter = concurrentFilter();
    race(
        thread -> {
          for (long i = thread; i < ELEMENTS; i += THREADS) {
            filter.add(i);
            assertTrue(filter.mightContain(i));
          }
          return 0;
        });
    ClassicBloomFilter<Long> sequential =
        ClassicBloomFilter.create(HashStrategies.longs(), ELEMENTS, 0.01);
    for (long i = 0; i < ELEMENTS; i++) {
      sequential.add(i);
    }
    assertEquals(sequential, filter);
    assertEquals(sequential.setPositions(), filter.setPositions());
    assertEquals(sequential.elementCount(), filter.elementCount());
    assertEquals(sequential, filter.copy());
  }

  @Test
  void ofRacingAdditionsExactlyOneSetsEachBit() throws Exception {
    // One hash, all bits in two words: every addition is a race for a word with every other.
    FlatShape shape = new FlatShape(128, 1);
    long[] hashOfBit = new long[128];
    for (int bit = 0; bit < 128; bit++) {
      hashOfBit[bit] = ((long) bit << (Long.SIZE - 7)) | 1;
    }
    int rounds = 20_000;
    List<ClassicBloomFilter<Long>> filters = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      ClassicBloomFilter<Long> filter =
          ClassicBloomFilter.builder(HashStrategies.longs()).shape(shape).concurrent().build();
      filters.add(filter.copy()); // which must be as concurrent
    }
    List<Integer> added =
        race(
            thread -> {
              int count = 0;
              for (ClassicBloomFilter<Long> filter : filters) {
                for (int i = 0; i < 128; i++) {
                  count += filter.addHash(hashOfBit[(i + 32 * thread) % 128]) ? 1 : 0;
                }
              }
              return count;
            });
    assertEquals(rounds * 128, added.stream().mapToInt(Integer::intValue).sum());
    for (ClassicBloomFilter<Long> filter : filters) {
      assertEquals(128, filter.setPositions());
      assertEquals(1, filter.expectedFpp());
      assertEquals(THREADS * 128L, filter.elementCount().orElseThrow());
    }
  }
}
