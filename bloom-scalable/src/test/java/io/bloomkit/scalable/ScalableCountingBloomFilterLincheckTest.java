package io.bloomkit.scalable;

import static io.bloomkit.testkit.Racer.race;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.Shape;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jspecify.annotations.Nullable;
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
  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static final String FALSE_NEGATIVE = "a stored element is negative";
  private static final String TOO_LOW = "a count is too low";
  private static final String NOT_ONE = "not exactly one of two was the first, or the last";
  private static final String REFUSED = "a removal of what was there was refused";
  private static final String NO_ORDER = "not what any order leaves";

  /** What the races need of a filter that holds OLD and OTHER, which fill its first layer. */
  private interface Growing {
    boolean add(long hash);

    boolean remove(long hash);

    boolean mightContain(long hash);

    long count(long hash);

    int layerCount();
  }

  /**
   * Layers of one size, of a few counters and one hash or two: loops must be short. Its layers are
   * planned before the races.
   */
  private static final ScalableCountingBloomFilter.Builder<Long> BUILDER =
      ScalableCountingBloomFilter.builder(LONGS)
          .expecting(1, 0.9)
          .growthFactor(1)
          .tighteningRatio(0.5)
          .concurrent();

  private static final List<Shape> SHAPES = BUILDER.layerShapes(4);
  private static final Shape FIRST = SHAPES.get(0);
  private static final Shape SECOND = SHAPES.get(1);

  private static final long OLD = find(hash -> true);
  private static final long OTHER = find(hash -> !shares(FIRST, hash, OLD));

  /** Goes to the second layer. */
  private static final long X = find(hash -> isNew(hash) && isDistinct(SECOND, hash));

  /** Goes to the second layer, where it shares one counter with X. */
  private static final long Y = find(hash -> isNew(hash) && sharesOne(SECOND, hash, X));

  /** Fill the second layer, with X. */
  private static final long FILLER =
      find(hash -> isNew(hash) && isDistinct(SECOND, hash) && !shares(SECOND, hash, X));

  private static final long LAST =
      find(
          hash ->
              isNew(hash)
                  && isDistinct(SECOND, hash)
                  && !shares(SECOND, hash, X)
                  && !shares(SECOND, hash, FILLER));

  /** Makes X a false positive of the first layer, and is none of the second when that is full. */
  private static final long TWIN =
      find(
          hash ->
              shares(FIRST, hash, X)
                  && Arrays.stream(positions(SECOND, hash))
                      .anyMatch(
                          position ->
                              LongStream.of(X, FILLER, LAST)
                                  .flatMap(held -> Arrays.stream(positions(SECOND, held)))
                                  .noneMatch(held -> held == position)));

  private static long find(LongPredicate condition) {
    return new SplittableRandom(1).longs(1_000_000).filter(condition).findFirst().orElseThrow();
  }

  private static boolean isNew(long hash) {
    return !shares(FIRST, hash, OLD) && !shares(FIRST, hash, OTHER);
  }

  private static long[] positions(Shape shape, long hash) {
    long[] positions = new long[shape.hashes()];
    shape.positionsOf(hash, positions);
    return positions;
  }

  private static boolean isDistinct(Shape shape, long hash) {
    return Arrays.stream(positions(shape, hash)).distinct().count() == shape.hashes();
  }

  private static long common(Shape shape, long hash, long other) {
    long[] others = positions(shape, other);
    return Arrays.stream(positions(shape, hash))
        .filter(position -> Arrays.stream(others).anyMatch(held -> held == position))
        .count();
  }

  private static boolean shares(Shape shape, long hash, long other) {
    return common(shape, hash, other) > 0;
  }

  /** Whether the position that is derived first is in common, and no other. */
  private static boolean sharesOne(Shape shape, long hash, long other) {
    return isDistinct(shape, hash)
        && common(shape, hash, other) == 1
        && positions(shape, hash)[0] == positions(shape, other)[0];
  }

  /** Promise 1, for what is there and what is added. */
  private static void nothingIsLostWhileALayerIsMade(Growing filter) {
    boolean[] kept =
        race(
            () -> filter.add(X) && filter.mightContain(X),
            () -> filter.mightContain(OLD) && filter.mightContain(OTHER));
    assertTrue(kept[0] && kept[1], FALSE_NEGATIVE);
  }

  /** Promises 1 and 2, for what two threads add that both find the layer full. */
  private static void bothAreKeptThatFindALayerFull(Growing filter) {
    boolean[] kept =
        race(
            () -> filter.add(X) && filter.mightContain(X),
            () -> filter.add(Y) && filter.mightContain(Y));
    assertTrue(kept[0] && kept[1], FALSE_NEGATIVE);
    assertHolds(filter, 2, 1, 1, 1);
  }

  /** Promise 2. */
  private static void ofTwoFirstAdditionsOneReturnsTrue(Growing filter) {
    boolean[] added = race(() -> filter.add(X), () -> filter.add(X));
    assertTrue(added[0] ^ added[1], NOT_ONE);
    assertHolds(filter, 2, 1, 2, 0);
  }

  /** Promises 2 and 3. */
  private static void ofTwoLastRemovalsOneSucceeds(Growing filter) {
    filter.add(X);
    boolean[] removed = race(() -> filter.remove(X), () -> filter.remove(X));
    assertTrue(removed[0] ^ removed[1], NOT_ONE);
    assertHolds(filter, 1, 1, 0, 0);
  }

  /** Promise 1, for what lies in the layer behind the one that is dropped. */
  private static void nothingIsLostWhileALayerIsDropped(Growing filter) {
    filter.add(X);
    filter.remove(OTHER);
    boolean[] kept = race(() -> filter.remove(OLD), () -> filter.mightContain(X));
    assertTrue(kept[0], REFUSED);
    assertTrue(kept[1], FALSE_NEGATIVE);
  }

  /** Promises 1 and 2, where an addition meets the removal of the last element of a layer. */
  private static void anAdditionMeetsTheEndOfALayer(Growing filter) {
    filter.add(X);
    boolean[] kept = race(() -> filter.remove(X), () -> filter.add(Y) && filter.mightContain(Y));
    assertTrue(kept[0], REFUSED);
    assertTrue(kept[1] && filter.mightContain(Y), FALSE_NEGATIVE);
    assertHolds(filter, 2, 1, 0, 1);
  }

  /**
   * Promise 3: Y is in the second layer, so its removal is refused by the first that is queried.
   */
  private static void aRemovalDoesNotShowInOlderLayers(Growing filter) {
    filter.add(X);
    boolean[] kept = race(() -> !filter.remove(Y), () -> filter.mightContain(X));
    assertTrue(kept[0], "a removal of what was absent succeeded");
    assertTrue(kept[1], FALSE_NEGATIVE);
  }

  /**
   * Promise 2, for the count of an element that is a false positive of a layer which is dropped and
   * used again as a newer one.
   */
  private static void aCountIsNotTooLowWhileALayerIsUsedAgain(Growing filter) {
    filter.add(X);
    filter.add(X);
    filter.add(FILLER);
    filter.add(LAST);
    filter.remove(OTHER);
    boolean[] kept =
        race(
            () -> filter.remove(OLD) && filter.add(TWIN),
            () -> filter.count(X) >= 2 && filter.mightContain(X));
    assertTrue(kept[0], REFUSED);
    assertTrue(kept[1], TOO_LOW);
  }

  private static void assertHolds(Growing filter, int layers, long old, long x, long y) {
    assertEquals(layers, filter.layerCount(), NO_ORDER);
    assertTrue(filter.count(OLD) == old && filter.count(X) == x && filter.count(Y) == y, NO_ORDER);
  }

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
      check(
          () -> ScalableCountingBloomFilterLincheckTest.nothingIsLostWhileALayerIsMade(new Ours()));
    }

    @Test
    void bothAreKeptThatFindALayerFull() {
      check(
          () -> ScalableCountingBloomFilterLincheckTest.bothAreKeptThatFindALayerFull(new Ours()));
    }

    @Test
    void ofTwoFirstAdditionsOneReturnsTrue() {
      check(
          () ->
              ScalableCountingBloomFilterLincheckTest.ofTwoFirstAdditionsOneReturnsTrue(
                  new Ours()));
    }

    @Test
    void ofTwoLastRemovalsOneSucceeds() {
      check(() -> ScalableCountingBloomFilterLincheckTest.ofTwoLastRemovalsOneSucceeds(new Ours()));
    }

    @Test
    void nothingIsLostWhileALayerIsDropped() {
      check(
          () ->
              ScalableCountingBloomFilterLincheckTest.nothingIsLostWhileALayerIsDropped(
                  new Ours()));
    }

    @Test
    void anAdditionMeetsTheEndOfALayer() {
      check(
          () -> ScalableCountingBloomFilterLincheckTest.anAdditionMeetsTheEndOfALayer(new Ours()));
    }

    @Test
    void aRemovalDoesNotShowInOlderLayers() {
      check(
          () ->
              ScalableCountingBloomFilterLincheckTest.aRemovalDoesNotShowInOlderLayers(new Ours()));
    }

    @Test
    void aCountIsNotTooLowWhileALayerIsUsedAgain() {
      check(
          () ->
              ScalableCountingBloomFilterLincheckTest.aCountIsNotTooLowWhileALayerIsUsedAgain(
                  new Ours()));
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
              ScalableCountingBloomFilterLincheckTest.bothAreKeptThatFindALayerFull(
                  new AddsWithoutALock()),
          FALSE_NEGATIVE,
          NO_ORDER);
    }

    @Test
    void aLayerThatIsDroppedThoughItIsNoLongerEmpty() {
      assertCaught(
          () ->
              ScalableCountingBloomFilterLincheckTest.anAdditionMeetsTheEndOfALayer(
                  new DropsWithoutLookingAgain()),
          FALSE_NEGATIVE);
    }

    @Test
    void aRemovalThatTakesAndGivesBackInAnOlderLayer() {
      assertCaught(
          () ->
              ScalableCountingBloomFilterLincheckTest.aRemovalDoesNotShowInOlderLayers(
                  new TakesAndGivesBack()),
          FALSE_NEGATIVE);
    }

    @Test
    void aCountWithoutALock() {
      assertCaught(
          () ->
              ScalableCountingBloomFilterLincheckTest.aCountIsNotTooLowWhileALayerIsUsedAgain(
                  new CountsWithoutALock()),
          TOO_LOW);
    }

    @Test
    void aNewLayerThatIsShownBeforeTheOldOnesAreKept() {
      assertCaught(
          () ->
              ScalableCountingBloomFilterLincheckTest.nothingIsLostWhileALayerIsMade(
                  new ShowsTheNewestFirst()),
          FALSE_NEGATIVE);
    }

    @Test
    void notTheFilterThatTheyBreak() {
      checkBriefly(
          () -> ScalableCountingBloomFilterLincheckTest.bothAreKeptThatFindALayerFull(new Sound()));
      checkBriefly(
          () -> ScalableCountingBloomFilterLincheckTest.anAdditionMeetsTheEndOfALayer(new Sound()));
      checkBriefly(
          () ->
              ScalableCountingBloomFilterLincheckTest.aRemovalDoesNotShowInOlderLayers(
                  new Sound()));
      checkBriefly(
          () ->
              ScalableCountingBloomFilterLincheckTest.aCountIsNotTooLowWhileALayerIsUsedAgain(
                  new Sound()));
      checkBriefly(
          () ->
              ScalableCountingBloomFilterLincheckTest.nothingIsLostWhileALayerIsMade(new Sound()));
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

  private static int limit(Shape shape) {
    return shape.equals(FIRST) ? 1 : 4;
  }

  private static final class Layer {
    final CountingBloomFilter<Long> filter;
    private final int limit;

    Layer(CountingBloomFilter<Long> filter, int limit) {
      this.filter = filter;
      this.limit = limit;
    }

    boolean isFull() {
      return filter.nonZeroCounters() > limit;
    }
  }

  /** The same row of layers, as simple as can be. */
  private static class Sound implements Growing {

    /** A published list is never written again. */
    volatile List<Layer> row = new ArrayList<>();

    private final Layer first = layer(FIRST);

    Sound() {
      row.add(first);
      first.filter.addHash(OLD);
      first.filter.addHash(OTHER);
    }

    Layer layer(Shape shape) {
      return new Layer(
          CountingBloomFilter.builder(LONGS).shape(shape).concurrent().build(), limit(shape));
    }

    @Override
    public boolean add(long hash) {
      synchronized (this) {
        return addUnlocked(hash);
      }
    }

    final boolean addUnlocked(long hash) {
      List<Layer> now = row;
      for (int i = 0; i < now.size(); i++) {
        if (now.get(i).filter.mightContainHash(hash)) {
          return now.get(i).filter.addHash(hash);
        }
      }
      Layer active = now.get(now.size() - 1);
      if (active.isFull()) {
        active = now.contains(first) ? layer(SECOND) : first;
        grow(active);
      }
      return active.filter.addHash(hash);
    }

    void grow(Layer next) {
      List<Layer> grown = new ArrayList<>(row);
      grown.add(next);
      row = grown;
    }

    @Override
    public boolean remove(long hash) {
      synchronized (this) {
        Layer layer = removeUnlocked(hash);
        if (layer != null && layer.filter.nonZeroCounters() == 0) {
          drop(layer);
        }
        return layer != null;
      }
    }

    /** Returns the layer from which it was removed. */
    final @Nullable Layer removeUnlocked(long hash) {
      List<Layer> now = row;
      for (int i = 0; i < now.size(); i++) {
        if (now.get(i).filter.removeHash(hash)) {
          return now.get(i);
        }
      }
      return null;
    }

    final void drop(Layer empty) {
      List<Layer> rest = new ArrayList<>();
      for (Layer layer : row) {
        if (layer != empty) {
          rest.add(layer);
        }
      }
      row = rest;
    }

    @Override
    public final boolean mightContain(long hash) {
      List<Layer> now = row;
      for (int i = now.size() - 1; i >= 0; i--) {
        if (now.get(i).filter.mightContainHash(hash)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public long count(long hash) {
      synchronized (this) {
        return countUnlocked(hash);
      }
    }

    final long countUnlocked(long hash) {
      List<Layer> now = row;
      for (int i = 0; i < now.size(); i++) {
        long count = now.get(i).filter.countHash(hash);
        if (count > 0) {
          return count;
        }
      }
      return 0;
    }

    @Override
    public final int layerCount() {
      return row.size();
    }
  }

  private static final class AddsWithoutALock extends Sound {
    @Override
    public boolean add(long hash) {
      return addUnlocked(hash);
    }
  }

  private static final class DropsWithoutLookingAgain extends Sound {
    @Override
    public boolean remove(long hash) {
      Layer layer;
      boolean isEmpty;
      synchronized (this) {
        layer = removeUnlocked(hash);
        isEmpty = layer != null && layer.filter.nonZeroCounters() == 0;
      }
      if (layer != null && isEmpty) {
        synchronized (this) {
          drop(layer);
        }
      }
      return layer != null;
    }
  }

  private static final class TakesAndGivesBack extends Sound {
    @Override
    Layer layer(Shape shape) {
      return new Layer(CountingBloomFilter.builder(LONGS).shape(shape).build(), limit(shape));
    }
  }

  private static final class CountsWithoutALock extends Sound {
    @Override
    public long count(long hash) {
      return countUnlocked(hash);
    }
  }

  private static final class ShowsTheNewestFirst extends Sound {
    @Override
    void grow(Layer next) {
      List<Layer> grown = new ArrayList<>(row);
      grown.add(next);
      row = List.of(next);
      row = grown;
    }
  }
}
