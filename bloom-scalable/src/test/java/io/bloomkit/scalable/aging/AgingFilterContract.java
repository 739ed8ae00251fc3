package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.MembershipFilter;
import io.bloomkit.testkit.ArgumentChecks;
import io.bloomkit.testkit.ContractSeeds;
import io.bloomkit.testkit.Engines;
import io.bloomkit.testkit.InsertableFilterContract;
import io.bloomkit.testkit.stat.RateTest;
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
 * What a filter promises that remembers the last N additions, repeats included, and forgets what is
 * older: everything within the window is positive, always; an addition refreshes the age of an
 * element and tells whether it was positive; elements that were never added, and those that are
 * forgotten, are positive as rarely as the filter says, and no more often than planned.
 *
 * <p>The statistical tests are at α = 10<sup>-8</sup> each and notice a deviation of ±10 % with
 * power 0.99.
 *
 * @param <T> the type of the elements
 * @param <F> the type of the filter
 */
interface AgingFilterContract<T, F extends MembershipFilter<T>> {

  /**
   * Returns a new, empty filter.
   *
   * @param lastAdditions how many of the last additions it is certain to find positive, N
   * @param fpp the probability that an element never added is positive
   * @throws IllegalArgumentException if an argument is out of its range; its message names the
   *     value
   */
  F newFilter(long lastAdditions, double fpp);

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
   * Returns after how many further additions an element is positive as rarely as one that was never
   * added, at least N.
   */
  long additionsUntilForgotten(F filter);

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

  /** Against the exact age of every element, at every moment of a history. */
  @Property(seed = ContractSeeds.JQWIK, tries = 200)
  default void elementsWithinTheWindowAreAlwaysPositive(
      @ForAll @IntRange(min = 1, max = 60) int lastAdditions,
      @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 90) Integer> indexes) {
    F filter = newFilter(lastAdditions, 0.05);
    Map<Long, Long> ages = new HashMap<>();
    long additions = 0;
    for (int index : indexes) {
      add(filter, element(index));
      ages.put((long) index, ++additions);
      for (Map.Entry<Long, Long> age : ages.entrySet()) {
        long queried = age.getKey();
        if (additions - age.getValue() < lastAdditions) {
          assertTrue(
              filter.mightContain(element(queried)),
              () -> "negative within the window: " + queried);
        }
      }
    }
  }

  @Test
  default void aLongHistoryKeepsTheWindowPositive() {
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY);
    int window = 1000;
    F filter = newFilter(window, 0.01);
    long[] added = new long[30_000];
    for (int n = 0; n < added.length; n++) {
      // Half of the additions are repeats, most of them of what was added lately.
      double u = random.nextDouble();
      added[n] = random.nextBoolean() || n == 0 ? n : added[(int) (n * (1 - u * u * u * u))];
      boolean within = false;
      for (int i = Math.max(0, n - window); i < n && !within; i++) {
        within = added[i] == added[n];
      }
      boolean absent = add(filter, element(added[n]));
      assertFalse(within && absent, "a repeat within the window was taken for new: " + n);
      if (n % 101 == 0) {
        for (int i = Math.max(0, n - window + 1); i <= n; i++) {
          assertTrue(filter.mightContain(element(added[i])), "negative within the window: " + i);
        }
      }
    }
  }

  /** An element that comes back again and again, each time when it is just within the window. */
  @Test
  default void aRepeatIsToldAndRefreshesItsAge() {
    for (int window : new int[] {1, 2, 3, 10, 64, 1000}) {
      F filter = newFilter(window, 0.01);
      long other = 1;
      add(filter, element(0));
      for (int round = 0; round < 200; round++) {
        for (int i = 1; i < window; i++) {
          add(filter, element(other++));
        }
        assertTrue(filter.mightContain(element(0)), "negative, last of a window of " + window);
        assertFalse(add(filter, element(0)), "taken for new, last of a window of " + window);
      }
    }
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 200)
  default void addReturnsWhetherTheElementWasNegativeBefore(
      @ForAll @IntRange(min = 1, max = 60) int lastAdditions,
      @ForAll @Size(max = 400) List<@IntRange(min = 0, max = 150) Integer> indexes) {
    F filter = newFilter(lastAdditions, 0.05);
    for (int index : indexes) {
      boolean positive = filter.mightContain(element(index));
      assertEquals(!positive, add(filter, element(index)), () -> "add of index " + index);
      assertTrue(filter.mightContain(element(index)), () -> "negative at once: index " + index);
    }
  }

  @Property(seed = ContractSeeds.JQWIK, tries = 100)
  default void anElementAndItsHashAgeAlike(
      @ForAll @IntRange(min = 1, max = 60) int lastAdditions,
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 150) Integer> indexes) {
    F byElement = newFilter(lastAdditions, 0.05);
    F byHash = newFilter(lastAdditions, 0.05);
    for (int index : indexes) {
      long hash = byHash.strategy().hash(element(index));
      assertEquals(add(byElement, element(index)), addHash(byHash, hash), "add of " + index);
    }
    for (long index = 0; index < 300; index++) {
      boolean positive = byElement.mightContain(element(index));
      long hash = byHash.strategy().hash(element(index));
      assertEquals(positive, byElement.mightContainHash(hash), "query of index " + index);
      assertEquals(positive, byHash.mightContainHash(hash), "query of index " + index);
    }
  }

  @Test
  default void aNewFilterOfAnyWindowIsNegative() {
    for (long window : new long[] {1, 2, 10, 1000, 100_000}) {
      assertHasForgottenAll(newFilter(window, 0.03));
    }
  }

  private void assertHasForgottenAll(F filter) {
    for (int i = 0; i < 10_000; i++) {
      assertFalse(filter.mightContain(element(i)), "positive in an empty filter: index " + i);
    }
    assertEquals(0, filter.expectedFpp(), "expectedFpp of an empty filter");
    assertEquals(0, filter.approximateElementCount(), "approximateElementCount of an empty filter");
  }

  /** Cleared at any moment of its cycle, it goes on as a new one. */
  @Test
  default void aClearedFilterBeginsAnew() {
    F cleared = newFilter(50, 0.01);
    for (int before = 0; before < 200; before += 7) {
      for (int i = 0; i < before; i++) {
        add(cleared, element(i % 70));
      }
      clear(cleared);
      F fresh = newFilter(50, 0.01);
      for (int i = 0; i < 150; i++) {
        assertEquals(fresh.expectedFpp(), cleared.expectedFpp(), "expectedFpp after " + i);
        assertEquals(add(fresh, element(i)), add(cleared, element(i)), "add after clear");
      }
      for (int i = 0; i < 200; i++) {
        assertEquals(fresh.mightContain(element(i)), cleared.mightContain(element(i)), "query");
      }
      clear(cleared);
    }
    assertHasForgottenAll(cleared);
  }

  @Test
  default void memoryIsTakenOnceAndForAll() {
    F filter = newFilter(100, 0.01);
    long bytes = filter.memoryBytes();
    assertTrue(bytes > 0, "memoryBytes");
    for (int i = 0; i < 10_000; i++) {
      add(filter, element(i));
      assertEquals(bytes, filter.memoryBytes(), "memoryBytes after " + i + " additions");
    }
  }

  @Test
  default void nullsAreRefusedAndAgeNothing() {
    F filter = newFilter(20, 0.01);
    F untouched = newFilter(20, 0.01);
    for (int i = 0; i < 100; i++) {
      ArgumentChecks.<T>nullIsRefusedBy(none -> add(filter, none));
      ArgumentChecks.<T>nullIsRefusedBy(filter::mightContain);
      assertEquals(add(untouched, element(i)), add(filter, element(i)), "add after a null");
      assertEquals(untouched.expectedFpp(), filter.expectedFpp(), "expectedFpp after a null");
    }
  }

  @Test
  default void badWindowsAreRefusedByTheirValue() {
    ArgumentChecks.badSizesAreRefusedByValue(this::newFilter);
  }

  /**
   * While nothing has left the window, the estimate is as close to the number of distinct elements
   * as {@link InsertableFilterContract#approximateElementCountIsCloseAtTheDesignLoad} derives; it
   * may be the sum of several such estimates for parts, whose variances add up to no more.
   */
  @Test
  default void approximateElementCountIsCloseWhileTheWindowFills() {
    for (int window : new int[] {100, 1000, 10_000, 100_000}) {
      F filter = newFilter(window, 0.01);
      for (int i = 0; i < window; i++) {
        add(filter, element(i));
      }
      double tolerance = 6 * 0.67 * Math.sqrt(window) + 0.01 * window;
      long estimate = filter.approximateElementCount();
      assertTrue(
          Math.abs(estimate - window) <= tolerance,
          () -> "approximateElementCount " + estimate + " of " + window);
    }
  }

  /**
   * At twenty moments of a stream of distinct elements, none near another in its cycle, the mean
   * {@code expectedFpp()} of up to 100 filters is at most a tenth above the planned rate, and six
   * standard errors of that mean.
   */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> theRateIsThePlannedOneAllAroundTheCycle() {
    return Stream.concat(
        AgingRateRun.cases(this, AgingRateRun::theRateIsThePlannedOne),
        AgingRateRun.lowRate(this, AgingRateRun::theRateIsThePlannedOne));
  }

  /** At the same moments, positive as often as {@code expectedFpp()} says: {@link RateTest}. */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> elementsNeverAddedFollowTheRateOfTheStateAllAroundTheCycle() {
    return AgingRateRun.cases(this, AgingRateRun::answersFollowTheState);
  }

  /** The same at a rate of 0.1 %, which takes millions of queries. */
  @TestFactory
  @Tag("rate")
  @Tag("deep")
  @Tag("jdk")
  default Stream<DynamicTest> elementsNeverAddedFollowALowRateOfTheStateAllAroundTheCycle() {
    return AgingRateRun.lowRate(this, AgingRateRun::answersFollowTheState);
  }

  /**
   * In a stream of distinct elements, each is queried once, when {@link #additionsUntilForgotten}
   * have followed it: {@link RateTest}.
   */
  @TestFactory
  @Tag("rate")
  default Stream<DynamicTest> forgottenElementsAreAsRarelyPositiveAsAbsentOnes() {
    return AgingRateRun.streams(this, AgingRateRun::theForgottenFollowTheRateOfTheState);
  }
}
