package io.bloomkit.cuckoo;

import io.bloomkit.hash.HashStrategies;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/**
 * Prints memory and time of expiring filters; no test: {@code mvn test -pl bloom-counting -am
 * -Dtest=ExpiringFigures -Dsurefire.failIfNoSpecifiedTests=false -Dtest.compiler=}. Ratios are
 * medians of rounds in which both filters take turns.
 */
class ExpiringFigures {

  private static final int ELEMENTS = Integer.getInteger("figures.elements", 1_000_000);
  private static final int MANY = 10 * ELEMENTS;
  private static final int ROUNDS = Integer.getInteger("figures.rounds", 9);
  private static final int EPOCHS = 15;
  private static final long EPOCH_MILLIS = 1_000_000;

  /** The clock moves this often in an epoch. */
  private static final int STEPS = 20;

  /** A filter with a clock that the test sets, and new elements that come evenly. */
  private static final class Traffic {

    private final SplittableRandom random = new SplittableRandom(1);
    private final ExpiringCuckooFilter<Long> filter;
    private long millis;

    /** The hashes of the last epoch. */
    private long[] latest = {};

    Traffic(int expected, double fpp) {
      filter =
          ExpiringCuckooFilter.builder(HashStrategies.longs())
              .expecting(expected, fpp)
              .expireAfterAdd(Duration.ofMillis(EPOCHS * EPOCH_MILLIS))
              .clock(() -> Instant.ofEpochMilli(millis))
              .build();
    }

    /** Returns the mean number of bits per element of the last time to live. */
    double bits(int perTimeToLive, int epochs, int times) {
      double bytes = 0;
      for (int epoch = 0; epoch < epochs; epoch++) {
        addInAnEpoch(perTimeToLive / EPOCHS, times);
        bytes += epoch < epochs - EPOCHS ? 0 : filter.memoryBytes();
      }
      return Byte.SIZE * bytes / Math.min(epochs, EPOCHS) / perTimeToLive;
    }

    /** Returns the nanoseconds per addition of new elements. */
    double addInAnEpoch(int count, int times) {
      latest = random.longs(count).toArray();
      long start = millis;
      long nanos = 0;
      for (int step = 0; step < STEPS; step++) {
        millis = start + step * EPOCH_MILLIS / STEPS;
        int from = (int) ((long) count * step / STEPS);
        int to = (int) ((long) count * (step + 1) / STEPS);
        long begin = System.nanoTime();
        for (int i = from; i < to; i++) {
          for (int time = 0; time < times; time++) {
            filter.addHash(latest[i]);
          }
        }
        nanos += System.nanoTime() - begin;
      }
      millis = start + EPOCH_MILLIS;
      return (double) nanos / count;
    }
  }

  private static void print(String goal, String limit, String format, Object... figures) {
    System.out.println(
        "| " + goal + " | " + limit + " | " + String.format(Locale.ROOT, format, figures) + " |");
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double nanosEach(long[] hashes, LongPredicate operation) {
    long begin = System.nanoTime();
    int results = 0;
    for (long hash : hashes) {
      results += operation.test(hash) ? 1 : 0;
    }
    double nanos = (double) (System.nanoTime() - begin);
    return results < 0 ? Double.NaN : nanos / hashes.length;
  }

  private static void printMemory() {
    for (double fpp : new double[] {0.01, 0.001}) {
      Traffic traffic = new Traffic(ELEMENTS, fpp);
      double first = traffic.bits(ELEMENTS, 4 * EPOCHS, 1);
      print(
          "bits, steady, at " + fpp + ", after 4 and 12 times to live",
          fpp == 0.01 ? "16.5" : "20",
          "%.2f, %.2f",
          first,
          traffic.bits(ELEMENTS, 8 * EPOCHS, 1));
      print(
          "the same, each element four times",
          "the same",
          "%.2f",
          new Traffic(ELEMENTS, fpp).bits(ELEMENTS, 4 * EPOCHS, 4));
    }
    double sum = 0;
    for (int tenth = 1; tenth <= 10; tenth++) {
      sum += new Traffic(ELEMENTS, 0.01).bits(ELEMENTS / 10 * tenth, 4 * EPOCHS, 1);
    }
    print("bits at 0.01, mean over a tenth to all", "19.5", "%.2f", sum / 10);
    Traffic falling = new Traffic(ELEMENTS, 0.01);
    falling.bits(ELEMENTS, 4 * EPOCHS, 1);
    double peak = (double) falling.filter.memoryBytes();
    falling.bits(ELEMENTS / 5, EPOCHS, 1);
    double after = falling.filter.memoryBytes() / peak;
    falling.bits(ELEMENTS / 5, 1, 1);
    print(
        "memory of the peak's, traffic at a fifth for 15 and 16 epochs",
        "0.3",
        "%.3f, %.3f",
        after,
        falling.filter.memoryBytes() / peak);
  }

  private static void printTimes() {
    Traffic traffic = new Traffic(ELEMENTS, 0.01);
    traffic.bits(ELEMENTS, 2 * EPOCHS, 1);
    SplittableRandom random = new SplittableRandom(2);
    double[] absent = new double[ROUNDS];
    double[] present = new double[ROUNDS];
    double[] added = new double[ROUNDS];
    double[] again = new double[ROUNDS];
    for (int round = -2; round < ROUNDS; round++) {
      int at = Math.max(0, round);
      DynamicCuckooFilter<Long> dynamic =
          DynamicCuckooFilter.create(HashStrategies.longs(), ELEMENTS, 0.01);
      long[] all = random.longs(ELEMENTS).toArray();
      double filling = nanosEach(all, dynamic::addHash);
      double ours = 0;
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        ours += traffic.addInAnEpoch(ELEMENTS / EPOCHS, 1) / EPOCHS;
      }
      added[at] = ours / filling;
      long[] others = random.longs(ELEMENTS).toArray();
      absent[at] =
          nanosEach(others, traffic.filter::mightContainHash)
              / nanosEach(others, dynamic::mightContainHash);
      long[] theirs = Arrays.copyOf(all, traffic.latest.length);
      present[at] =
          nanosEach(traffic.latest, traffic.filter::mightContainHash)
              / nanosEach(theirs, dynamic::mightContainHash);
      again[at] =
          nanosEach(traffic.latest, traffic.filter::addHash) / nanosEach(theirs, dynamic::addHash);
    }
    print("query of absent ones, of DynamicCuckooFilter's time", "1.15", "%.2f", median(absent));
    print("query of present ones", "1.15", "%.2f", median(present));
    print("addition of new ones, with sweeps, of its filling", "1.3", "%.2f", median(added));
    print("addition of present ones", "1.0", "%.2f", median(again));
  }

  private static void printSweeps() {
    Traffic traffic = new Traffic(ELEMENTS, 0.01);
    traffic.bits(ELEMENTS, 2 * EPOCHS, 1);
    double[] idle = new double[ROUNDS];
    double[] expired = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      traffic.addInAnEpoch(ELEMENTS / EPOCHS, 1);
      double entries = (double) traffic.filter.liveFingerprints();
      long begin = System.nanoTime();
      traffic.filter.expire();
      expired[round] = (System.nanoTime() - begin) / entries;
      Traffic young = new Traffic(ELEMENTS, 0.01);
      young.bits(ELEMENTS, EPOCHS - 1, 1);
      entries = (double) young.filter.liveFingerprints();
      begin = System.nanoTime();
      young.filter.expire();
      idle[round] = (System.nanoTime() - begin) / entries;
    }
    print(
        "sweep, ns per entry, where nothing and where a fifteenth expires",
        "1.2",
        "%.2f, %.2f",
        median(idle),
        median(expired));
  }

  private static void printPauses() {
    Traffic traffic = new Traffic(MANY, 0.01);
    traffic.bits(MANY, EPOCHS, 1);
    long[] nanos = new long[MANY];
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < MANY; i++) {
      traffic.millis += i % (MANY / EPOCHS / STEPS) == 0 ? EPOCH_MILLIS / STEPS : 0;
      long hash = random.nextLong();
      long begin = System.nanoTime();
      traffic.filter.addHash(hash);
      nanos[i] = System.nanoTime() - begin;
    }
    Arrays.sort(nanos);
    print(
        String.format(Locale.ROOT, "ms of an addition, 99.99th percentile, %,d elements", MANY),
        "0.5",
        "%.3f",
        nanos[(int) (MANY * 0.9999)] / 1e6);
  }

  @Test
  void table() {
    System.out.printf(
        Locale.ROOT,
        "Java %s, %,d elements%n%n| what | goal | figure |%n|---|---|---|%n",
        Runtime.version().feature(),
        ELEMENTS);
    printMemory();
    printTimes();
    printSweeps();
    printPauses();
  }
}
