package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.MembershipFilter;
import io.bloomkit.testkit.ArgumentChecks;
import io.bloomkit.testkit.ContractSeeds;
import io.bloomkit.testkit.Engines;
import io.bloomkit.testkit.stat.RateTest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;

/**
 * What a filter promises that remembers a stretch of time by a given clock: what was added is
 * positive until the window is over, always, however much is added; an addition refreshes the age
 * of an element and tells whether it was positive; a time earlier than that of an addition before
 * counts as that; what is forgotten or was never added is positive as rarely as the filter says,
 * and no more often than planned while no more is added than was planned, evenly.
 *
 * <p>The statistical tests are at α = 10<sup>-8</sup> each and notice a deviation of ±10 % with
 * power 0.99. No test waits: each sets the clock of its filters.
 *
 * @param <T> the type of the elements
 * @param <F> the type of the filter
 */
interface TimedAgingFilterContract<T, F extends MembershipFilter<T>> {

  /**
   * Returns a new, empty filter.
   *
   * @param window how long an addition is certain to be positive, that moment included
   * @param expectedAdditions how many additions fall into such a stretch, spread evenly
   * @param fpp the probability that an element never added is positive
   * @param clock tells the time; counts milliseconds, from any beginning
   * @throws IllegalArgumentException if an argument is out of its range; its message names the
   *     value
   */
  F newFilter(Duration window, long expectedAdditions, double fpp, InstantSource clock);

  /**
   * Returns the element of an index: distinct ones for distinct indexes.
   *
   * @param index any number from 0 to {@link Long#MAX_VALUE}
   */
  T element(long index);

  /** Adds an element and returns whether the filter was negative for it before. */
  boolean add(F filter, T element);

  /** Adds the element of a hash and returns whether the filter was negative for it before. */
  boolean addHash(F filter, long hash);

  /** Makes a filter forget everything. */
  void clear(F filter);

  /**
   * Returns after how much time an element is positive as rarely as one that was never added, at
   * least the window.
   */
  Duration timeUntilForgotten(F filter);

  @Test
  default void jqwikIsThereAndTheSeedsOfHistoriesAreReported(TestReporter reporter) {
    Engines.requireEngine("jqwik");
    reporter.publishEntry("jqwik seed", ContractSeeds.JQWIK);
    reporter.publishEntry("seed of histories", Long.toString(ContractSeeds.HISTORY));
  }

  @Example
  default void jupiterIsThereToo() {
    Engines.requireEngine("junit-jupiter");
  }

  /**
   * Against the exact age of every element, at every moment of a history with bursts, idle times of
   * many generations and a clock that is set back now and then.
   */
  @Property(seed = ContractSeeds.JQWIK, tries = 300)
  default void elementsWithinTheWindowArePositiveHoweverTheClockGoes(
      @ForAll @IntRange(min = 1, max = 3000) int windowMillis,
      @ForAll @IntRange(min = 1, max = 60) int expectedAdditions,
      @ForAll @Size(max = 150) List<@IntRange(min = 0, max = 60) Integer> indexes) {
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY + indexes.hashCode());
    HandClock clock = new HandClock(random.nextLong(1L << 41) - (1L << 40));
    F filter = newFilter(Duration.ofMillis(windowMillis), expectedAdditions, 0.05, clock);
    Map<Long, Long> added = new HashMap<>();
    long latest = clock.millis();
    for (int index : indexes) {
      clock.millis += randomStep(random, windowMillis);
      assertWindowIsPositive(filter, added, Math.max(latest, clock.millis()), windowMillis);
      latest = Math.max(latest, clock.millis());
      Long before = added.get((long) index);
      boolean within = before != null && latest - before <= windowMillis;
      boolean absent = add(filter, element(index));
      assertFalse(within && absent, () -> "a repeat within the window was taken for new: " + index);
      added.put((long) index, latest);
      assertWindowIsPositive(filter, added, latest, windowMillis);
    }
  }

  private static long randomStep(SplittableRandom random, int windowMillis) {
    return switch (random.nextInt(8)) {
      case 0 -> -random.nextLong(2L * windowMillis + 1);
      case 1 -> random.nextLong(windowMillis + 1L);
      case 2 -> 0;
      default -> random.nextLong(windowMillis / 8 + 2);
    };
  }

  private void assertWindowIsPositive(F filter, Map<Long, Long> added, long now, int windowMillis) {
    for (Map.Entry<Long, Long> addition : added.entrySet()) {
      long queried = addition.getKey();
      if (now - addition.getValue() <= windowMillis) {
        assertTrue(
            filter.mightContain(element(queried)), () -> "negative within the window: " + queried);
      }
    }
  }

  /** Whenever in a cycle it was added, whether others follow or nothing happens. */
  @Test
  default void anElementStaysForTheWindowFromEveryMomentOfTheCycle() {
    long window = 1000;
    HandClock clock = new HandClock(1_700_000_000_000L);
    F quiet = newFilter(Duration.ofMillis(window), 100, 0.01, clock);
    F busy = newFilter(Duration.ofMillis(window), 100, 0.01, clock);
    for (long start = 0; start < 2 * window; start += 7) {
      clear(quiet);
      clear(busy);
      long other = 1;
      for (long time = 0; time <= start + window; time++) {
        if (time == start) {
          add(quiet, element(0));
          add(busy, element(0));
        }
        if (time % 10 == 0) {
          add(busy, element(other++));
        }
        if (time >= start + window - 1) {
          assertTrue(
              quiet.mightContain(element(0)), "negative, added at " + start + ", idle since");
          assertTrue(busy.mightContain(element(0)), "negative, added at " + start);
        }
        clock.millis += 1;
      }
    }
  }

  /** An element that comes back again and again, each time when the window is just not over. */
  @Test
  default void aRepeatIsToldAndRefreshesItsAge() {
    for (int window : new int[] {1, 2, 3, 10, 64, 1000}) {
      HandClock clock = new HandClock(0);
      F filter = newFilter(Duration.ofMillis(window), 20, 0.01, clock);
      long other = 1;
      add(filter, element(0));
      for (int round = 0; round < 200; round++) {
        for (int part = 1; part <= 4; part++) { // so that generations end in between
          clock.millis += (long) window * part / 4 - (long) window * (part - 1) / 4;
          if (part < 4) {
            add(filter, element(other++));
          }
        }
        assertTrue(filter.mightContain(element(0)), "negative at the end of a window of " + window);
        assertFalse(
            add(filter, element(0)), "taken for new at the end of a window of " + window + " ms");
      }
    }
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 200)
  default void addReturnsWhetherTheElementWasNegativeBefore(
      @ForAll @IntRange(min = 1, max = 3000) int windowMillis,
      @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 150) Integer> indexes) {
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY + indexes.hashCode());
    HandClock clock = new HandClock(0);
    F filter = newFilter(Duration.ofMillis(windowMillis), 30, 0.05, clock);
    for (int index : indexes) {
      clock.millis += randomStep(random, windowMillis);
      boolean positive = filter.mightContain(element(index));
      assertEquals(!positive, add(filter, element(index)), () -> "add of index " + index);
      assertTrue(filter.mightContain(element(index)), () -> "negative at once: index " + index);
    }
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 100)
  default void anElementAndItsHashAgeAlike(
      @ForAll @IntRange(min = 1, max = 3000) int windowMillis,
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 150) Integer> indexes) {
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY + indexes.hashCode());
    HandClock clock = new HandClock(0);
    F byElement = newFilter(Duration.ofMillis(windowMillis), 30, 0.05, clock);
    F byHash = newFilter(Duration.ofMillis(windowMillis), 30, 0.05, clock);
    for (int index : indexes) {
      clock.millis += randomStep(random, windowMillis);
      long hash = byHash.strategy().hash(element(index));
      assertEquals(add(byElement, element(index)), addHash(byHash, hash), "add of " + index);
    }
    assertAlike(byElement, byHash);
    for (long index = 0; index < 300; index++) {
      long hash = byHash.strategy().hash(element(index));
      assertEquals(
          byHash.mightContain(element(index)), byHash.mightContainHash(hash), "query of " + index);
    }
  }

  private void assertAlike(F expected, F actual) {
    assertEquals(expected.expectedFpp(), actual.expectedFpp(), "expectedFpp");
    for (long index = 0; index < 300; index++) {
      assertEquals(
          expected.mightContain(element(index)),
          actual.mightContain(element(index)),
          "query of index " + index);
    }
  }

  /** As a filter whose clock stands still in the meantime. */
  @Test
  default void timeThatRunsBackwardsIsTreatedAsNow() {
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY);
    HandClock jumping = new HandClock(1_000_000);
    HandClock standing = new HandClock(1_000_000);
    Duration window = Duration.ofSeconds(1);
    F filter = newFilter(window, 50, 0.05, jumping);
    F twin = newFilter(window, 50, 0.05, standing);
    for (int n = 0; n < 3000; n++) {
      long step = random.nextInt(200);
      boolean back = random.nextInt(4) == 0;
      jumping.millis =
          back ? standing.millis() - (1L << random.nextInt(42)) : standing.millis() + step;
      standing.millis = Math.max(standing.millis(), jumping.millis());
      if (n % 50 == 0) {
        assertAlike(twin, filter);
      }
      long index = random.nextInt(150);
      assertEquals(add(twin, element(index)), add(filter, element(index)), "add number " + n);
    }
    assertAlike(twin, filter);
  }

  /** After it, as before anything was added; and then the window holds anew. */
  @Test
  default void aLongPauseForgetsEverything() {
    for (long start : new long[] {0, -1_000_000, Long.MIN_VALUE / 2, Long.MIN_VALUE}) {
      for (long factor : new long[] {1, 2, 3, 1000, 1L << 40, Long.MAX_VALUE}) {
        HandClock clock = new HandClock(start);
        F filter = newFilter(Duration.ofSeconds(1), 50, 0.01, clock);
        for (int i = 0; i < 200; i++) {
          add(filter, element(i));
          clock.millis += 20;
        }
        long now = clock.millis();
        long pause = timeUntilForgotten(filter).toMillis();
        long most = Long.MAX_VALUE - Math.max(0, now); // till the end of time, and far beyond 2^63
        clock.millis = factor > most / pause ? Long.MAX_VALUE - 2000 : now + factor * pause;
        assertHasForgottenAll(filter);
        assertTrue(add(filter, element(0)), "taken for a repeat after the pause");
        clock.millis += 1000;
        assertTrue(filter.mightContain(element(0)), "negative within the window after the pause");
      }
    }
  }

  private void assertHasForgottenAll(F filter) {
    for (int i = 0; i < 1000; i++) {
      assertFalse(filter.mightContain(element(i)), "positive in an empty filter: index " + i);
    }
    assertEquals(0, filter.expectedFpp(), "expectedFpp of an empty filter");
    assertEquals(0, filter.approximateElementCount(), "approximateElementCount of an empty filter");
  }

  /**
   * Three times as much as planned, evenly, and a burst without any time between: the window holds,
   * the rate rises, and elements never added are positive as often as it says: {@link RateTest}.
   * When it is over and forgotten, the rate is as before.
   */
  @Test
  default void additionsAboveThePlanKeepTheWindowAndRaiseTheRateAsSaid() {
    HandClock clock = new HandClock(0);
    F filter = newFilter(Duration.ofSeconds(1), 1000, 0.01, clock);
    RateTest check = new RateTest();
    long never = Long.MAX_VALUE;
    double least = 1;
    for (int n = 0; n < 15_000; n++) {
      clock.millis = n / 3;
      add(filter, element(n));
      if (n >= 5000 && n % 500 == 0) {
        least = Math.min(least, filter.expectedFpp());
        int positive = 0;
        for (int i = 0; i < 10_000; i++) {
          positive += filter.mightContain(element(never--)) ? 1 : 0;
        }
        check.record(10_000, positive, filter.expectedFpp());
        for (int within = n - 3000; within <= n; within++) {
          assertTrue(filter.mightContain(element(within)), "negative within the window: " + within);
        }
      }
    }
    assertTrue(least > 0.05, "expectedFpp at three times the plan is but " + least);
    check.result("absent elements positive at three times the plan").assertHolds();
    for (int n = 20_000; n < 25_000; n++) { // a burst
      add(filter, element(n));
    }
    clock.millis += 1000;
    for (int n = 20_000; n < 25_000; n++) {
      assertTrue(filter.mightContain(element(n)), "negative after a burst: " + n);
    }
    long over = timeUntilForgotten(filter).toMillis();
    double most = 0;
    for (long n = 0; n < over + 1000; n++) {
      clock.millis += 1;
      add(filter, element(30_000 + n));
      most = n < over ? most : Math.max(most, filter.expectedFpp());
    }
    assertTrue(most <= 0.015, "expectedFpp after the burst is still " + most);
  }

  /** Cleared at any moment, it goes on as one made then, also by a clock that was set back. */
  @Test
  default void aClearedFilterBeginsAnew() {
    HandClock clock = new HandClock(5_000_000);
    Duration window = Duration.ofSeconds(1);
    F cleared = newFilter(window, 50, 0.01, clock);
    for (int before = 0; before < 200; before += 7) {
      for (int i = 0; i < before; i++) {
        add(cleared, element(i % 70));
        clock.millis += 20;
      }
      clock.millis += before % 2 == 0 ? 333 : -1333;
      clear(cleared);
      F fresh = newFilter(window, 50, 0.01, clock);
      for (int i = 0; i < 150; i++) {
        assertEquals(fresh.expectedFpp(), cleared.expectedFpp(), "expectedFpp after " + i);
        assertEquals(add(fresh, element(i)), add(cleared, element(i)), "add after clear");
        clock.millis += i % 40;
      }
      assertAlike(fresh, cleared);
    }
    clear(cleared);
    assertHasForgottenAll(cleared);
  }

  @Test
  default void memoryIsTakenOnceAndForAll() {
    HandClock clock = new HandClock(0);
    F filter = newFilter(Duration.ofSeconds(1), 100, 0.01, clock);
    long bytes = filter.memoryBytes();
    assertTrue(bytes > 0, "memoryBytes");
    for (int i = 0; i < 10_000; i++) {
      clock.millis += i % 100 == 0 ? 500 : 0;
      add(filter, element(i));
      assertEquals(bytes, filter.memoryBytes(), "memoryBytes after " + i + " additions");
    }
  }

  @Test
  default void nullsAreRefusedAndAgeNothing() {
    HandClock clock = new HandClock(0);
    Duration window = Duration.ofSeconds(1);
    F filter = newFilter(window, 20, 0.01, clock);
    F untouched = newFilter(window, 20, 0.01, clock);
    for (int i = 0; i < 100; i++) {
      clock.millis += 50;
      ArgumentChecks.<T>nullIsRefusedBy(none -> add(filter, none));
      ArgumentChecks.<T>nullIsRefusedBy(filter::mightContain);
      assertEquals(untouched.expectedFpp(), filter.expectedFpp(), "expectedFpp after a null");
      assertEquals(add(untouched, element(i)), add(filter, element(i)), "add after a null");
    }
  }

  @Test
  default void badWindowsAreRefusedByTheirValue() {
    HandClock clock = new HandClock(0);
    ArgumentChecks.badSizesAreRefusedByValue(
        (n, fpp) -> newFilter(Duration.ofSeconds(1), n, fpp, clock));
    for (Duration bad :
        List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
      ArgumentChecks.refusesNaming(bad.toString(), () -> newFilter(bad, 100, 0.01, clock));
    }
  }

  /** {@link AgingFilterContract#theRateIsThePlannedOneAllAroundTheCycle}, at an even pace. */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> theRateIsThePlannedOneAllAroundTheCycle() {
    return Stream.concat(
        AgingRateRun.cases(new EvenPace<>(this), AgingRateRun::theRateIsThePlannedOne),
        AgingRateRun.lowRate(new EvenPace<>(this), AgingRateRun::theRateIsThePlannedOne));
  }

  /** At the same moments, positive as often as {@code expectedFpp()} says: {@link RateTest}. */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> elementsNeverAddedFollowTheRateOfTheStateAllAroundTheCycle() {
    return AgingRateRun.cases(new EvenPace<>(this), AgingRateRun::answersFollowTheState);
  }

  /** The same at a rate of 0.1 %, which takes millions of queries. */
  @TestFactory
  @Tag("rate")
  @Tag("deep")
  @Tag("jdk")
  default Stream<DynamicTest> elementsNeverAddedFollowALowRateOfTheStateAllAroundTheCycle() {
    return AgingRateRun.lowRate(new EvenPace<>(this), AgingRateRun::answersFollowTheState);
  }

  /**
   * In an even stream of distinct elements, each is queried once, when {@link #timeUntilForgotten}
   * has gone by: {@link RateTest}.
   */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> forgottenElementsAreAsRarelyPositiveAsAbsentOnes() {
    return AgingRateRun.streams(
        new EvenPace<>(this), AgingRateRun::theForgottenFollowTheRateOfTheState);
  }
}
