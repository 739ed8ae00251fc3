package io.bloomkit.examples;

import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Bills each click on an advertisement once. Clicks are repeated within seconds, by impatient users
 * and by network retries. Eight threads process them. An expiring filter remembers the clicks of
 * the last insertions.
 *
 * <p>A false positive is a click that is not billed. Of several racing additions of a click,
 * exactly one returns true. A repeat is billed only if its thread stops while the others process
 * the rest of the window.
 */
final class RepeatedClicks {

  private static final int THREADS = 8;
  private static final double FPP = 0.001;

  private final ExpiringCuckooFilter<Long> recent;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicIntegerArray billed;
  private final int clicks;
  private final int window;

  private RepeatedClicks(int clicks) {
    this.clicks = clicks;
    window = clicks / 20;
    recent =
        ExpiringCuckooFilter.builder(HashStrategies.longs())
            .expecting(window, FPP)
            .window(window)
            .build();
    billed = new AtomicIntegerArray(clicks);
  }

  static void run(int clicks, Path folder, Report report) throws Exception {
    RepeatedClicks example = new RepeatedClicks(clicks);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    long start = System.nanoTime();
    try {
      for (Future<?> worker :
          threads.invokeAll(Collections.nCopies(THREADS, Executors.callable(example::work)))) {
        worker.get();
      }
    } finally {
      threads.shutdown();
    }
    report.timed("clicks of eight threads", clicks, start);
    example.report(report);
  }

  private void work() {
    for (int i = next.getAndIncrement(); i < clicks; i = next.getAndIncrement()) {
      int id = id(i);
      if (recent.addLong(id)) { // certainly not in the window
        billed.incrementAndGet(id);
      }
    }
  }

  /**
   * Returns the ID of a click. Every fifth click is a repeat of a click up to half a window
   * earlier.
   */
  private int id(int click) {
    if (click % 5 != 4) {
      return click;
    }
    int earlier = Math.max(0, click - 1 - new SplittableRandom(click).nextInt(window / 2));
    return earlier % 5 == 4 ? earlier - 1 : earlier;
  }

  private void report(Report report) {
    int distinct = 0;
    int notBilled = 0;
    int billedTwice = 0;
    int forgotten = 0;
    int positive = 0;
    for (int id = 0; id < clicks; id++) {
      if (id % 5 != 4) {
        distinct++;
        notBilled += billed.get(id) == 0 ? 1 : 0;
        billedTwice += billed.get(id) > 1 ? 1 : 0;
        if (id < clicks / 2) { // ten windows ago
          forgotten++;
          positive += recent.mightContainLong(id) ? 1 : 0;
        }
      }
    }
    report.line("repeated clicks billed again", "%d of %,d", billedTwice, clicks - distinct);
    report.line(
        "clicks not billed",
        "%,d of %,d, at most %,.0f expected",
        notBilled,
        distinct,
        FPP * distinct);
    report.falsePositives(
        "false positives, eight threads", positive, forgotten, recent.expectedFpp());
    report.line(
        "memory of the filter", "%,d kB for a window of %,d", recent.memoryBytes() / 1000, window);
  }
}
