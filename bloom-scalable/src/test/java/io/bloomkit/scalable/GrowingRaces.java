package io.bloomkit.scalable;

import static io.bloomkit.testkit.Racer.race;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * Races on a filter with one full layer, or with one element in a second, and what each promises to
 * several threads.
 */
final class GrowingRaces {

  static final LongHashStrategy LONGS = HashStrategies.longs();

  static final String FALSE_NEGATIVE = "a stored element is negative";
  static final String TOO_LOW = "a count is too low";
  private static final String NOT_ONE = "not exactly one of two was the first, or the last";
  private static final String REFUSED = "a removal of what was there was refused";
  static final String NO_ORDER = "not what any order leaves";

  /** What the races need of a filter that holds OLD and OTHER, which fill its first layer. */
  interface Growing {
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
  static final ScalableCountingBloomFilter.Builder<Long> BUILDER =
      ScalableCountingBloomFilter.builder(LONGS)
          .expecting(1, 0.9)
          .growthFactor(1)
          .tighteningRatio(0.5)
          .concurrent();

  private static final List<Shape> SHAPES = BUILDER.layerShapes(4);
  static final Shape FIRST = SHAPES.get(0);
  static final Shape SECOND = SHAPES.get(1);

  static final long OLD = find(hash -> true);
  static final long OTHER = find(hash -> !shares(FIRST, hash, OLD));

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

  private GrowingRaces() {}

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
  static void nothingIsLostWhileALayerIsMade(Growing filter) {
    boolean[] kept =
        race(
            () -> filter.add(X) && filter.mightContain(X),
            () -> filter.mightContain(OLD) && filter.mightContain(OTHER));
    assertTrue(kept[0] && kept[1], FALSE_NEGATIVE);
  }

  /** Promises 1 and 2, for what two threads add that both find the layer full. */
  static void bothAreKeptThatFindALayerFull(Growing filter) {
    boolean[] kept =
        race(
            () -> filter.add(X) && filter.mightContain(X),
            () -> filter.add(Y) && filter.mightContain(Y));
    assertTrue(kept[0] && kept[1], FALSE_NEGATIVE);
    assertHolds(filter, 2, 1, 1, 1);
  }

  /** Promise 2. */
  static void ofTwoFirstAdditionsOneReturnsTrue(Growing filter) {
    boolean[] added = race(() -> filter.add(X), () -> filter.add(X));
    assertTrue(added[0] ^ added[1], NOT_ONE);
    assertHolds(filter, 2, 1, 2, 0);
  }

  /** Promises 2 and 3. */
  static void ofTwoLastRemovalsOneSucceeds(Growing filter) {
    filter.add(X);
    boolean[] removed = race(() -> filter.remove(X), () -> filter.remove(X));
    assertTrue(removed[0] ^ removed[1], NOT_ONE);
    assertHolds(filter, 1, 1, 0, 0);
  }

  /** Promise 1, for what lies in the layer behind the one that is dropped. */
  static void nothingIsLostWhileALayerIsDropped(Growing filter) {
    filter.add(X);
    filter.remove(OTHER);
    boolean[] kept = race(() -> filter.remove(OLD), () -> filter.mightContain(X));
    assertTrue(kept[0], REFUSED);
    assertTrue(kept[1], FALSE_NEGATIVE);
  }

  /** Promises 1 and 2, where an addition meets the removal of the last element of a layer. */
  static void anAdditionMeetsTheEndOfALayer(Growing filter) {
    filter.add(X);
    boolean[] kept = race(() -> filter.remove(X), () -> filter.add(Y) && filter.mightContain(Y));
    assertTrue(kept[0], REFUSED);
    assertTrue(kept[1] && filter.mightContain(Y), FALSE_NEGATIVE);
    assertHolds(filter, 2, 1, 0, 1);
  }

  /**
   * Promise 3: Y is in the second layer, so its removal is refused by the first that is queried.
   */
  static void aRemovalDoesNotShowInOlderLayers(Growing filter) {
    filter.add(X);
    boolean[] kept = race(() -> !filter.remove(Y), () -> filter.mightContain(X));
    assertTrue(kept[0], "a removal of what was absent succeeded");
    assertTrue(kept[1], FALSE_NEGATIVE);
  }

  /**
   * Promise 2, for the count of an element that is a false positive of a layer which is dropped and
   * used again as a newer one.
   */
  static void aCountIsNotTooLowWhileALayerIsUsedAgain(Growing filter) {
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
}
