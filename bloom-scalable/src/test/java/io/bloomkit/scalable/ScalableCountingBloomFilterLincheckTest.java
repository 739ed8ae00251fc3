package io.bloomkit.scalable;

import static io.bloomkit.scalable.GrowingRaces.BUILDER;
import static io.bloomkit.scalable.GrowingRaces.FALSE_NEGATIVE;
import static io.bloomkit.scalable.GrowingRaces.NO_ORDER;
import static io.bloomkit.scalable.GrowingRaces.OLD;
import static io.bloomkit.scalable.GrowingRaces.OTHER;
import static io.bloomkit.scalable.GrowingRaces.TOO_LOW;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.scalable.GrowingRaces.Growing;
import java.util.stream.Stream;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The promise to several threads while layers are made and dropped, model checked: races of a
 * filter with one full layer, or with one element in a second. That the layers themselves keep it
 * is shown where they are.
 *
 * <p>Lincheck assumes sequential consistency: it finds what a wrong order of steps breaks, not what
 * a missing barrier does. And it tries hundreds of orders of a race, not all there are: that these
 * suffice to find the errors of this kind is shown on filters that have them.
 */
@Tag("lincheck")
class ScalableCountingBloomFilterLincheckTest {

  private static final int ORDERS = 150;

  private static void check(Runnable race) {
    Lincheck.runConcurrentTest(ORDERS, race);
  }

  /** Broken filters are caught within a few of the orders. */
  private static void checkBriefly(Runnable race) {
    Lincheck.runConcurrentTest(ORDERS / 5, race);
  }

  @Nested
  class OursKeepsThePromise {

    @Test
    void nothingIsLostWhileALayerIsMade() {
      check(() -> GrowingRaces.nothingIsLostWhileALayerIsMade(new Ours()));
    }

    @Test
    void bothAreKeptThatFindALayerFull() {
      check(() -> GrowingRaces.bothAreKeptThatFindALayerFull(new Ours()));
    }

    @Test
    void ofTwoFirstAdditionsOneReturnsTrue() {
      check(() -> GrowingRaces.ofTwoFirstAdditionsOneReturnsTrue(new Ours()));
    }

    @Test
    void ofTwoLastRemovalsOneSucceeds() {
      check(() -> GrowingRaces.ofTwoLastRemovalsOneSucceeds(new Ours()));
    }

    @Test
    void nothingIsLostWhileALayerIsDropped() {
      check(() -> GrowingRaces.nothingIsLostWhileALayerIsDropped(new Ours()));
    }

    @Test
    void anAdditionMeetsTheEndOfALayer() {
      check(() -> GrowingRaces.anAdditionMeetsTheEndOfALayer(new Ours()));
    }

    @Test
    void aRemovalDoesNotShowInOlderLayers() {
      check(() -> GrowingRaces.aRemovalDoesNotShowInOlderLayers(new Ours()));
    }

    @Test
    void aCountIsNotTooLowWhileALayerIsUsedAgain() {
      check(() -> GrowingRaces.aCountIsNotTooLowWhileALayerIsUsedAgain(new Ours()));
    }
  }

  /** Each would pass if Lincheck or the race were too weak to see the error. */
  @Nested
  class BrokenFiltersAreCaught {

    private void assertCaught(Runnable race, String... complaints) {
      Throwable error = assertThrows(Throwable.class, () -> check(race));
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
    void additionsWithoutALock() {
      assertCaught(
          () ->
              GrowingRaces.bothAreKeptThatFindALayerFull(
                  new BrokenGrowingFilters.AddsWithoutALock()),
          FALSE_NEGATIVE,
          NO_ORDER);
    }

    @Test
    void aLayerThatIsDroppedThoughItIsNoLongerEmpty() {
      assertCaught(
          () ->
              GrowingRaces.anAdditionMeetsTheEndOfALayer(
                  new BrokenGrowingFilters.DropsWithoutLookingAgain()),
          FALSE_NEGATIVE);
    }

    @Test
    void aRemovalThatTakesAndGivesBackInAnOlderLayer() {
      assertCaught(
          () ->
              GrowingRaces.aRemovalDoesNotShowInOlderLayers(
                  new BrokenGrowingFilters.TakesAndGivesBack()),
          FALSE_NEGATIVE);
    }

    @Test
    void aCountWithoutALock() {
      assertCaught(
          () ->
              GrowingRaces.aCountIsNotTooLowWhileALayerIsUsedAgain(
                  new BrokenGrowingFilters.CountsWithoutALock()),
          TOO_LOW);
    }

    @Test
    void aNewLayerThatIsShownBeforeTheOldOnesAreKept() {
      assertCaught(
          () ->
              GrowingRaces.nothingIsLostWhileALayerIsMade(
                  new BrokenGrowingFilters.ShowsTheNewestFirst()),
          FALSE_NEGATIVE);
    }

    @Test
    void notTheFilterThatTheyBreak() {
      checkBriefly(
          () -> GrowingRaces.bothAreKeptThatFindALayerFull(new BrokenGrowingFilters.Sound()));
      checkBriefly(
          () -> GrowingRaces.anAdditionMeetsTheEndOfALayer(new BrokenGrowingFilters.Sound()));
      checkBriefly(
          () -> GrowingRaces.aRemovalDoesNotShowInOlderLayers(new BrokenGrowingFilters.Sound()));
      checkBriefly(
          () ->
              GrowingRaces.aCountIsNotTooLowWhileALayerIsUsedAgain(
                  new BrokenGrowingFilters.Sound()));
      checkBriefly(
          () -> GrowingRaces.nothingIsLostWhileALayerIsMade(new BrokenGrowingFilters.Sound()));
    }
  }

  private static final class Ours implements Growing {
    private final ScalableCountingBloomFilter<Long> filter = BUILDER.build();

    Ours() {
      filter.addHash(OLD);
      filter.addHash(OTHER);
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
    public boolean mightContain(long hash) {
      return filter.mightContainHash(hash);
    }

    @Override
    public long count(long hash) {
      return filter.countHash(hash);
    }

    @Override
    public int layerCount() {
      return filter.layerCount();
    }
  }
}
