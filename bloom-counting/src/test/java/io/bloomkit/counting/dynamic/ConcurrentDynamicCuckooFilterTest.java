package io.bloomkit.counting.dynamic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Eight threads on one filter, whose outcome an exact model knows. */
class ConcurrentDynamicCuckooFilterTest {

  private static final int WRITERS = 4;
  private static final int READERS = 4;
  private static final long SEED = 20261123;

  /** Hashes of a writer that no other writer has. */
  private static long hash(int writer, long number) {
    return new SplittableRandom(number * WRITERS + writer).nextLong();
  }

  /**
   * Each writer adds and removes a window of elements of its own, so tables grow, divide, shrink
   * and join; elements that stay are queried meanwhile.
   */
  private static void soak(long rounds, int window, double fpp) throws Exception {
    DynamicCuckooFilter<Long> filter =
        DynamicCuckooFilter.builder(HashStrategies.longs())
            .expectingAtMost(200_000, fpp)
            .concurrent()
            .build();
    int staying = 2_000;
    for (long element = 0; element < staying; element++) {
      filter.addHash(hash(0, -1 - element));
    }
    AtomicBoolean isDone = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + READERS);
    try {
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        long seed = SEED + i;
        readers.add(threads.submit(() -> denials(filter, staying, seed, isDone)));
      }
      List<Callable<Void>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(() -> write(filter, writer, rounds, window));
      }
      for (Future<Void> writer : threads.invokeAll(writers)) {
        writer.get();
      }
      isDone.set(true);
      for (Future<Long> reader : readers) {
        assertEquals(0, reader.get());
      }
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }
    DynamicCuckooFilter<Long> model =
        DynamicCuckooFilter.create(HashStrategies.longs(), 200_000, fpp);
    for (long element = 0; element < staying; element++) {
      model.addHash(hash(0, -1 - element));
    }
    for (int writer = 0; writer < WRITERS; writer++) {
      for (long number = (rounds - 1) * window; number < rounds * window; number++) {
        model.addHash(hash(writer, number));
        model.addHash(hash(WRITERS - 1 - writer, number / 64));
      }
    }
    assertEquals(model, filter);
    assertEquals(model.distinctFingerprints(), filter.distinctFingerprints());
    assertEquals(model.elementCount(), filter.elementCount());
  }

  private static Void write(DynamicCuckooFilter<Long> filter, int writer, long rounds, int window) {
    for (long round = 0; round < rounds; round++) {
      for (long number = round * window; number < (round + 1) * window; number++) {
        filter.addHash(hash(writer, number));
        filter.addHash(hash(WRITERS - 1 - writer, number / 64)); // shared with another writer
        assertTrue(filter.mightContainHash(hash(writer, number)));
      }
      for (long number = (round - 1) * window; number < round * window; number++) {
        if (round > 0) {
          assertTrue(filter.removeHash(hash(writer, number)));
          assertTrue(filter.removeHash(hash(WRITERS - 1 - writer, number / 64)));
        }
      }
    }
    return null;
  }

  private static long denials(
      DynamicCuckooFilter<Long> filter, int staying, long seed, AtomicBoolean isDone) {
    SplittableRandom random = new SplittableRandom(seed);
    long denials = 0;
    while (!isDone.get()) {
      for (int i = 0; i < 1_000; i++) {
        long hash = hash(0, -1 - random.nextInt(staying));
        denials += filter.mightContainHash(hash) ? 0 : 1;
        denials += i % 100 == 0 && filter.countHash(hash) == 0 ? 1 : 0;
      }
    }
    return denials;
  }

  @Test
  void eightThreadsLeaveWhatTheModelHas() throws Exception {
    soak(6, 5_000, 0.01);
    soak(40, 200, 0.0001);
  }

  @Test
  @Tag("deep")
  @Tag("jdk")
  void eightThreadsLeaveWhatTheModelHasAfterManyRounds() throws Exception {
    soak(60, 30_000, 0.01);
    soak(2_000, 500, 0.0001);
  }
}
