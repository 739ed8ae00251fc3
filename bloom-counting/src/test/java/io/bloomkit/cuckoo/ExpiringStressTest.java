package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads use one filter, each with its own elements, of which it knows from when to when they are
 * alive. Meanwhile, another thread sweeps and copies the filter.
 */
class ExpiringStressTest {

  private static final long SEED = 20261127;
  private static final int THREADS = 8;
  private static final long TTL = 1_500;
  private static final long EPOCH = 100;

  private final ManualClock clock = new ManualClock(1_000_000);

  /** So small a rate that no two elements share a fingerprint. */
  private final ExpiringCuckooFilter<Long> filter =
      ExpiringCuckooFilter.<Long>builder(HashStrategies.longs())
          .expecting(30_000, 1e-12)
          .expireAfterAdd(Duration.ofMillis(TTL))
          .clock(clock)
          .build();

  private final class Worker implements Owner {
    private final SplittableRandom random;
    private final int operations;
    private final long[] hashes;

    /** The last time until which each element is certainly alive, and the first of its absence. */
    private final long[] aliveTo;

    private final long[] goneFrom;

    Worker(int thread, int operations, int elements) {
      this.random = new SplittableRandom(SEED + thread);
      this.operations = operations;
      this.hashes = random.longs(elements).toArray();
      this.aliveTo = new long[elements];
      this.goneFrom = new long[elements];
      Arrays.fill(aliveTo, Long.MIN_VALUE);
      Arrays.fill(goneFrom, Long.MIN_VALUE);
    }

    @Override
    public Void call() {
      for (int i = 0; i < operations; i++) {
        int element = random.nextInt(hashes.length);
        int kind = random.nextInt(10);
        long start = clock.millis();
        boolean result;
        if (kind < 3) {
          long ttl = random.nextBoolean() ? TTL : random.nextLong(1, TTL + 1);
          result = !filter.addHash(hashes[element], Duration.ofMillis(ttl));
          check(element, result, start, clock.millis());
          aliveTo[element] = Math.max(aliveTo[element], start + ttl);
          goneFrom[element] =
              Math.max(goneFrom[element], clock.millis() / EPOCH * EPOCH + ttl + 2 * EPOCH);
        } else if (kind == 3) {
          result = filter.removeHash(hashes[element]);
          check(element, result, start, clock.millis());
          aliveTo[element] = Long.MIN_VALUE;
          goneFrom[element] = Long.MIN_VALUE;
        } else {
          check(element, filter.mightContainHash(hashes[element]), start, clock.millis());
        }
      }
      return null;
    }

    private void check(int element, boolean result, long start, long end) {
      if (end <= aliveTo[element]) {
        assertTrue(result, "a live element was not found");
      }
      if (start >= goneFrom[element]) {
        assertFalse(result, "an expired element was found");
      }
    }

    @Override
    public void checkAll(ExpiringCuckooFilter<Long> checked) {
      for (int i = 0; i < hashes.length; i++) {
        check(i, checked.mightContainHash(hashes[i]), clock.millis(), clock.millis());
      }
    }
  }

  private void stress(int operations, int elements) throws Exception {
    List<Worker> workers = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      workers.add(new Worker(thread, operations, elements));
    }
    stress(filter, workers, this::disturb);
  }

  /** A thread with its elements. */
  interface Owner extends Callable<Void> {
    void checkAll(ExpiringCuckooFilter<Long> checked);
  }

  /** Runs the threads, and beside them a disturbance that ends when it is told so. */
  static void stress(
      ExpiringCuckooFilter<Long> filter,
      List<? extends Owner> owners,
      Consumer<AtomicBoolean> disturbance)
      throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      AtomicBoolean isDone = new AtomicBoolean();
      List<Future<Void>> results = new ArrayList<>();
      owners.forEach(owner -> results.add(threads.submit(owner)));
      Future<?> other = threads.submit(() -> disturbance.accept(isDone));
      for (Future<Void> result : results) {
        result.get();
      }
      isDone.set(true);
      other.get();
      for (Owner owner : owners) {
        owner.checkAll(filter);
        owner.checkAll(filter.copy());
      }
      filter.expire();
      assertEquals(filter.liveFingerprints(), filter.entries());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Lets time pass, and sweeps and copies. */
  private void disturb(AtomicBoolean isDone) {
    SplittableRandom random = new SplittableRandom(SEED);
    while (!isDone.get()) {
      int kind = random.nextInt(30);
      if (kind == 0) {
        filter.expire();
      } else if (kind == 1) {
        ExpiringCuckooFilter<Long> copy = filter.copy();
        copy.expire();
        assertEquals(copy.liveFingerprints(), copy.entries());
      } else if (kind == 2) {
        assertTrue(filter.liveFingerprints() <= 2_000_000);
      } else if (kind == 3 && random.nextInt(20) == 0) {
        clock.pass(2 * TTL); // tables shrink and are joined
      } else {
        clock.pass(random.nextInt(30));
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void threadsFindTheirLiveElements() throws Exception {
    stress(60_000, 4_000);
  }

  @Test
  @Tag("campaign")
  void threadsFindTheirLiveElementsForManyOperations() throws Exception {
    stress(1_000_000, 4_000);
    clock.pass(10 * TTL);
    stress(1_000_000, 50_000);
  }
}
