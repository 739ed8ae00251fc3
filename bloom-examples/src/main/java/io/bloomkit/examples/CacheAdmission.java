package io.bloomkit.examples;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one-hit wonders out of a cache. Most keys are requested only once, so a value is cached at
 * the second request for its key within a window. The filter remembers the keys of the window.
 *
 * <p>A cache without an admission policy, such as an LRU cache or a disk, has a higher hit rate
 * with the filter. Caffeine has an admission policy of its own, so its hit rate rises less, but far
 * fewer values are written to it.
 */
final class CacheAdmission {

  private static final double FPP = 0.01;

  /**
   * The rate of the filter is computed once in this number of requests, since that costs a pass.
   */
  private static final int BETWEEN_RATES = 1000;

  private final long[] requests;
  private final int keys;
  private final int capacity;

  /**
   * Draws the requests: half of them are one-hit wonders with negative keys, the others follow
   * Zipf's law.
   */
  private CacheAdmission(int size) {
    requests = new long[size];
    keys = size / 10;
    capacity = keys / 10;
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < size; i++) {
      requests[i] = random.nextBoolean() ? -i - 1 : (long) Math.pow(keys, random.nextDouble());
    }
  }

  static void run(int size, Path folder, Report report) {
    CacheAdmission example = new CacheAdmission(size);
    example.play("LRU", example.lru(), null, report);
    example.play("LRU", example.lru(), example.recent(), report);
    example.play("Caffeine", example.caffeine(), null, report);
    ExpiringCuckooFilter<Long> recent = example.recent();
    example.play("Caffeine", example.caffeine(), recent, report);
    report.line("memory of the filter", "%,d kB", recent.memoryBytes() / 1000);
  }

  private void play(
      String name,
      Map<Long, String> cache,
      @Nullable ExpiringCuckooFilter<Long> recent,
      Report report) {
    int hits = 0;
    int written = 0;
    int wonders = 0;
    int wondersWritten = 0;
    double wondersExpected = 0;
    double rate = 0;
    for (int i = 0; i < requests.length; i++) {
      long key = requests[i];
      boolean isWonder = key < 0;
      wonders += isWonder ? 1 : 0;
      rate = recent != null && i % BETWEEN_RATES == 0 ? recent.expectedFpp() : rate;
      wondersExpected += isWonder ? rate : 0;
      if (cache.get(key) != null) {
        hits++;
      } else {
        String value = "value " + key; // from the source
        if (recent == null || !recent.addLong(key)) { // probably requested before within the window
          cache.put(key, value);
          written++;
          wondersWritten += isWonder ? 1 : 0;
        }
      }
    }
    report.line(
        recent == null ? name : name + " with a filter",
        "hit rate %.2f %%, %,d values written",
        100.0 * hits / requests.length,
        written);
    if (recent != null) {
      report.falsePositives(
          "false positives, " + name, wondersWritten, wonders, wondersExpected / wonders);
    }
  }

  private ExpiringCuckooFilter<Long> recent() {
    long window = 20L * capacity;
    return ExpiringCuckooFilter.builder(HashStrategies.longs())
        .expecting(window, FPP)
        .window(window)
        .build();
  }

  private Map<Long, String> caffeine() {
    Cache<Long, String> cache =
        Caffeine.newBuilder().maximumSize(capacity).executor(Runnable::run).build();
    return cache.asMap();
  }

  private Map<Long, String> lru() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
        return size() > capacity;
      }
    };
  }
}
