package io.bloomkit.counting;

import static io.bloomkit.testkit.internal.ConcurrentRunner.runAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.internal.IndexDerivation;
import java.util.SplittableRandom;

/**
 * The promise that {@link CountingBloomFilter} and {@link BlockedCountingBloomFilter} make to
 * several threads, as small races. Each runs once, in whatever order its threads come, and throws
 * if the promise was broken; Lincheck tries the orders. All elements share counter 1 and all
 * counters one word.
 *
 * <p>The promise is the specification, not linearizability: an element's counters may be seen one
 * before the other. What it allows, no race forbids.
 */
final class CountingRaces {

  static final String FALSE_NEGATIVE = "a false negative";
  static final String REFUSED = "a removal of what was there was refused";
  static final String NO_FIRST = "none of two first additions returned true";
  static final String NOT_ONE = "removals of one occurrence that returned true";
  static final String COUNTERS = "not the counters of any order";

  static final long X = hashOf(0, 1);
  static final long Y = hashOf(1, 2);
  static final long Z = hashOf(1, 3);

  /** Takes the shared counter twice. */
  static final long TWICE = hashOf(1, 1);

  private CountingRaces() {}

  /** A hash that takes two positions, in this order. */
  private static long hashOf(int first, int second) {
    SplittableRandom random = new SplittableRandom(1);
    while (true) {
      long hash = random.nextLong();
      long state = IndexDerivation.start(hash);
      if (IndexDerivation.position(state, RacingFilter.POSITIONS) == first
          && IndexDerivation.position(IndexDerivation.next(state), RacingFilter.POSITIONS)
              == second) {
        return hash;
      }
    }
  }

  /** Promise 1, and 3 when quiet. */
  static void anElementStaysWhileOthersComeAndGo(RacingFilter filter) {
    filter.add(X);
    boolean[] kept =
        runAll(
            () -> {
              filter.add(Y);
              return filter.remove(Y);
            },
            () -> {
              filter.add(Z);
              return filter.remove(Z);
            },
            () -> filter.mightContain(X) && filter.count(X) >= 1);
    assertTrue(kept[2], FALSE_NEGATIVE);
    assertTrue(kept[0] && kept[1], REFUSED);
    assertHolds(filter, 1, 0, 0);
  }

  /** Promise 1 for an element that is itself added and removed: additions stay ahead. */
  static void anElementWhoseAdditionsOutnumberItsRemovalsStays(RacingFilter filter) {
    filter.add(X);
    boolean[] kept =
        runAll(
            () -> {
              filter.add(X);
              return filter.mightContain(X) && filter.count(X) >= 1;
            },
            () -> filter.remove(X));
    assertTrue(kept[0], FALSE_NEGATIVE);
    assertTrue(kept[1], REFUSED);
    assertHolds(filter, 1, 0, 0);
  }

  /** Promise 2. */
  static void ofTwoFirstAdditionsOneReturnsTrue(RacingFilter filter) {
    boolean[] added = runAll(() -> filter.add(X), () -> filter.add(X));
    assertTrue(added[0] || added[1], NO_FIRST);
    assertHolds(filter, 2, 0, 0);
  }

  /** Promises 3 and 4: one removal succeeds, the other never shows. */
  static void ofTwoRemovalsOfOneOccurrenceOneSucceedsAndTheOtherNeverShows(RacingFilter filter) {
    filter.add(X);
    filter.add(Y);
    boolean[] results =
        runAll(() -> filter.remove(Y), () -> filter.remove(Y), () -> filter.mightContain(X));
    assertTrue(results[2], FALSE_NEGATIVE);
    assertEquals(1, (results[0] ? 1 : 0) + (results[1] ? 1 : 0), NOT_ONE);
    assertHolds(filter, 1, 0, 0);
  }

  /** The same for an element that takes one counter twice, of which one more is left. */
  static void ofTwoRemovalsThatTakeACounterTwiceOneSucceeds(RacingFilter filter) {
    filter.add(X);
    filter.add(TWICE);
    boolean[] results =
        runAll(
            () -> filter.remove(TWICE), () -> filter.remove(TWICE), () -> filter.mightContain(X));
    assertTrue(results[2], FALSE_NEGATIVE);
    assertEquals(1, (results[0] ? 1 : 0) + (results[1] ? 1 : 0), NOT_ONE);
    assertHolds(filter, 1, 0, 0);
  }

  /** Promise 4: Y is certainly absent, since counter 2 is zero all the time. */
  static void aRefusedRemovalNeverShows(RacingFilter filter) {
    filter.add(X);
    boolean[] results =
        runAll(() -> !filter.remove(Y), () -> filter.mightContain(X) && filter.count(X) == 1);
    assertTrue(results[0], "a removal of what was absent succeeded");
    assertTrue(results[1], FALSE_NEGATIVE);
    assertHolds(filter, 1, 0, 0);
  }

  /**
   * Promises 1 and 3 where the four bits of a counter run full and become free again.
   *
   * @param filter it holds X once and Y so often that the shared counter has the value before:
   *     Lincheck takes a long loop for a thread that waits for ever, and stops looking
   * @param before the value of the shared counter when the race begins
   */
  static void aSharedCounterPassesFifteenAndComesBack(RacingFilter filter, int before) {
    boolean[] kept =
        runAll(
            () -> {
              filter.add(Z);
              return filter.remove(Z);
            },
            () -> {
              boolean removed = filter.remove(Y);
              filter.add(Y);
              return removed;
            },
            () -> filter.mightContain(X) && filter.count(X) >= 1 && filter.count(Y) >= before - 2);
    assertTrue(kept[2], FALSE_NEGATIVE);
    assertTrue(kept[0] && kept[1], REFUSED);
    assertHolds(filter, 1, before - 1, 0);
  }

  /** As above with one step a thread, so that more of the orders are tried. */
  static void anAdditionMeetsARemovalAtASharedCounter(RacingFilter filter, int before) {
    boolean[] kept =
        runAll(
            () -> {
              filter.add(Z);
              return filter.mightContain(Z);
            },
            () -> filter.remove(Y));
    assertTrue(kept[0], FALSE_NEGATIVE);
    assertTrue(kept[1], REFUSED);
    assertHolds(filter, 1, before - 2, 1);
  }

  /** Copies at once: some of them are in the four bits of the counter, the others beyond. */
  static void copiesPassFifteenAndComeBack(RacingFilter filter, int before) {
    boolean[] kept =
        runAll(
            () -> {
              filter.add(Z, 3);
              return filter.count(Z) >= 3 && filter.remove(Z, 3);
            },
            () -> {
              boolean removed = filter.remove(Y);
              filter.add(Y);
              return removed;
            },
            () -> filter.mightContain(X) && filter.count(X) >= 1 && filter.count(Y) >= before - 2);
    assertTrue(kept[2], FALSE_NEGATIVE);
    assertTrue(kept[0] && kept[1], REFUSED);
    assertHolds(filter, 1, before - 1, 0);
  }

  /** All is quiet: the counters are those of what is left, added in any order. */
  private static void assertHolds(RacingFilter filter, long x, long y, long z) {
    long[] expected = new long[RacingFilter.POSITIONS];
    expected[0] = x;
    expected[1] = x + y + z;
    expected[2] = y;
    expected[3] = z;
    long nonZero = 0;
    for (int i = 0; i < expected.length; i++) {
      nonZero += expected[i] == 0 ? 0 : 1;
      if (filter.counter(i) != expected[i]) {
        throw new AssertionError(
            COUNTERS + ": counter " + i + " is " + filter.counter(i) + " not " + expected[i]);
      }
    }
    filter.checkFigures(x + y + z, nonZero);
  }
}
