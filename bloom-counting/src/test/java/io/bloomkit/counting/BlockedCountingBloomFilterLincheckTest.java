package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.util.stream.Stream;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/**
 * The promise of {@link CountingBloomFilterLincheckTest}, model checked on a block of a filter,
 * whose counters change a word at a time. What Lincheck does and does not find is said there.
 */
class BlockedCountingBloomFilterLincheckTest {

  private static final int ORDERS = Integer.getInteger("bloomkit.orders", 100);

  private static final int[] AROUND_FIFTEEN = {14, 15, 16};

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
    void aRefusedRemovalNeverShows() {
      check(() -> CountingRaces.aRefusedRemovalNeverShows(new Ours()));
    }

    @Test
    void copiesPassFifteenAndComeBack() {
      BlockedCountingBloomFilter<Long> filled = Ours.filledTo(14);
      check(() -> CountingRaces.copiesPassFifteenAndComeBack(new Ours(filled.copy()), 14));
    }

    @Test
    void anAdditionMeetsARemovalAtASharedCounter() {
      for (int before : AROUND_FIFTEEN) {
        BlockedCountingBloomFilter<Long> filled = Ours.filledTo(before);
        check(
            () ->
                CountingRaces.anAdditionMeetsARemovalAtASharedCounter(
                    new Ours(filled.copy()), before));
      }
    }

    @Test
    void aSharedCounterPassesFifteenAndComesBack() {
      BlockedCountingBloomFilter<Long> filled = Ours.filledTo(15);
      check(
          () -> CountingRaces.aSharedCounterPassesFifteenAndComesBack(new Ours(filled.copy()), 15));
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
    void aRemovalWithoutALock() {
      assertCaught(
          () ->
              CountingRaces.ofTwoRemovalsOfOneOccurrenceOneSucceedsAndTheOtherNeverShows(
                  new StripedCountersFilter.Broken.RemovesWithoutALock()),
          CountingRaces.FALSE_NEGATIVE,
          CountingRaces.NOT_ONE,
          CountingRaces.COUNTERS);
    }

    @Test
    void aRemovalThatLooksOutsideTheLock() {
      assertCaught(
          () ->
              CountingRaces.ofTwoRemovalsOfOneOccurrenceOneSucceedsAndTheOtherNeverShows(
                  new StripedCountersFilter.Broken.LooksOutsideTheLock()),
          CountingRaces.FALSE_NEGATIVE,
          CountingRaces.NOT_ONE,
          CountingRaces.COUNTERS);
    }

    @Test
    void aRefusedRemovalThatShows() {
      assertCaught(
          () ->
              CountingRaces.aRefusedRemovalNeverShows(
                  new StripedCountersFilter.Broken.TakesAWordAndGivesItBack()),
          CountingRaces.FALSE_NEGATIVE);
    }

    @Test
    @EnabledForJreRange(maxVersion = 24) // Lincheck 3.7 misses plain array access on 25
    void anAdditionThatIsNotAtomic() {
      assertCaught(
          () ->
              CountingRaces.ofTwoFirstAdditionsOneReturnsTrue(
                  new StripedCountersFilter.Broken.AddsNotAtOnce()),
          CountingRaces.COUNTERS);
    }

    @Test
    @EnabledForJreRange(maxVersion = 24) // Lincheck 3.7 misses plain array access on 25
    void anAdditionThatIsNotAtomicBesideARemoval() {
      assertCaught(
          () ->
              CountingRaces.anAdditionMeetsARemovalAtASharedCounter(
                  new StripedCountersFilter.Broken.AddsNotAtOnce().filledTo(3), 3),
          CountingRaces.FALSE_NEGATIVE,
          CountingRaces.COUNTERS);
    }

    @Test
    void anAdditionThatDoesNotTryAgain() {
      assertCaught(
          () ->
              CountingRaces.ofTwoFirstAdditionsOneReturnsTrue(
                  new StripedCountersFilter.Broken.DoesNotTryAgain()),
          CountingRaces.COUNTERS);
    }

    @Test
    void notTheFilterThatTheyBreak() {
      check(() -> CountingRaces.ofTwoFirstAdditionsOneReturnsTrue(new StripedCountersFilter()));
      check(
          () ->
              CountingRaces.ofTwoRemovalsOfOneOccurrenceOneSucceedsAndTheOtherNeverShows(
                  new StripedCountersFilter()));
      check(() -> CountingRaces.aRefusedRemovalNeverShows(new StripedCountersFilter()));
      check(
          () ->
              CountingRaces.anAdditionMeetsARemovalAtASharedCounter(
                  new StripedCountersFilter().filledTo(15), 15));
    }
  }

  private static final class Ours implements RacingFilter {

    private final BlockedCountingBloomFilter<Long> filter;

    Ours() {
      this(
          BlockedCountingBloomFilter.builder(HashStrategies.longs())
              .shape(BlockOfRaces.SHAPE)
              .concurrent()
              .build());
    }

    Ours(BlockedCountingBloomFilter<Long> filter) {
      this.filter = filter;
    }

    static BlockedCountingBloomFilter<Long> filledTo(int value) {
      Ours ours = new Ours();
      ours.add(CountingRaces.X);
      for (int i = 1; i < value; i++) {
        ours.add(CountingRaces.Y);
      }
      return ours.filter;
    }

    @Override
    public boolean add(long hash) {
      return filter.addHash(BlockOfRaces.hash(hash));
    }

    @Override
    public boolean remove(long hash) {
      return filter.removeHash(BlockOfRaces.hash(hash));
    }

    @Override
    public boolean add(long hash, int copies) {
      return filter.addHash(BlockOfRaces.hash(hash), copies);
    }

    @Override
    public boolean remove(long hash, int copies) {
      return filter.removeHash(BlockOfRaces.hash(hash), copies);
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.mightContainHash(BlockOfRaces.hash(hash));
    }

    @Override
    public long count(long hash) {
      return filter.countHash(BlockOfRaces.hash(hash));
    }

    @Override
    public long counter(int position) {
      return filter.counter(BlockOfRaces.counter(position));
    }

    @Override
    public void checkFigures(long elements, long nonZeroCounters) {
      assertEquals(elements, filter.elementCount().orElseThrow(), "elementCount");
      assertEquals(
          BlockOfRaces.nonZeroCounters(nonZeroCounters, counter(3) != 0),
          filter.nonZeroCounters(),
          "nonZeroCounters");
    }
  }
}
