package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterPlan;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AgingBloomFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final AgingShape SMALL = new AgingShape(5, 7, 128, 10);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final HandClock clock = new HandClock(1_000_000);

  private static AgingBloomFilter<Long> byCount() {
    return AgingBloomFilter.builder(LONGS).shape(SMALL).build();
  }

  private AgingBloomFilter<Long> byTime() {
    return AgingBloomFilter.builder(LONGS).shape(SMALL, SECOND).clock(clock).build();
  }

  private static void add(AgingBloomFilter<Long> filter, long from, long to) {
    for (long i = from; i < to; i++) {
      filter.add(i);
    }
  }

  @Test
  void anUnboxedLongIsTheElement() {
    AgingBloomFilter<Long> filter = byCount();
    assertTrue(filter.addLong(42));
    assertTrue(filter.mightContain(42L));
    assertFalse(filter.addLong(42));
    AgingBloomFilter<String> texts =
        AgingBloomFilter.builder(HashStrategies.utf8()).shape(SMALL).build();
    assertThrows(IllegalStateException.class, () -> texts.addLong(42));
  }

  @Test
  void memoryIsFixedAndThatOfTheShape() {
    AgingBloomFilter<Long> filter = byCount();
    assertEquals(12 * 128 / 8, filter.memoryBytes());
    add(filter, 0, 1000);
    assertEquals(12 * 128 / 8, filter.memoryBytes());
    assertEquals(12 * 128 / 64, filter.toLongArray().length);
  }

  @Test
  @Tag("large")
  void slicesBeyondTwoToThe32BitsInAllTakeTheirBits() {
    AgingShape shape = new AgingShape(7, 13, (1L << 28) - 64, 5000); // 640 MiB
    assertTrue(shape.positions() > 1L << 32);
    AgingBloomFilter<Long> filter = AgingBloomFilter.builder(LONGS).shape(shape).build();
    add(filter, 0, 200_000);
    int forgotten = 200_000 - 14 * 5000;
    int positives = 0;
    for (long i = 0; i < 200_000; i++) {
      boolean positive = filter.mightContain(i);
      assertTrue(positive || i < forgotten);
      positives += positive && i < forgotten ? 1 : 0;
    }
    // The last 5000 forgotten lack one position, which others set in 1.3e-4: alpha < 1e-9.
    assertTrue(positives <= 10);
    for (int age = 0; age < 20; age++) {
      double elements = 5000.0 * Math.min(age + 1, 7);
      assertEquals(elements, (double) filter.setPositions(age), 20);
    }
  }

  @Test
  void nothingIsForgottenByTimeUntilTheWindowIsOver() {
    AgingBloomFilter<Long> filter = byTime();
    assertEquals(Optional.of(SECOND), filter.generationDuration());
    assertEquals(Optional.of(Duration.ofSeconds(7)), filter.window());
    clock.millis += 999;
    assertTrue(filter.add(1L));
    clock.millis += 7000;
    assertTrue(filter.mightContain(1L));
    clock.millis++;
    assertFalse(filter.mightContain(1L)); // a sparse filter: nothing by chance
    assertEquals(0, filter.approximateElementCount());
    assertTrue(filter.add(1L));
    assertFalse(filter.add(1L));
  }

  /** From a filter of ones: a slice a generation and nothing else is cleared. */
  @Test
  void theEndOfAGenerationClearsOneSlice() {
    AgingShape shape = new AgingShape(SMALL.hashes(), SMALL.historicSlices(), 128, 200);
    long[] ones = new long[24];
    Arrays.fill(ones, -1); // as after enough additions in each of the generations before
    for (long generation = shape.slices(); generation < shape.slices() + 30; generation++) {
      AgingBloomFilter<Long> filter =
          AgingBloomFilter.builder(LONGS)
              .shape(shape)
              .buildFrom(ones, new Cycle(generation, shape.generationAdditions(), 0));
      assertFalse(filter.add(1L));
      assertCleared(filter, 1);
      for (int due = 0; due < shape.slices(); due++) {
        AgingBloomFilter<Long> timed =
            AgingBloomFilter.builder(LONGS)
                .shape(shape, SECOND)
                .clock(clock)
                .buildFrom(ones, new Cycle(generation, 200, clock.millis - 1000L * due - 999));
        timed.add(1L);
        assertEquals(generation + due, timed.cycle().generation());
        assertCleared(timed, due);
      }
    }
  }

  /** All but the youngest slices are full; these have the one element's bit, if they are active. */
  private static void assertCleared(AgingBloomFilter<Long> filter, int slices) {
    long[] words = filter.toLongArray();
    int ring = SMALL.slices();
    int youngest = (int) Math.floorMod(-filter.cycle().generation(), (long) ring);
    for (int age = 0; age < ring; age++) {
      long expected = age >= slices ? 128 : age < SMALL.hashes() ? 1 : 0;
      int from = (youngest + age) % ring * 2;
      int set = Long.bitCount(words[from]) + Long.bitCount(words[from + 1]);
      assertEquals(expected, set, "bits at age " + age + " of " + filter);
      assertEquals(expected, filter.setPositions(age), "setPositions at age " + age);
    }
  }

  @Test
  void aFilterByCountHasNoDurations() {
    assertEquals(Optional.empty(), byCount().generationDuration());
    assertEquals(Optional.empty(), byCount().window());
  }

  @Test
  void aQueryByTimeChangesNothing() {
    AgingBloomFilter<Long> filter = byTime();
    add(filter, 0, 20);
    AgingBloomFilter<Long> before = filter.copy();
    for (long passed = 0; passed < 20_000; passed += 700) {
      clock.millis = 1_000_000 + passed;
      filter.mightContain(3L);
      filter.expectedFpp();
      filter.approximateElementCount();
      assertEquals(before, filter);
    }
    assertEquals(0, filter.expectedFpp());
    clock.millis = 1_000_000;
    assertTrue(filter.mightContain(3L));
  }

  @Test
  void timeThatRunsBackwardsIsTreatedAsNow() {
    AgingBloomFilter<Long> filter = byTime();
    filter.add(1L);
    clock.millis += 3000;
    filter.add(2L);
    for (long back : new long[] {1_002_999, 1_000_000, 0, -1_000_000}) {
      clock.millis = back;
      assertTrue(filter.mightContain(1L));
      assertFalse(filter.add(2L));
    }
    clock.millis = Long.MIN_VALUE;
    assertTrue(filter.add(3L));
    assertEquals(new Cycle(3, 6, 1_003_000), filter.cycle());
    clock.millis = 1_003_000 + 7_999;
    assertTrue(filter.mightContain(3L));
  }

  @Test
  void aPauseLongerThanEverythingForgetsAllAtOnce() {
    for (long later : new long[] {12_000, 12_001, 1L << 50, Long.MAX_VALUE - 1_000_000}) {
      clock.millis = 1_000_000;
      AgingBloomFilter<Long> filter = byTime();
      add(filter, 0, 50);
      clock.millis += later;
      assertFalse(filter.mightContain(1L));
      assertEquals(0, filter.expectedFpp());
      assertTrue(filter.add(1L));
      AgingBloomFilter<Long> fresh = byTime();
      fresh.add(1L);
      assertEquals(fresh, filter);
    }
    clock.millis = Long.MIN_VALUE;
    AgingBloomFilter<Long> filter = byTime();
    filter.add(1L);
    clock.millis = Long.MAX_VALUE; // more has passed than a long holds
    assertFalse(filter.mightContain(1L));
    assertTrue(filter.add(1L));
    assertEquals(new Cycle(0, 1, Long.MAX_VALUE), filter.cycle());
  }

  @Test
  void aClearedFilterIsOneMadeNow() {
    AgingBloomFilter<Long> filter = byCount();
    add(filter, 0, 123);
    filter.clear();
    assertEquals(byCount(), filter);
    assertEquals(0, filter.expectedFpp());
    AgingBloomFilter<Long> timed = byTime();
    add(timed, 0, 123);
    clock.millis += 5500;
    add(timed, 0, 123);
    timed.clear();
    assertEquals(byTime(), timed);
    assertEquals(1_005_500, timed.cycle().startMillis());
    clock.millis -= 3000;
    timed.clear();
    assertEquals(byTime(), timed);
  }

  @Test
  void clearingIsTheWayOutAfterAClockThatLeaptFarAhead() {
    AgingBloomFilter<Long> filter = byTime();
    clock.millis += Duration.ofDays(3650).toMillis();
    filter.add(1L);
    clock.millis = 1_000_000;
    filter.clear();
    for (long n = 0; n < 5000; n++) { // ten a generation, as planned
      clock.millis += 100;
      filter.add(n);
    }
    assertTrue(filter.expectedFpp() < 0.1, filter::toString);
    assertFalse(filter.add(4950L));
  }

  @Test
  void aCopyIsEqualAndLeadsALifeOfItsOwn() {
    for (AgingBloomFilter<Long> filter : List.of(byCount(), byTime())) {
      add(filter, 0, 57);
      AgingBloomFilter<Long> copy = filter.copy();
      assertEquals(filter, copy);
      assertEquals(filter.hashCode(), copy.hashCode());
      assertEquals(filter.toString(), copy.toString());
      add(copy, 57, 100);
      assertNotEquals(filter, copy);
      assertNotEquals(filter.hashCode(), copy.hashCode());
      add(filter, 57, 100);
      assertEquals(filter, copy);
      assertEquals(filter.expectedFpp(), copy.expectedFpp());
    }
  }

  @Test
  void filtersThatDifferInAnythingThatCountsAreNotEqual() {
    AgingBloomFilter<Long> filter = byCount();
    List<AgingBloomFilter<Long>> others = new ArrayList<>();
    others.add(AgingBloomFilter.builder(LONGS).shape(new AgingShape(5, 7, 128, 11)).build());
    others.add(AgingBloomFilter.builder(LONGS).shape(new AgingShape(7, 5, 128, 10)).build());
    others.add(AgingBloomFilter.builder(HashStrategies.seeded(LONGS, 1)).shape(SMALL).build());
    clock.millis = 0;
    others.add(byTime());
    AgingBloomFilter<Long> later =
        AgingBloomFilter.builder(LONGS).shape(SMALL).buildFrom(new long[24], new Cycle(1, 0, 0));
    others.add(later);
    others.add(
        AgingBloomFilter.builder(LONGS).shape(SMALL, SECOND.multipliedBy(2)).clock(clock).build());
    others.add(filter.copy());
    others.get(others.size() - 1).add(1L);
    for (int i = 0; i < others.size(); i++) {
      assertNotEquals(filter, others.get(i));
      for (int j = 0; j < i; j++) {
        assertNotEquals(others.get(j), others.get(i));
      }
    }
    assertNotEquals(filter, new Object());
  }

  @Test
  void aFilterBuiltFromItsStateGoesOnAsTheOneItCameFrom() {
    SplittableRandom random = new SplittableRandom(61);
    for (int additions = 0; additions < 300; additions += 7) {
      AgingBloomFilter<Long> filter = byCount();
      AgingBloomFilter<Long> timed = byTime();
      for (int i = 0; i < additions; i++) {
        clock.millis += random.nextInt(200);
        filter.add((long) random.nextInt(400));
        timed.add((long) random.nextInt(400));
      }
      AgingBloomFilter<Long> restored =
          AgingBloomFilter.builder(LONGS)
              .shape(filter.shape())
              .buildFrom(filter.toLongArray(), filter.cycle());
      AgingBloomFilter<Long> timedRestored =
          AgingBloomFilter.builder(LONGS)
              .shape(timed.shape(), timed.generationDuration().orElseThrow())
              .clock(clock)
              .buildFrom(timed.toLongArray(), timed.cycle());
      assertEquals(filter, restored);
      assertEquals(timed, timedRestored);
      for (int i = 0; i < 200; i++) {
        clock.millis += random.nextInt(200);
        long element = random.nextInt(400);
        assertEquals(filter.expectedFpp(), restored.expectedFpp());
        assertEquals(filter.add(element), restored.add(element));
        assertEquals(timed.expectedFpp(), timedRestored.expectedFpp());
        assertEquals(timed.add(element), timedRestored.add(element));
      }
      assertEquals(filter, restored);
      assertEquals(timed, timedRestored);
    }
  }

  @Test
  void stateOfAnotherFilterIsRefused() {
    AgingBloomFilter.Builder<Long> builder = AgingBloomFilter.builder(LONGS).shape(SMALL);
    Cycle start = new Cycle(0, 0, 0);
    assertRefused("words", 23, () -> builder.buildFrom(new long[23], start));
    assertRefused("cycle", 11, () -> builder.buildFrom(new long[24], new Cycle(0, 11, 0)));
    assertRefused("cycle", 5, () -> builder.buildFrom(new long[24], new Cycle(0, 0, 5)));
    assertRefused("generation", -1, () -> new Cycle(-1, 0, 0));
    assertRefused("additions", -2, () -> new Cycle(0, -2, 0));
    assertRefused("generation", Long.MAX_VALUE, () -> new Cycle(Long.MAX_VALUE, 0, 0));
    assertRefused("additions", Long.MAX_VALUE, () -> new Cycle(0, Long.MAX_VALUE, 0));
    long[] words = new long[24];
    AgingBloomFilter<Long> filter = builder.buildFrom(words, start);
    words[0] = 1;
    filter.toLongArray()[1] = 1;
    assertArrayEquals(new long[24], filter.toLongArray());
  }

  @Test
  void bulkFormsEqualOneAfterAnother() {
    long[] hashes = new SplittableRandom(62).longs(500, 0, 200).map(LONGS::hashLong).toArray();
    AgingBloomFilter<Long> single = byCount();
    long added = Arrays.stream(hashes, 100, 350).filter(single::addHash).count();
    AgingBloomFilter<Long> range = byCount();
    assertEquals(added, range.addHashes(hashes, 100, 250));
    assertEquals(single, range);
    boolean[] answers = new boolean[500];
    single.mightContainHashes(hashes, 0, 500, answers);
    for (int i = 0; i < answers.length; i++) {
      assertEquals(single.mightContainHash(hashes[i]), answers[i]);
    }
  }

  @Test
  void aRefusedCallChangesNothing() {
    AgingBloomFilter<Long> filter = byCount();
    add(filter, 0, 33);
    AgingBloomFilter<Long> before = filter.copy();
    for (int[] range : new int[][] {{-1, 1}, {0, 4}, {3, 1}, {0, -1}, {2, Integer.MAX_VALUE}}) {
      assertThrows(
          IndexOutOfBoundsException.class, () -> filter.addHashes(new long[3], range[0], range[1]));
    }
    for (int age : new int[] {-1, 12}) {
      assertThrows(IndexOutOfBoundsException.class, () -> filter.setPositions(age));
    }
    assertEquals(before, filter);
  }

  @Test
  void badArgumentsAreRefusedAndNamed() {
    AgingBloomFilter.Builder<Long> builder = AgingBloomFilter.builder(LONGS);
    assertThrows(IllegalStateException.class, builder::build);
    assertThrows(
        IllegalStateException.class, () -> builder.buildFrom(new long[0], new Cycle(0, 0, 0)));
    assertRefused("insertions", -1L, () -> builder.expecting(-1, 0.01));
    assertRefused("insertions", -5L, () -> AgingBloomFilter.create(LONGS, -5, 0.01));
    assertRefused("fpp", 1.0, () -> builder.expecting(10, 1));
    for (Duration bad : List.of(Duration.ZERO, Duration.ofHours(-1))) {
      assertRefused("window", bad, () -> builder.window(bad));
      assertRefused("generation", bad, () -> builder.shape(SMALL, bad));
    }
    assertRefused("window", 0L, () -> builder.window(0));
    builder.window(SECOND);
    assertRefused("insertions", -1L, () -> builder.expecting(-1, 0.01));
    assertThrows(IllegalStateException.class, builder::build);
  }

  @Test
  @SuppressWarnings("NullAway") // what happens to those who pass null
  void nullsAreRefusedAndNamed() {
    AgingBloomFilter.Builder<Long> builder = AgingBloomFilter.builder(LONGS);
    Duration none = null;
    assertNullRefused("window", () -> builder.window(none));
    assertNullRefused("generation", () -> builder.shape(SMALL, none));
    assertNullRefused("shape", () -> builder.shape(null, SECOND));
    assertNullRefused("clock", () -> builder.clock(null));
    builder.shape(SMALL);
    assertNullRefused("words", () -> builder.buildFrom(null, new Cycle(0, 0, 0)));
    assertNullRefused("cycle", () -> builder.buildFrom(new long[24], null));
  }

  private static void assertNullRefused(String name, Runnable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call::run).getMessage());
  }

  private static void assertRefused(String name, Object value, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).toString();
    assertTrue(message.contains(name) && message.contains(value.toString()), message);
  }

  @Test
  void windowAndExpectationAreSetInEitherOrderAndTheLastCallsApply() throws IOException {
    AgingBloomFilter.Builder<Long> builder = AgingBloomFilter.builder(LONGS);
    builder.expecting(1000, 0.01).window(Duration.ofHours(1)).window(500).expecting(500, 0.01);
    assertEquals(AgingBloomFilter.create(LONGS, 500, 0.01), builder.build());
    builder.clock(clock).window(Duration.ofHours(1)).expecting(1000, 0.01);
    AgingBloomFilter<Long> timed = builder.build();
    assertEquals(Optional.of(new FilterPlan(1000, 0.01)), timed.plan());
    assertEquals(AgingShape.of(Duration.ofHours(1), 1000, 0.01), timed.shape());
    assertEquals(
        timed,
        AgingBloomFilter.builder(LONGS)
            .clock(clock)
            .expecting(1000, 0.01)
            .window(Duration.ofHours(1))
            .fromBytes(timed.toBytes()));
    assertTrue(timed.window().orElseThrow().compareTo(Duration.ofHours(1)) >= 0);
    assertTrue(timed.window().orElseThrow().compareTo(Duration.ofMillis(3_600_128)) <= 0);
  }

  /** Each element comes twice in a row: a window of 20,000 insertions has 10,000 elements. */
  @Test
  void aWindowOfRepeatsIsLongerThanWhatIsExpected() {
    AgingBloomFilter<Long> filter =
        AgingBloomFilter.builder(LONGS).expecting(10_000, 0.01).window(20_000).build();
    assertEquals(AgingBloomFilter.create(LONGS, 10_000, 0.01).memoryBytes(), filter.memoryBytes());
    assertTrue(filter.shape().windowAdditions() >= 20_000);
    for (long i = 0; i < 200_000; i++) {
      filter.add(i / 2);
      assertTrue(filter.mightContain(Math.max(0, (i - 19_999) / 2)));
      assertTrue(i % 997 != 0 || filter.expectedFpp() < 0.0105);
    }
  }

  @Test
  void aWindowNeedsAnExpectationAndNoShape() {
    byte[] file = byCount().toBytes();
    AgingBloomFilter.Builder<Long> builder = AgingBloomFilter.builder(LONGS).window(SECOND);
    assertThrows(IllegalStateException.class, builder::build);
    assertThrows(IllegalStateException.class, () -> builder.fromBytes(file));
    assertThrows(IllegalStateException.class, () -> builder.shape(SMALL));
    AgingBloomFilter.Builder<Long> shaped = AgingBloomFilter.builder(LONGS).shape(SMALL);
    assertThrows(IllegalStateException.class, () -> shaped.window(SECOND));
    assertThrows(IllegalStateException.class, () -> shaped.window(10));
    assertEquals(SMALL, shaped.build().shape());
  }

  @Test
  void textForLogsNamesTheWindow() {
    assertTrue(
        byCount()
            .toString()
            .startsWith("AgingBloomFilter[window=71 additions, AgingShape[hashes=5,"));
    assertTrue(
        byTime().toString().startsWith("AgingBloomFilter[window=PT7S, AgingShape[hashes=5,"));
  }

  /** A distinct count of the window at every moment; six standard errors as in the contract. */
  @Test
  void elementsOfTheWindowAreEstimated() {
    for (double fpp : new double[] {0.1, 0.01, 0.001}) {
      AgingBloomFilter<Long> filter = AgingBloomFilter.create(LONGS, 20_000, fpp);
      AgingShape shape = filter.shape();
      for (long n = 0; n < 100_000; n++) {
        if (n % 997 == 0) {
          Cycle cycle = filter.cycle();
          long held =
              cycle.additions()
                  + Math.min(cycle.generation(), shape.historicSlices())
                      * shape.generationAdditions();
          double tolerance = 6 * 0.67 * Math.sqrt((double) held);
          assertEquals((double) held, (double) filter.approximateElementCount(), tolerance);
        }
        filter.add(n);
      }
    }
  }

  @Test
  void aFilterAsTextSaysTheWindowThatWasPlanned() {
    for (String window : new String[] {"PT1H", "PT10S", "PT0.25S", "P7D", "PT0.001S", "PT90M"}) {
      AgingBloomFilter<Long> filter =
          AgingBloomFilter.builder(HashStrategies.longs())
              .window(Duration.parse(window))
              .expecting(1_000, 0.01)
              .build();
      String text = filter.toString();
      assertTrue(text.contains("[window=" + Duration.parse(window) + ","), text);
    }
  }
}
