package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads use one filter with a window of insertions, each with its own elements. They count the
 * additions that have begun and those that have ended, by which elements are certainly within the
 * window or certainly expired. Meanwhile, another thread sweeps and copies the filter.
 */
class ExpiringInsertionsStressTest {

  private static final long SEED = 20261127;
  private static final int THREADS = 8;

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  private final class Worker implements ExpiringStressTest.Owner {
    private static final long ABSENT = Long.MIN_VALUE / 2;

    private final ExpiringCuckooFilter<Long> filter;
    private final SplittableRandom random;
    private final int operations;
    private final long window;
    private final long[] hashes;

    /** The numbers of additions that had ended before that of each element, or begun after it. */
    private final long[] endedBefore;

    private final long[] begunAfter;

    Worker(ExpiringCuckooFilter<Long> filter, int thread, int operations, int elements) {
      this.filter = filter;
      this.random = new SplittableRandom(SEED + thread);
      this.operations = operations;
      this.window = filter.window().orElseThrow();
      this.hashes = random.longs(elements).toArray();
      this.endedBefore = new long[elements];
      this.begunAfter = new long[elements];
      Arrays.fill(endedBefore, ABSENT);
      Arrays.fill(begunAfter, ABSENT);
    }

    @Override
    public Void call() {
      for (int i = 0; i < operations; i++) {
        int element = random.nextInt(hashes.length);
        int kind = random.nextInt(10);
        long endedAtStart = ended.get();
        if (kind < 5) {
          begun.incrementAndGet();
          boolean wasPresent = !filter.addHash(hashes[element]);
          ended.incrementAndGet();
          check(element, wasPresent, endedAtStart, begun.get());
          endedBefore[element] = endedAtStart;
          begunAfter[element] = begun.get();
        } else if (kind == 5) {
          check(element, filter.removeHash(hashes[element]), endedAtStart, begun.get());
          endedBefore[element] = ABSENT;
          begunAfter[element] = ABSENT;
        } else {
          check(element, filter.mightContainHash(hashes[element]), endedAtStart, begun.get());
        }
      }
      return null;
    }

    private void check(int element, boolean result, long endedAtStart, long begunAtEnd) {
      if (begunAtEnd - endedBefore[element] <= window) {
        assertTrue(result, "an element within the window was not found");
      }
      if (endedAtStart - begunAfter[element] >= window + window / 15) {
        assertFalse(result, "an expired element was found");
      }
    }

    @Override
    public void checkAll(ExpiringCuckooFilter<Long> checked) {
      for (int i = 0; i < hashes.length; i++) {
        check(i, checked.mightContainHash(hashes[i]), ended.get(), begun.get());
      }
    }
  }

  private void stress(long window, int operations, int elements) throws Exception {
    begun.set(0);
    ended.set(0);
    ExpiringCuckooFilter<Long> filter =
        ExpiringCuckooFilter.<Long>builder(HashStrategies.longs())
            .expecting(30_000, 1e-12) // so small a rate that no two elements share a fingerprint
            .window(window)
            .build();
    List<Worker> workers = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      workers.add(new Worker(filter, thread, operations, elements));
    }
    ExpiringStressTest.stress(filter, workers, isDone -> disturb(filter, isDone));
  }

  /** Sweeps and copies. */
  private static void disturb(ExpiringCuckooFilter<Long> filter, AtomicBoolean isDone) {
    while (!isDone.get()) {
      filter.expire();
      ExpiringCuckooFilter<Long> copy = filter.copy();
      copy.expire();
      assertEquals(copy.liveFingerprints(), copy.entries());
      assertTrue(filter.liveFingerprints() <= 2_000_000);
    }
  }

  @Test
  void threadsFindTheirElementsWithinTheWindow() throws Exception {
    stress(15, 20_000, 50);
    stress(15_000, 50_000, 4_000);
    stress(150_000, 100_000, 30_000); // counts in stripes
  }

  @Test
  @Tag("campaign")
  void threadsFindTheirElementsForManyOperations() throws Exception {
    stress(150, 1_000_000, 200);
    stress(300_000, 2_000_000, 50_000);
  }
}
