package io.bloomkit.cuckoo;

import io.bloomkit.hash.HashStrategies;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Prints what growth costs in memory and time; no test: {@code mvn test -pl bloom-counting -am
 * -Dtest=DynamicCuckooFigures -Dsurefire.failIfNoSpecifiedTests=false -Dtest.compiler=}.
 */
class DynamicCuckooFigures {

  private static final int ELEMENTS = Integer.getInteger("figures.elements", 10_000_000);
  private static final int SAMPLES = 100;
  private static final int ROUNDS = 3;

  private static DynamicCuckooFilter<Long> empty(long maxElements, double fpp) {
    return DynamicCuckooFilter.create(HashStrategies.longs(), maxElements, fpp);
  }

  private static double bits(long maxElements, double fpp) {
    DynamicCuckooFilter<Long> filter = empty(maxElements, fpp);
    new SplittableRandom(1).longs(ELEMENTS).forEach(filter::addHash);
    return bits(filter);
  }

  private static double bits(DynamicCuckooFilter<Long> filter) {
    return 8.0 * filter.memoryBytes() / filter.distinctFingerprints();
  }

  /** Returns the mean of the bits per element at 91 equally spaced numbers of elements. */
  private static double bitsWhileGrowing() {
    DynamicCuckooFilter<Long> filter = empty(ELEMENTS, 0.01);
    SplittableRandom random = new SplittableRandom(1);
    double sum = 0;
    int samples = 0;
    for (int i = 1; i <= SAMPLES; i++) {
      random.longs(ELEMENTS / SAMPLES).forEach(filter::addHash);
      if (i >= SAMPLES / 10) {
        sum += bits(filter);
        samples++;
      }
    }
    return sum / samples;
  }

  private static void print(String what, String format, Object... figures) {
    System.out.println("| " + what + " | " + String.format(Locale.ROOT, format, figures) + " |");
  }

  /** Fills a filter and prints what single additions took. */
  private static void printGrowth() {
    DynamicFingerprints filter =
        new DynamicFingerprints(
            new TableSizes(DynamicCuckooShape.of(ELEMENTS, 0.01).space(), ELEMENTS));
    long[] nanos = new long[ELEMENTS];
    SplittableRandom random = new SplittableRandom(2);
    long most = 0;
    long moved = 0;
    long growth = 0;
    for (int i = 0; i < ELEMENTS; i++) {
      long hash = random.nextLong();
      Chunk before = filter.chunks().chunkOf(hash);
      long start = System.nanoTime();
      filter.addHash(hash);
      nanos[i] = System.nanoTime() - start;
      if (filter.chunks().chunkOf(hash) != before) {
        growth += nanos[i];
        moved += before.size();
        most = Math.max(most, before.size());
      }
    }
    Arrays.sort(nanos);
    print("fingerprints in the largest table that was replaced", "%d", most);
    print("fingerprints moved per addition", "%.2f", (double) moved / ELEMENTS);
    print("ns per addition in additions that replace a table", "%.1f", (double) growth / ELEMENTS);
    print(
        "ms of an addition: 99.99th percentile, longest",
        "%.3f, %.2f",
        nanos[(int) (ELEMENTS * 0.9999)] / 1e6,
        nanos[ELEMENTS - 1] / 1e6);
  }

  @Test
  void table() {
    System.out.printf(
        Locale.ROOT,
        "Java %s, %,d elements%n%n| what | figure |%n|---|---|%n",
        Runtime.version().feature(),
        ELEMENTS);
    print("bits per element, full, 1 %", "%.2f", bits(ELEMENTS, 0.01));
    print("bits per element, full, 0.1 %", "%.2f", bits(ELEMENTS, 0.001));
    print("bits per element, planned for 64 times as many", "%.2f", bits(64L * ELEMENTS, 0.01));
    print("bits per element, mean while growing tenfold", "%.2f", bitsWhileGrowing());
    for (int round = 0; round < ROUNDS; round++) {
      printGrowth();
    }
  }
}
