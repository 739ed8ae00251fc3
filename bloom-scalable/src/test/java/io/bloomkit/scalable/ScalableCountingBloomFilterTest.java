package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ScalableCountingBloomFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final long CAPACITY = 16;
  private static final double FPP = 0.2;
  private static final double TIGHTENING = 0.85;

  private static ScalableCountingBloomFilter<Long> filter() {
    return ScalableCountingBloomFilter.create(LONGS, CAPACITY, FPP);
  }

  /**
   * The same history for any filter: it grows to 12,000 elements, shrinks to a few, grows again,
   * lives on at one size for a while, and ends empty. Beside it goes an exact multiset. Only what
   * is held is removed.
   */
  private static final class History {
    private static final int[] SIZES = {12_000, 60, 9_000, 200, 12_000, 12_000, 0};

    private final SplittableRandom random = new SplittableRandom(4);
    private final List<Long> held = new ArrayList<>();
    private long nextElement;

    /** Returns how many elements that are held were denied, or their removal refused. */
    int lose(LongConsumer add, LongPredicate remove, LongPredicate claims, Runnable afterEachStep) {
      int lost = 0;
      for (int i = 0; i < SIZES.length; i++) {
        int least = 3 * Math.abs(SIZES[i] - held.size());
        for (int step = 0; step < least || held.size() != SIZES[i]; step++) {
          boolean growing = held.isEmpty() || random.nextInt(4) < (held.size() < SIZES[i] ? 3 : 1);
          if (growing) {
            // One in four is a copy of what is there already.
            long element =
                held.isEmpty() || random.nextInt(4) > 0 ? nextElement++ : held.get(someHeld());
            add.accept(LONGS.hash(element));
            held.add(element);
          } else {
            int some = someHeld();
            long element = held.set(some, held.get(held.size() - 1));
            held.remove(held.size() - 1);
            lost += remove.test(LONGS.hash(element)) ? 0 : 1;
          }
          afterEachStep.run();
        }
        for (long element : held) {
          lost += claims.test(LONGS.hash(element)) ? 0 : 1;
        }
      }
      return lost;
    }

    private int someHeld() {
      return random.nextInt(held.size());
    }
  }

  private static ScalableCountingBloomFilter<Long> blocked() {
    return ScalableCountingBloomFilter.builder(LONGS).expecting(CAPACITY, FPP).blocked().build();
  }

  @Test
  void growsThroughTenLayersShrinksAndGrowsAgainAndLosesNothing() {
    growsShrinksAndGrowsAgain(filter(), filter());
    growsShrinksAndGrowsAgain(blocked(), blocked());
  }

  private static void growsShrinksAndGrowsAgain(
      ScalableCountingBloomFilter<Long> filter, ScalableCountingBloomFilter<Long> asNew) {
    History history = new History();
    int[] most = {0};
    int[] least = {Integer.MAX_VALUE};
    int lost =
        history.lose(
            filter::addHash,
            filter::removeHash,
            filter::mightContainHash,
            () -> {
              most[0] = Math.max(most[0], filter.layerCount());
              least[0] = most[0] < 10 ? least[0] : Math.min(least[0], filter.layerCount());
              assertEquals(OptionalLong.of(history.held.size()), filter.elementCount());
            });
    assertEquals(0, lost);
    assertTrue(most[0] >= 10, () -> "only " + most[0] + " layers");
    assertTrue(least[0] <= 2, () -> "never below " + least[0] + " layers again");
    assertIsAsNew(filter, asNew);
  }

  private static void assertIsAsNew(
      ScalableCountingBloomFilter<Long> filter, ScalableCountingBloomFilter<Long> asNew) {
    assertEquals(asNew.state(), filter.state());
    assertEquals(0, filter.state().layers().get(0).setPositions());
    assertEquals(0, filter.expectedFpp());
    assertEquals(asNew.memoryBytes(), filter.memoryBytes());
    assertEquals(OptionalLong.of(0), filter.elementCount());
  }

  @Test
  void otherRulesLoseElementsInTheSameHistory() {
    for (RoutingRules rule :
        List.of(
            new RoutingRules.NewestThatClaims(CAPACITY, FPP),
            new RoutingRules.AlwaysActive(CAPACITY, FPP),
            new RoutingRules.OldestWithRoom(CAPACITY, FPP))) {
      int lost = new History().lose(rule::add, rule::remove, rule::mightContain, () -> {});
      assertTrue(lost > 100, () -> rule.getClass().getSimpleName() + " lost only " + lost);
    }
  }

  @Test
  void errorStaysWithinTheBoundOfEachLayerAtEveryMoment() {
    for (double growth : new double[] {1, 1.3, 2, 5}) {
      ScalableCountingBloomFilter<Long> filter =
          ScalableCountingBloomFilter.builder(LONGS)
              .expecting(growth == 1 ? 500 : 8, FPP)
              .growthFactor(growth)
              .tighteningRatio(TIGHTENING)
              .build();
      int[] steps = {0};
      new History()
          .lose(
              filter::addHash,
              filter::removeHash,
              filter::mightContainHash,
              () -> {
                // At every seventh moment: the state is long in the making.
                if (++steps[0] % 7 == 0) {
                  assertWithinTheBound(filter);
                }
              });
    }
  }

  @Test
  void errorOfBlocksStaysWithinTheBound() {
    for (long capacity : new long[] {16, 1000}) {
      ScalableCountingBloomFilter<Long> filter =
          ScalableCountingBloomFilter.builder(LONGS).expecting(capacity, FPP).blocked().build();
      int[] steps = {0};
      new History()
          .lose(
              filter::addHash,
              filter::removeHash,
              filter::mightContainHash,
              () -> {
                if (++steps[0] % 101 == 0) {
                  assertWithinTheBound(filter);
                }
              });
    }
  }

  @Test
  void copiesDoNotFillALayerOfBlocks() {
    ScalableCountingBloomFilter<Long> filter = blocked();
    for (int i = 0; i < 1000; i++) {
      filter.add(1L);
    }
    for (long i = 2; i <= CAPACITY; i++) {
      filter.add(i);
    }
    assertEquals(1, filter.layerCount());
    filter.add(CAPACITY + 1);
    assertEquals(2, filter.layerCount());
    assertEquals(1000, filter.count(1L));
  }

  /** Come and gone a thousand times over, no more than there is room for at once. */
  @Test
  void layerOfBlocksSeesWhatHasGone() {
    for (long capacity : new long[] {CAPACITY, 1000}) {
      ScalableCountingBloomFilter<Long> filter =
          ScalableCountingBloomFilter.builder(LONGS).expecting(capacity, FPP).blocked().build();
      for (long i = 0; i < 100 * capacity; i++) {
        filter.add(i);
        if (i >= capacity / 2) {
          assertTrue(filter.remove(i - capacity / 2));
        }
        assertEquals(1, filter.layerCount());
      }
      assertEquals(
          capacity / 2.0, (double) filter.approximateElementCount(), 0.2 * (double) capacity);
      filter.clear();
      for (long i = 0; i < capacity; i++) {
        filter.add(i);
      }
      assertEquals(1, filter.layerCount());
    }
  }

  private static ScalableCountingBloomFilter<Long> blockedFor64() {
    return ScalableCountingBloomFilter.builder(LONGS).expecting(64, 0.01).blocked().build();
  }

  @Test
  void layerOfBlocksIsLookedThroughOnceMoreThanA64thHasGone() {
    ScalableCountingBloomFilter<Long> filter = blockedFor64();
    LongStream.range(0, 64).forEach(i -> assertTrue(filter.add(i)));
    assertTrue(filter.remove(0L));
    assertTrue(filter.copy().add(64L));
    ScalableCountingBloomFilter<Long> oneHasGone = filter.copy();
    oneHasGone.add(64L);
    assertEquals(2, oneHasGone.layerCount());
    assertTrue(filter.remove(1L));
    filter.add(64L);
    assertEquals(1, filter.layerCount());
  }

  /** It is looked through no sooner than it seems full, so that later removals count as well. */
  @Test
  void layerOfBlocksTakesAsManyAsItIsMadeForAfterSomeHaveGone() {
    ScalableCountingBloomFilter<Long> filter = blockedFor64();
    LongStream.range(2000, 2063).forEach(i -> assertTrue(filter.add(i)));
    assertTrue(filter.remove(2000L) && filter.remove(2001L));
    assertTrue(filter.add(2063L));
    assertTrue(filter.remove(2002L));
    long held = 61;
    for (long next = 2064; filter.layerCount() == 1; next++) {
      assertTrue(filter.add(next));
      held++;
    }
    assertEquals(65, held); // the last is in the second layer
  }

  @Test
  void whatALayerOfBlocksClaimsIsNotNew() {
    ScalableCountingBloomFilter<Long> filter = blocked();
    assertTrue(filter.add(1L));
    assertFalse(filter.add(1L));
    ScalableFilterState.Layer layer = filter.state().layers().get(0);
    assertTrue(layer.setPositions() > 0 && layer.setPositions() <= layer.shape().hashes());
  }

  @Test
  void clearedLayerOfBlocksIsDroppedWhenItIsEmptyAgain() {
    ScalableCountingBloomFilter<Long> filter = blocked();
    filter.add(0L);
    filter.clear();
    long last = fill(filter, 2) - 1; // alone in the second
    for (long element = 0; element < last; element++) {
      assertTrue(filter.remove(element));
    }
    assertEquals(1, filter.layerCount());
    assertEquals(1, filter.state().layers().get(0).index());
    assertTrue(filter.mightContain(last));
  }

  /** The figures of {@link ScalableCountingBloomFilter.Builder#blocked}. */
  @Test
  void blockedLayersTakeTheBytesOfTheJavadoc() {
    double[][] figures = {{0.01, 17, 8}, {0.001, 33, 11}, {1e-4, 72, 13}};
    for (double[] figure : figures) {
      ScalableCountingBloomFilter.Builder<Long> builder =
          ScalableCountingBloomFilter.builder(LONGS).expecting(10_000, figure[0]);
      assertEquals(figure[2], bytesAnElement(builder), 0.5, "standard at " + figure[0]);
      assertEquals(figure[1], bytesAnElement(builder.blocked()), 0.5, "blocked at " + figure[0]);
    }
  }

  private static double bytesAnElement(ScalableCountingBloomFilter.Builder<Long> builder) {
    double elements = 10_000 * (Math.pow(2, 10) - 1); // of ten layers
    List<Shape> shapes = builder.layerShapes((long) elements);
    assertEquals(10, shapes.size());
    return shapes.stream().mapToLong(Shape::positions).sum() / 2.0 / elements;
  }

  @Test
  void blockedLayersLargerThanACacheLineForEachElementAreRefused() {
    ScalableCountingBloomFilter.Builder<Long> builder =
        ScalableCountingBloomFilter.builder(LONGS).blocked();
    for (double fpp : new double[] {3.8e-5, 1e-5, 1e-8, 1e-12}) {
      assertRefused("use standard layers", fpp, () -> builder.expecting(1000, fpp).build());
      assertRefused("use standard layers", fpp, () -> builder.layerShapes(10));
    }
    assertRefused(
        "would take 64 bytes an element, more than a cache line for each; allow more errors, or use"
            + " standard layers, which take 13",
        "fpp",
        () -> builder.expecting(1000, 3.8e-5).build());
    builder.expecting(1000, 4.2e-5).build();
    // What was begun may go on, in stricter layers.
    assertEquals(10, builder.layerShapes(1_000_000).size());
  }

  @Test
  void copyHasNoSpareLayer() {
    ScalableCountingBloomFilter<Long> filter =
        ScalableCountingBloomFilter.create(LONGS, CAPACITY, FPP);
    long last = fill(filter, 3) - 1;
    filter.remove(last);
    ScalableCountingBloomFilter<Long> copy = filter.copy();
    assertEquals(2, copy.layerCount());
    assertTrue(copy.memoryBytes() < filter.memoryBytes());
    assertEquals(filter.add(last), copy.add(last));
    assertEquals(filter.state().layers(), copy.state().layers());
    assertEquals(filter.memoryBytes(), copy.memoryBytes());
  }

  private static void assertWithinTheBound(ScalableCountingBloomFilter<Long> filter) {
    long seen = 0;
    ScalableFilterState state = filter.state();
    for (ScalableFilterState.Layer layer : state.layers()) {
      assertEquals(0, seen >>> layer.index() & 1, () -> "an index twice: " + state);
      seen |= 1L << layer.index();
      assertTrue(
          layer.expectedFpp() <= LayeredFormulas.layerFpp(FPP, TIGHTENING, layer.index()),
          state::toString);
    }
    assertTrue(state.expectedFpp() <= FPP, state::toString);
    assertEquals(state.expectedFpp(), filter.expectedFpp());
  }

  /** Elements leave in the order in which they came: layers become empty at the old end. */
  @Test
  void queueOfAnyLengthRunsForEverInAFewLayers() {
    for (double growth : new double[] {1, 1.1, 2, 10}) {
      ScalableCountingBloomFilter<Long> filter =
          ScalableCountingBloomFilter.builder(LONGS)
              .expecting(20, FPP)
              .growthFactor(growth)
              .build();
      ArrayDeque<Long> queue = new ArrayDeque<>();
      int mostLayers = 0;
      int largestIndex = 0;
      for (long i = 0; i < 60_000; i++) {
        filter.add(i);
        queue.add(i);
        if (queue.size() > 250) {
          assertTrue(filter.remove(queue.remove()));
        }
        assertTrue(filter.mightContain(queue.getFirst()) && filter.mightContain(i));
        mostLayers = Math.max(mostLayers, filter.layerCount());
        for (ScalableFilterState.Layer layer : filter.state().layers()) {
          largestIndex = Math.max(largestIndex, layer.index());
        }
      }
      assertTrue(mostLayers <= 24, mostLayers + " layers at growth " + growth);
      assertTrue(largestIndex <= 32, "index " + largestIndex + " at growth " + growth);
      queue.forEach(element -> assertTrue(filter.remove(element)));
      assertEquals(1, filter.layerCount());
      assertEquals(0, filter.expectedFpp());
    }
  }

  @Test
  void sealedLayerTakesNothingNewUntilEveryNewerOneIsEmpty() {
    ScalableCountingBloomFilter<Long> filter = filter();
    long next = fill(filter, 3);
    long before = next - 1; // alone in layer 2
    // All but one of the oldest layer go: it has room, and stays sealed.
    long oldest = 0;
    while (filter.state().layers().get(0).setPositions() > 8) {
      assertTrue(filter.remove(oldest++));
    }
    ScalableFilterState.Layer drained = filter.state().layers().get(0);
    assertEquals(0, drained.index());
    for (int i = 0; i < 20; i++) {
      filter.add(next++);
    }
    assertEquals(drained, filter.state().layers().get(0));
    assertTrue(filter.state().layers().get(2).setPositions() > 20);
    // Everything newer goes, from the newest on: then it is active.
    for (long element = next - 1; element > before - 1; element--) {
      assertTrue(filter.remove(element));
    }
    assertEquals(2, filter.layerCount());
    for (long element = before - 1; filter.layerCount() > 1; element--) {
      filter.remove(element);
    }
    long fill = filter.state().layers().get(0).setPositions();
    filter.add(next);
    assertTrue(filter.state().layers().get(0).setPositions() > fill);
    assertEquals(1, filter.layerCount());
  }

  /** Adds 0, 1, 2 … until there are so many layers; returns the next. */
  private static long fill(ScalableCountingBloomFilter<Long> filter, int layers) {
    return fillFrom(0, filter, layers);
  }

  private static long fillFrom(long first, ScalableCountingBloomFilter<Long> filter, int layers) {
    long next = first;
    while (filter.layerCount() < layers) {
      assertTrue(next < first + 100_000, () -> filter + " does not grow");
      filter.add(next++);
    }
    return next;
  }

  @Test
  void nextLayerIsNoSmallerThanTheNewest() {
    ScalableCountingBloomFilter<Long> filter = filter();
    long next = fill(filter, 3);
    for (long oldest = 0; filter.state().layers().get(0).index() == 0; oldest++) {
      assertTrue(filter.remove(oldest));
    }
    assertEquals(List.of(1, 2), indexes(filter));
    fillFrom(next, filter, 3);
    assertEquals(List.of(1, 2, 3), indexes(filter));
  }

  private static List<Integer> indexes(ScalableCountingBloomFilter<Long> filter) {
    return filter.state().layers().stream().map(ScalableFilterState.Layer::index).toList();
  }

  @Test
  void firstLayerMayBeTheSpareOne() throws IOException {
    ScalableCountingBloomFilter<Long> filter =
        ScalableCountingBloomFilter.builder(LONGS).expecting(CAPACITY, FPP).growthFactor(1).build();
    long next = fill(filter, 2);
    for (long oldest = 0; filter.layerCount() == 2; oldest++) {
      assertTrue(filter.remove(oldest));
    }
    next = fillFrom(next, filter, 2);
    assertEquals(List.of(1, 0), indexes(filter));
    assertTrue(filter.remove(next - 1));
    assertEquals(List.of(1), indexes(filter));
    assertEquals(
        filter().memoryBytes() + filter.state().layers().get(0).memoryBytes(),
        filter.memoryBytes());
    byte[] file = filter.toBytes();
    ScalableCountingBloomFilter<Long> read = ScalableCountingBloomFilter.fromBytes(file, LONGS);
    assertArrayEquals(file, read.toBytes());
    assertEquals(filter.state(), read.state());
    assertEquals(filter.add(next), read.add(next));
    assertEquals(List.of(1, 0), indexes(read));
  }

  /** A copy, which has none, would do where it is not certain that there is room. */
  @Test
  void manyThatHaveRoomKeepTheSpareLayer() {
    long[] there = {LONGS.hash(0L)};
    ScalableCountingBloomFilter<Long> filter =
        ScalableCountingBloomFilter.builder(LONGS)
            .expecting(3, 1e-10)
            .growthFactor(1)
            .tighteningRatio(0.001)
            .build();
    long next = fill(filter, 3);
    // The last layer that can be made is spare.
    assertTrue(filter.remove(next - 1));
    assertEquals(List.of(0, 1), indexes(filter));
    long bytes = filter.memoryBytes();
    assertEquals(0, filter.addHashes(there));
    assertEquals(bytes, filter.memoryBytes());
    // It is in use, and an earlier one that is free again is spare.
    assertTrue(filter.add(next - 1));
    for (long element = 1; filter.layerCount() == 3; element++) {
      assertTrue(element < next);
      if (filter.count(element) == 1) {
        assertTrue(filter.remove(element));
      }
    }
    assertEquals(List.of(0, 2), indexes(filter));
    next = fillFrom(next, filter, 3);
    assertEquals(List.of(0, 2, 1), indexes(filter));
    assertTrue(filter.remove(next - 1));
    bytes = filter.memoryBytes();
    assertEquals(0, filter.addHashes(there));
    assertEquals(bytes, filter.memoryBytes());
    filter.add(next);
    assertThrows(IllegalStateException.class, () -> fill(filter, 4));
  }

  @Test
  void elementThatComesAndGoesAtTheEndOfALayerMakesNone() {
    ScalableCountingBloomFilter<Long> filter = filter();
    long last = fill(filter, 8) - 1;
    long bytes = filter.memoryBytes();
    for (int i = 0; i < 1000; i++) {
      assertTrue(filter.remove(last));
      assertEquals(7, filter.layerCount());
      assertEquals(bytes, filter.memoryBytes());
      assertTrue(filter.add(last));
      assertEquals(8, filter.layerCount());
      assertEquals(bytes, filter.memoryBytes());
    }
    // The second time that the end of it all is reached, only the smaller one is kept.
    for (long element = last; filter.layerCount() > 6; element--) {
      filter.remove(element);
    }
    assertTrue(filter.memoryBytes() < 0.6 * (double) bytes);
    filter.clear();
    assertIsAsNew(filter, filter());
  }

  @Test
  void copiesAreCountedWhereverTheElementIs() {
    ScalableCountingBloomFilter<Long> filter = filter();
    long end = fill(filter, 6);
    for (long i = 0; i < end; i++) {
      long before = filter.count(i);
      for (int copy = 0; copy < 20; copy++) {
        assertFalse(filter.add(i));
      }
      assertEquals(before + 20, filter.count(i));
      for (int copy = 0; copy < 20; copy++) {
        assertTrue(filter.remove(i));
      }
      assertEquals(before, filter.count(i));
      assertTrue(before >= 1);
    }
    assertEquals(6, filter.layerCount());
  }

  @Test
  void itsTextIsForLogs() {
    ScalableCountingBloomFilter<Long> filter = filter();
    assertEquals(
        "ScalableCountingBloomFilter[layers=1, bytes="
            + filter.memoryBytes()
            + ", elements~0, expectedFpp=0.00, strategy="
            + filter.strategy().id()
            + "]",
        filter.toString());
  }

  @Test
  void copyLivesOnItsOwn() {
    ScalableCountingBloomFilter<Long> filter = filter();
    long end = fill(filter, 5);
    ScalableCountingBloomFilter<Long> copy = filter.copy();
    assertEquals(filter.state(), copy.state());
    String before = filter.toString();
    for (long i = 0; i < end; i++) {
      assertTrue(copy.remove(i));
    }
    assertIsAsNew(copy, filter());
    assertEquals(before, filter.toString());
    // Without its first layer, which is kept aside, too.
    for (long i = 0; filter.state().layers().get(0).index() == 0; i++) {
      filter.remove(i);
    }
    ScalableFilterState state = filter.state();
    assertEquals(
        state.layers().stream().mapToLong(ScalableFilterState.Layer::memoryBytes).sum()
            + filter().memoryBytes(),
        filter.memoryBytes());
    assertEquals(filter.memoryBytes(), state.memoryBytes());
    assertEquals(filter.memoryBytes(), filter.copy().memoryBytes());
    assertEquals(filter.state(), filter.copy().state());
  }

  private static ScalableCountingBloomFilter<Long> filterThatSoonCannotGrow() {
    return ScalableCountingBloomFilter.builder(LONGS)
        .expecting(1, 1e-12)
        .tighteningRatio(0.01)
        .build();
  }

  @Test
  void filterThatCannotGrowSaysSoAndChangesNothing() {
    ScalableCountingBloomFilter<Long> filter = filterThatSoonCannotGrow();
    long end = 0;
    while (canAdd(filter, end)) {
      end++;
      assertTrue(end < 1000);
    }
    long refused = end;
    String before = filter.toString();
    String message =
        assertThrows(IllegalStateException.class, () -> filter.add(refused)).getMessage();
    assertTrue(String.valueOf(message).contains("cannot grow"), message);
    assertEquals(before, filter.toString());
    assertEquals(OptionalLong.of(refused), filter.elementCount());
    assertFalse(filter.mightContain(refused));
    assertFalse(filter.add(0L)); // what is claimed needs no room
    assertTrue(filter.remove(0L));
    // With room again, it goes on.
    assertTrue(filter.remove(end - 1));
    assertTrue(filter.add(refused));
  }

  private static boolean canAdd(ScalableCountingBloomFilter<Long> filter, long element) {
    try {
      filter.add(element);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Test
  void manyAreAddedOrNone() {
    ScalableCountingBloomFilter<Long> full = filterThatSoonCannotGrow();
    int end = 0;
    while (canAdd(full, end)) {
      end++;
      assertTrue(end < 1000);
    }
    for (int first = 0; first <= end; first++) {
      ScalableCountingBloomFilter<Long> filter = filterThatSoonCannotGrow();
      LongStream.range(0, first).forEach(filter::add);
      // From the state in which one more layer was there already, too.
      for (int round = 0; round < 2; round++) {
        ScalableFilterState before = filter.state();
        for (int more = end - first + 1; more < end + 3; more++) {
          long[] tooMany = LongStream.range(first, first + more).map(LONGS::hash).toArray();
          assertThrows(IllegalStateException.class, () -> filter.addHashes(tooMany));
          assertEquals(before, filter.state());
          assertEquals(OptionalLong.of(first), filter.elementCount());
        }
        long[] asMany = LongStream.range(first, end).map(LONGS::hash).toArray();
        assertEquals(asMany.length, filter.addHashes(asMany));
        assertEquals(OptionalLong.of(end), filter.elementCount());
        assertEquals(full.state(), filter.state());
        for (long i = end - 1L; i >= first; i--) {
          assertTrue(filter.remove(i));
        }
      }
      LongStream.range(0, first).forEach(i -> assertTrue(filter.remove(i)));
      assertIsAsNew(filter, filterThatSoonCannotGrow());
    }
  }

  @Test
  void wrongRemovalsDoNotBreakTheRowOfLayers() {
    ScalableCountingBloomFilter<Long> filter = filter();
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 200_000; i++) {
      long hash = LONGS.hash(random.nextLong(2000));
      if (random.nextInt(100) < 55) {
        filter.addHash(hash);
        assertTrue(filter.mightContainHash(hash) && filter.countHash(hash) > 0);
      } else {
        assertEquals(filter.mightContainHash(hash), filter.removeHash(hash));
      }
      assertTrue(filter.expectedFpp() <= FPP);
    }
    filter.clear();
    assertIsAsNew(filter, filter());
  }

  @Test
  void stateShowsEveryLayer() {
    ScalableCountingBloomFilter<Long> filter = filter();
    fill(filter, 5);
    ScalableFilterState state = filter.state();
    assertEquals(5, state.layers().size());
    assertEquals(filter.memoryBytes(), state.memoryBytes());
    assertEquals(
        ScalableCountingBloomFilter.builder(LONGS)
            .expecting(CAPACITY, FPP)
            .layerShapes(CAPACITY * 31),
        state.layers().stream().map(ScalableFilterState.Layer::shape).toList());
    for (int i = 0; i < 4; i++) {
      ScalableFilterState.Layer layer = state.layers().get(i);
      assertEquals(i, layer.index());
      assertTrue(layer.fill() > 0.3 && layer.fill() < 0.7, state::toString);
      assertEquals(
          layer.expectedFpp(),
          BloomFormulas.fppAtFill(
              layer.setPositions(), layer.shape().positions(), layer.shape().hashes()));
    }
  }

  @Test
  void badArgumentsAreRefusedAndNamed() {
    ScalableCountingBloomFilter.Builder<Long> builder = ScalableCountingBloomFilter.builder(LONGS);
    for (double bad : new double[] {0, 0.99, 100.25, Double.NaN}) {
      assertRefused("growthFactor", bad, () -> builder.growthFactor(bad));
    }
    for (double bad : new double[] {0, 1, Double.NaN}) {
      assertRefused("tighteningRatio", bad, () -> builder.tighteningRatio(bad));
      assertRefused("fpp", bad, () -> builder.expecting(10, bad));
    }
    for (long bad : new long[] {0, -1, Long.MIN_VALUE}) {
      assertRefused("initialCapacity", bad, () -> builder.expecting(bad, 0.01));
    }
    assertThrows(IllegalStateException.class, builder::build);
    assertThrows(IllegalStateException.class, () -> builder.layerShapes(1));
    assertRefused(
        "initialCapacity",
        1L << 40,
        () -> ScalableCountingBloomFilter.create(LONGS, 1L << 40, 0.01));
  }

  private static void assertRefused(String name, Object value, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).toString();
    assertTrue(message.contains(name) && message.contains(value.toString()), message);
  }
}
