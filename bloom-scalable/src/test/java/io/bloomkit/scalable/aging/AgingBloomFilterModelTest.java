package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Against the filter as the paper draws it, and against exact windows of additions and of time. */
class AgingBloomFilterModelTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static void assertSame(
      NaiveAgingFilter naive, AgingBloomFilter<Long> filter, AgingShape shape) {
    assertEquals(naive.expectedFpp(), filter.expectedFpp(), 1e-12);
    for (long i = 0; i < 100; i++) {
      long hash = LONGS.hashLong(i);
      assertEquals(naive.isPositive(hash), filter.mightContainHash(hash), "query of " + i);
    }
    for (int age = 0; age < shape.slices(); age++) {
      assertEquals(naive.setPositions().get(age), filter.setPositions(age), "set at age " + age);
    }
  }

  @Property(tries = 500, seed = "51")
  void byCountItIsTheFilterOfThePaper(
      @ForAll @IntRange(min = 1, max = 9) int k,
      @ForAll @IntRange(min = 1, max = 20) int l,
      @ForAll @IntRange(min = 1, max = 6) int g,
      @ForAll @Size(max = 300) List<@LongRange(min = 0, max = 80) Long> elements) {
    AgingShape shape = new AgingShape(k, l, 64, g);
    AgingBloomFilter<Long> filter = AgingBloomFilter.builder(LONGS).shape(shape).build();
    NaiveAgingFilter naive = new NaiveAgingFilter(shape);
    int additions = 0;
    for (long element : elements) {
      assertEquals(!naive.isPositive(LONGS.hashLong(element)), filter.add(element));
      if (additions > 0 && additions % g == 0) {
        naive.beginGeneration();
      }
      naive.add(LONGS.hashLong(element));
      additions++;
    }
    assertSame(naive, filter, shape);
  }

  @Property(tries = 500, seed = "52")
  void byTimeItIsTheFilterOfThePaper(
      @ForAll @IntRange(min = 1, max = 9) int k,
      @ForAll @IntRange(min = 1, max = 20) int l,
      @ForAll @IntRange(min = 1, max = 50) int generationMillis,
      @ForAll long start,
      @ForAll @Size(max = 200) List<@LongRange(min = 0, max = 80) Long> elements,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    AgingShape shape = new AgingShape(k, l, 64, 3);
    HandClock clock = new HandClock(start / 2);
    AgingBloomFilter<Long> filter =
        AgingBloomFilter.builder(LONGS)
            .shape(shape, Duration.ofMillis(generationMillis))
            .clock(clock)
            .build();
    NaiveAgingFilter naive = new NaiveAgingFilter(shape);
    long over = start / 2 + generationMillis; // when the present generation is
    for (long element : elements) {
      long gap = random.nextInt(8) == 0 ? generationMillis * (k + l) : generationMillis;
      clock.millis += random.nextLong(gap + 1);
      boolean forgotten = clock.millis - over >= (long) (k + l - 1) * generationMillis;
      for (; clock.millis >= over && !forgotten; over += generationMillis) {
        naive.beginGeneration();
      }
      if (forgotten) {
        naive = new NaiveAgingFilter(shape);
        over = clock.millis + generationMillis;
      }
      assertEquals(naive.expectedFpp(), filter.expectedFpp(), 1e-12, "before the addition");
      long hash = LONGS.hashLong(element);
      assertEquals(naive.isPositive(hash), filter.mightContainHash(hash), "before the addition");
      assertEquals(!naive.isPositive(hash), filter.add(element));
      naive.add(hash);
    }
    if (!elements.isEmpty()) {
      for (int i = 0; i < k + l + 1; i++) {
        assertEquals(naive.expectedFpp(), filter.expectedFpp(), 1e-12);
        for (long e = 0; e < 100; e++) {
          long hash = LONGS.hashLong(e);
          assertEquals(naive.isPositive(hash), filter.mightContainHash(hash), "query of " + e);
        }
        naive.beginGeneration();
        clock.millis = over + (long) i * generationMillis;
      }
    }
  }

  /** So sparse that nothing is positive by chance: what is positive is the window, exactly. */
  @Test
  void byCountExactlyTheWindowIsPositive() {
    AgingShape shape = new AgingShape(4, 3, 1 << 20, 5);
    AgingBloomFilter<Long> filter = AgingBloomFilter.builder(LONGS).shape(shape).build();
    Map<Long, Long> lastAdded = new HashMap<>();
    SplittableRandom random = new SplittableRandom(53);
    for (long n = 1; n <= 3000; n++) {
      long element = random.nextInt(60);
      Long last = lastAdded.put(element, n);
      boolean positiveBefore = last != null && (n - 2) / 5 - (last - 1) / 5 <= 3;
      assertEquals(!positiveBefore, filter.add(element), "addition " + n);
      for (long e = 0; e < 60; e++) {
        Long added = lastAdded.get(e);
        boolean positive = added != null && (n - 1) / 5 - (added - 1) / 5 <= 3;
        assertEquals(positive, filter.mightContain(e), "after addition " + n);
        assertTrue(positive || added == null || n - added >= shape.windowAdditions(), "window");
      }
    }
  }

  @Property(tries = 300, seed = "54")
  void byTimeElementsWithinTheWindowArePositiveHoweverTheClockGoes(
      @ForAll @LongRange(min = 1, max = 2000) long windowMillis,
      @ForAll @IntRange(min = 1, max = 100) int expectedAdditions,
      @ForAll @Size(max = 200) List<@LongRange(min = 0, max = 60) Long> elements,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    HandClock clock = new HandClock(random.nextLong(1L << 40) - (1L << 39));
    AgingBloomFilter<Long> filter =
        AgingBloomFilter.builder(LONGS)
            .expecting(expectedAdditions, 0.05)
            .window(Duration.ofMillis(windowMillis))
            .clock(clock)
            .build();
    assertTrue(filter.window().orElseThrow().toMillis() >= windowMillis);
    Map<Long, Long> lastAdded = new HashMap<>();
    long latest = clock.millis; // time that runs backwards is treated as now
    for (long element : elements) {
      boolean back = random.nextInt(5) == 0;
      clock.millis += (back ? -1 : 1) * random.nextLong(windowMillis / 4 + 2);
      latest = Math.max(latest, clock.millis);
      Long last = lastAdded.get(element);
      if (last != null && latest - last <= windowMillis) {
        assertFalse(filter.add(element), "a repeat within the window");
      } else {
        filter.add(element);
      }
      lastAdded.put(element, latest);
      for (Map.Entry<Long, Long> entry : lastAdded.entrySet()) {
        if (latest - entry.getValue() <= windowMillis) {
          assertTrue(filter.mightContain(entry.getKey()), "negative within the window");
        }
      }
    }
  }

  @Test
  void windowHoldsAtTenTimesThePlannedAdditionsAndTheRateRises() {
    HandClock clock = new HandClock(1_000_000);
    AgingBloomFilter<Long> filter =
        AgingBloomFilter.builder(LONGS)
            .expecting(1000, 0.01)
            .window(Duration.ofSeconds(10))
            .clock(clock)
            .build();
    double most = 0;
    for (long n = 0; n < 30_000; n++) { // one a millisecond, 10,000 a window
      clock.millis++;
      filter.add(n);
      most = Math.max(most, filter.expectedFpp());
      for (long e = Math.max(0, n - 10_000); e <= n; e += 97) {
        assertTrue(filter.mightContain(e), "negative within the window");
      }
    }
    assertTrue(most > 0.5, "expectedFpp " + most);
    for (long n = 0; n < 3000; n++) { // and then one every ten, as planned
      clock.millis += 10;
      filter.add(1_000_000 + n);
    }
    assertTrue(filter.expectedFpp() < 0.012, "expectedFpp " + filter.expectedFpp());
  }
}
