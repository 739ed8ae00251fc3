package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The promise of a concurrent filter of counters, with real threads on a small filter whose
 * counters collide.
 */
@Timeout(60)
abstract class RacingCounters {

  private static final int THREADS = 4;

  /** So small that every counter is shared, passes fifteen and comes back all the time. */
  abstract CounterFilter<Long> crowded();

  /** With room for thousands. */
  abstract CounterFilter<Long> spacious();

  /** The nine elements that a race puts into it at once fill it to a large part. */
  abstract CounterFilter<Long> tiny();

  abstract long nonZeroCounters(CounterFilter<Long> filter);

  private static void race(ThreadTask task) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Callable<Object>> calls = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        calls.add(
            () -> {
              start.await();
              task.run(thread);
              return thread;
            });
      }
      for (Future<Object> future : threads.invokeAll(calls)) {
        future.get();
      }
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }
  }

  private interface ThreadTask {
    void run(int thread) throws Exception;
  }

  @Test
  void racingAdditionsAndRemovalsLeaveTheCountersOfWhatIsLeft() throws Exception {
    for (Supplier<CounterFilter<Long>> filters :
        List.<Supplier<CounterFilter<Long>>>of(this::crowded, this::spacious)) {
      CounterFilter<Long> filter = filters.get();
      race(
          thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            List<Long> own = new ArrayList<>();
            for (int i = 0; i < 100_000; i++) {
              if (own.size() < 500 && random.nextInt(100) < 52) {
                long element = random.nextLong(1_000);
                filter.add(element);
                own.add(element);
                assertTrue(filter.mightContain(element));
              } else if (!own.isEmpty()) {
                assertTrue(filter.remove(own.remove(random.nextInt(own.size()))));
              }
            }
            for (long element : own) {
              assertTrue(filter.count(element) > 0);
              assertTrue(filter.remove(element));
            }
            filter.add((long) thread);
          });
      CounterFilter<Long> expected = filters.get();
      LongStream.range(0, THREADS).forEach(expected::add);
      assertEquals(expected, filter);
      assertEquals(nonZeroCounters(expected), nonZeroCounters(filter));
      assertEquals(expected.elementCount(), filter.elementCount());
      assertEquals(0, filter.overflowedCounters());
    }
  }

  @Test
  void storedElementIsPositiveWhileOthersAreAddedAndRemoved() throws Exception {
    CounterFilter<Long> filter = crowded();
    long[] staying = LongStream.range(0, 5).toArray();
    LongStream.of(staying).forEach(filter::add);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger writers = new AtomicInteger(THREADS - 1);
    race(
        thread -> {
          if (thread == 0) {
            while (!done.get()) {
              for (long element : staying) {
                assertTrue(filter.mightContain(element));
                assertTrue(filter.count(element) >= 1);
              }
            }
          } else {
            try {
              // Over fifteen and back, on counters of the staying elements too.
              for (int round = 0; round < 300; round++) {
                for (long i = 0; i < 100; i++) {
                  filter.add(100 + i);
                }
                for (long i = 0; i < 100; i++) {
                  assertTrue(filter.remove(100 + i));
                }
              }
            } finally {
              if (writers.decrementAndGet() == 0) {
                done.set(true);
              }
            }
          }
        });
    CounterFilter<Long> expected = crowded();
    LongStream.of(staying).forEach(expected::add);
    assertEquals(expected, filter);
  }

  @Test
  void figuresCanBeReadWhileOthersWrite() throws Exception {
    CounterFilter<Long> filter = tiny();
    AtomicInteger writers = new AtomicInteger(THREADS - 1);
    race(
        thread -> {
          if (thread == 0) {
            while (writers.get() > 0) {
              double fpp = filter.expectedFpp();
              assertTrue(fpp >= 0 && fpp <= 1);
              assertTrue(filter.approximateElementCount() >= 0);
              assertTrue(filter.elementCount().orElse(0) >= 0);
            }
          } else {
            try {
              // Between empty and full all the time, so that a sum may leave either end.
              for (long i = 0; i < 600_000; i += 3) {
                filter.add(i);
                filter.add(i + 1);
                filter.add(i + 2);
                assertTrue(filter.remove(i));
                assertTrue(filter.remove(i + 1));
                assertTrue(filter.remove(i + 2));
              }
            } finally {
              writers.decrementAndGet();
            }
          }
        });
    assertEquals(0, nonZeroCounters(filter));
  }

  @Test
  void ofRacingRemovalsOfASingleOccurrenceOneSucceeds() throws Exception {
    int rounds = 3000;
    List<CounterFilter<Long>> filters = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      filters.add(crowded());
      filters.get(i).add((long) i);
    }
    AtomicInteger removed = new AtomicInteger();
    race(
        thread -> {
          for (int i = 0; i < rounds; i++) {
            removed.addAndGet(filters.get(i).remove((long) i) ? 1 : 0);
          }
        });
    assertEquals(rounds, removed.get());
    CounterFilter<Long> empty = crowded();
    filters.forEach(filter -> assertEquals(empty, filter));
  }

  @Test
  void racingRemovalsOfOneElementTakeEachOccurrenceOnce() throws Exception {
    CounterFilter<Long> filter = crowded();
    for (int i = 0; i < 10_000; i++) {
      filter.add(1L);
    }
    AtomicInteger removed = new AtomicInteger();
    race(
        thread -> {
          while (filter.remove(1L)) {
            removed.incrementAndGet();
          }
        });
    assertEquals(10_000, removed.get());
    assertEquals(crowded(), filter);
  }
}
