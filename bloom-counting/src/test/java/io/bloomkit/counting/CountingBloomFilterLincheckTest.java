package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FlatShape;
import io.bloomkit.hash.HashStrategies;
import java.util.stream.Stream;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The promise to several threads, model checked: Lincheck chooses where threads take turns, first
 * with few changes of the thread, then with more.
 *
 * <p>It assumes sequential consistency: it finds what a wrong order of steps breaks, not what a
 * missing barrier does. And it tries some orders of a race, not all there are: that these suffice
 * to find the errors of this kind is shown on filters that have them.
 */
class CountingBloomFilterLincheckTest {

  /** A full counter that is not looked at again is not found in 100 orders, but in 200. */
  private static final int ORDERS = Integer.getInteger("bloomkit.orders", 200);

  private static final int[] AROUND_FIFTEEN = {14, 15, 16};

  /**
   * Tries the orders of a race. It must name its classes: what Lincheck reaches only through method
   * references of another test it runs as it is, in one order.
   */
  private static void check(Runnable race) {
    Lincheck.runConcurrentTest(ORDERS, race);
  }

  @Nested
  class OursKeepsThePromise {

    @Test
    void anElementStaysWhileOthersComeAndGo() {
      check(() -> CountingRaces.anElementStaysWhileOthersComeAndGo(new Ours()));
    }

    @Test
    void anElementWhoseAdditionsOutnumberItsRemovalsStays() {
      check(() -> CountingRaces.anElementWhoseAdditionsOutnumberItsRemovalsStays(new Ours()));
    }

    @Test
    void ofTwoFirstAdditionsOneReturnsTrue() {
      check(() -> CountingRaces.ofTwoFirstAdditionsOneReturnsTrue(new Ours()));
    }

    @Test
    void ofTwoRemovalsOfOneOccurrenceOneSucceedsAndTheOtherNeverShows() {
      check(
          () ->
              CountingRaces.ofTwoRemovalsOfOneOccurrenceOneSucceedsAndTheOtherNeverShows(
                  new Ours()));
    }

    @Test
    void ofTwoRemovalsThatTakeACounterTwiceOneSucceeds() {
      check(() -> CountingRaces.ofTwoRemovalsThatTakeACounterTwiceOneSucceeds(new Ours()));
    }

    @Test
    void aRefusedRemovalNeverShows() {
      check(() -> CountingRaces.aRefusedRemovalNeverShows(new Ours()));
    }

    @Test
    void aSharedCounterPassesFifteenAndComesBack() {
      for (int before : AROUND_FIFTEEN) {
        CountingBloomFilter<Long> filled = Ours.filledTo(before);
        check(
            () ->
                CountingRaces.aSharedCounterPassesFifteenAndComesBack(
                    new Ours(filled.copy()), before));
      }
    }

    @Test
    void copiesPassFifteenAndComeBack() {
      CountingBloomFilter<Long> filled = Ours.filledTo(14);
      check(() -> CountingRaces.copiesPassFifteenAndComeBack(new Ours(filled.copy()), 14));
    }

    @Test
    void anAdditionMeetsARemovalAtASharedCounter() {
      for (int before : AROUND_FIFTEEN) {
        CountingBloomFilter<Long> filled = Ours.filledTo(before);
        check(
            () ->
                CountingRaces.anAdditionMeetsARemovalAtASharedCounter(
                    new Ours(filled.copy()), before));
      }
    }
  }

  /** Each would pass if Lincheck or the race were too weak to see the error. */
  @Nested
  class BrokenFiltersAreCaught {

    /** Caught by one of these complaints: not by a hang, nor by a fault of the race itself. */
    private void assertCaught(Runnable race, String... complaints) {
      Throwable error =
          assertThrows(Throwable.class, () -> Lincheck.runConcurrentTest(ORDERS, race));
      if (error instanceof IndexOutOfBoundsException
          && Stream.of(error.getStackTrace())
              .anyMatch(f -> f.getClassName().equals(LincheckAssertionError.class.getName()))) {
        return; // it was caught, and Lincheck 3.7 now and then fails to write its report
      }
      assertInstanceOf(LincheckAssertionError.class, error);
      String message = String.valueOf(error.getMessage());
      assertTrue(Stream.of(complaints).anyMatch(message::contains), message);
    }

    @Test
    void additionsThatAreNotAtomic() {
      assertCaught(
          () ->
              CountingRaces.ofTwoFirstAdditionsOneReturnsTrue(
                  new BrokenRacingFilters.LosesAdditions()),
          CountingRaces.COUNTERS);
    }

    @Test
    void additionsThatAreNotAtomicWhileOthersComeAndGo() {
      assertCaught(
          () ->
              CountingRaces.anElementStaysWhileOthersComeAndGo(
                  new BrokenRacingFilters.LosesAdditions()),
          CountingRaces.FALSE_NEGATIVE,
          CountingRaces.REFUSED,
          CountingRaces.NOT_ONE,
          CountingRaces.COUNTERS);
    }

    @Test
    void additionsThatAreNotAtomicBesideRemovalsOfTheSame() {
      assertCaught(
          () ->
              CountingRaces.anElementWhoseAdditionsOutnumberItsRemovalsStays(
                  new BrokenRacingFilters.LosesAdditions()),
          CountingRaces.FALSE_NEGATIVE,
          CountingRaces.REFUSED,
          CountingRaces.NOT_ONE,
          CountingRaces.COUNTERS);
    }

    @Test
    void aFullCounterThatIsNotLookedAtAgainWhileOthersComeAndGo() {
      assertCaught(
          () ->
              CountingRaces.aSharedCounterPassesFifteenAndComesBack(
                  new BrokenRacingFilters.DoesNotLookAgain().filledTo(15), 15),
          CountingRaces.FALSE_NEGATIVE,
          CountingRaces.REFUSED,
          CountingRaces.NOT_ONE,
          CountingRaces.COUNTERS);
    }

    @Test
    void aRemovalThatTakesAndRollsBack() {
      assertCaught(
          () ->
              CountingRaces.anAdditionMeetsARemovalAtASharedCounter(
                  new BrokenRacingFilters.LosesAdditions().filledTo(3), 3),
          CountingRaces.COUNTERS);
    }

    @Test
    void anAnswerThatIsLookedForAfterwards() {
      assertCaught(
          () ->
              CountingRaces.ofTwoFirstAdditionsOneReturnsTrue(
                  new BrokenRacingFilters.LooksAfterwards()),
          CountingRaces.NO_FIRST);
    }

    @Test
    void aRemovalWithoutALockThatRollsBack() {
      assertCaught(
          () ->
              CountingRaces.ofTwoRemovalsOfOneOccurrenceOneSucceedsAndTheOtherNeverShows(
                  new BrokenRacingFilters.TakesAndRollsBack()),
          CountingRaces.FALSE_NEGATIVE);
    }

    @Test
    void aRemovalThatTakesTwiceFromOne() {
      assertCaught(
          () ->
              CountingRaces.ofTwoRemovalsThatTakeACounterTwiceOneSucceeds(
                  new BrokenRacingFilters.LooksForZerosOnly()),
          CountingRaces.FALSE_NEGATIVE,
          CountingRaces.NOT_ONE,
          CountingRaces.COUNTERS);
    }

    @Test
    void aRefusedRemovalThatShows() {
      assertCaught(
          () ->
              CountingRaces.aRefusedRemovalNeverShows(new BrokenRacingFilters.TakesAndRollsBack()),
          CountingRaces.FALSE_NEGATIVE);
    }

    @Test
    void aRemovalWithoutALockThatLooksFirst() {
      assertCaught(
          () ->
              CountingRaces.ofTwoRemovalsOfOneOccurrenceOneSucceedsAndTheOtherNeverShows(
                  new BrokenRacingFilters.LooksThenTakes()),
          CountingRaces.FALSE_NEGATIVE,
          CountingRaces.REFUSED,
          CountingRaces.NOT_ONE,
          CountingRaces.COUNTERS);
    }

    @Test
    void aFullCounterThatIsNotLookedAtAgain() {
      assertCaught(
          () ->
              CountingRaces.anAdditionMeetsARemovalAtASharedCounter(
                  new BrokenRacingFilters.DoesNotLookAgain().filledTo(15), 15),
          CountingRaces.COUNTERS);
    }

    @Test
    void notTheFilterThatTheyBreak() {
      check(() -> CountingRaces.ofTwoFirstAdditionsOneReturnsTrue(new AtomicCountersFilter()));
      check(
          () ->
              CountingRaces.ofTwoRemovalsOfOneOccurrenceOneSucceedsAndTheOtherNeverShows(
                  new AtomicCountersFilter()));
      check(
          () ->
              CountingRaces.ofTwoRemovalsThatTakeACounterTwiceOneSucceeds(
                  new AtomicCountersFilter()));
      check(() -> CountingRaces.aRefusedRemovalNeverShows(new AtomicCountersFilter()));
      check(
          () ->
              CountingRaces.anAdditionMeetsARemovalAtASharedCounter(
                  new AtomicCountersFilter().filledTo(15), 15));
    }
  }

  private static final class Ours implements RacingFilter {

    private static final FlatShape SHAPE = new FlatShape(POSITIONS, 2);

    private final CountingBloomFilter<Long> filter;

    Ours() {
      this(CountingBloomFilter.builder(HashStrategies.longs()).shape(SHAPE).concurrent().build());
    }

    Ours(CountingBloomFilter<Long> filter) {
      this.filter = filter;
    }

    static CountingBloomFilter<Long> filledTo(int value) {
      Ours ours = new Ours();
      ours.add(CountingRaces.X);
      for (int i = 1; i < value; i++) {
        ours.add(CountingRaces.Y);
      }
      return ours.filter;
    }

    @Override
    public boolean add(long hash) {
      return filter.addHash(hash);
    }

    @Override
    public boolean remove(long hash) {
      return filter.removeHash(hash);
    }

    @Override
    public boolean add(long hash, int copies) {
      return filter.addHash(hash, copies);
    }

    @Override
    public boolean remove(long hash, int copies) {
      return filter.removeHash(hash, copies);
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.mightContainHash(hash);
    }

    @Override
    public long count(long hash) {
      return filter.countHash(hash);
    }

    @Override
    public long counter(int position) {
      return filter.counter(position);
    }

    @Override
    public void checkFigures(long elements, long nonZeroCounters) {
      assertEquals(elements, filter.elementCount().orElseThrow(), "elementCount");
      assertEquals(nonZeroCounters, filter.nonZeroCounters(), "nonZeroCounters");
    }
  }
}
