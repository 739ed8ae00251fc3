package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ScalableCountingBloomFilterTest {

  @Test
  void growsThroughTenLayersShrinksAndGrowsAgainAndLosesNothing() {
    growsShrinksAndGrowsAgain(CountingLayersSamples.filter(), CountingLayersSamples.filter());
    growsShrinksAndGrowsAgain(CountingLayersSamples.blocked(), CountingLayersSamples.blocked());
  }

  private static void growsShrinksAndGrowsAgain(
      ScalableCountingBloomFilter<Long> filter, ScalableCountingBloomFilter<Long> asNew) {
    CountingLayersSamples.History history = new CountingLayersSamples.History();
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
    CountingLayersSamples.assertIsAsNew(filter, asNew);
  }

  @Tag("deep")
  @Test
  void otherRulesLoseElementsInTheSameHistory() {
    for (RoutingRules rule :
        List.of(
            new RoutingRules.NewestThatMatches(
                CountingLayersSamples.CAPACITY, CountingLayersSamples.FPP),
            new RoutingRules.AlwaysActive(
                CountingLayersSamples.CAPACITY, CountingLayersSamples.FPP),
            new RoutingRules.OldestWithRoom(
                CountingLayersSamples.CAPACITY, CountingLayersSamples.FPP))) {
      int lost =
          new CountingLayersSamples.History()
              .lose(rule::add, rule::remove, rule::mightContain, () -> {});
      assertTrue(lost > 20, () -> rule.getClass().getSimpleName() + " lost only " + lost);
    }
  }

  @Tag("deep")
  @Test
  void errorStaysWithinTheBoundOfEachLayerAtEveryMoment() {
    for (double growth : new double[] {1, 1.3, 2, 5}) {
      ScalableCountingBloomFilter<Long> filter =
          ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS)
              .expecting(growth == 1 ? 500 : 8, CountingLayersSamples.FPP)
              .growthFactor(growth)
              .tighteningRatio(CountingLayersSamples.TIGHTENING)
              .build();
      int[] steps = {0};
      new CountingLayersSamples.History()
          .lose(
              filter::addHash,
              filter::removeHash,
              filter::mightContainHash,
              () -> {
                // At every seventh moment: the state is long in the making.
                if (++steps[0] % 7 == 0) {
                  CountingLayersSamples.assertWithinTheBound(filter);
                }
              });
    }
  }

  @Test
  void copiesAreCountedWhereverTheElementIs() {
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.filter();
    long end = CountingLayersSamples.fill(filter, 6);
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
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.filter();
    assertEquals(
        "ScalableCountingBloomFilter[layers=1, bytes="
            + filter.memoryBytes()
            + ", elements=0, strategy="
            + filter.strategy().id()
            + "]",
        filter.toString());
  }

  @Test
  void copyLivesOnItsOwn() {
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.filter();
    long end = CountingLayersSamples.fill(filter, 5);
    ScalableCountingBloomFilter<Long> copy = filter.copy();
    assertEquals(filter.state(), copy.state());
    String before = filter.toString();
    for (long i = 0; i < end; i++) {
      assertTrue(copy.remove(i));
    }
    CountingLayersSamples.assertIsAsNew(copy, CountingLayersSamples.filter());
    assertEquals(before, filter.toString());
    // Without its first layer, which is kept aside, too.
    for (long i = 0; filter.state().layers().get(0).index() == 0; i++) {
      filter.remove(i);
    }
    ScalableFilterState state = filter.state();
    assertEquals(
        state.layers().stream().mapToLong(ScalableFilterState.Layer::memoryBytes).sum()
            + CountingLayersSamples.filter().memoryBytes(),
        filter.memoryBytes());
    assertEquals(filter.memoryBytes(), state.memoryBytes());
    assertEquals(filter.memoryBytes(), filter.copy().memoryBytes());
    assertEquals(filter.state(), filter.copy().state());
  }

  private static ScalableCountingBloomFilter<Long> filterThatSoonCannotGrow() {
    return ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS)
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
    assertFalse(filter.add(0L)); // what is positive needs no room
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
          long[] tooMany =
              LongStream.range(first, first + more)
                  .map(CountingLayersSamples.LONGS::hash)
                  .toArray();
          assertThrows(IllegalStateException.class, () -> filter.addHashes(tooMany));
          assertEquals(before, filter.state());
          assertEquals(OptionalLong.of(first), filter.elementCount());
        }
        long[] asMany =
            LongStream.range(first, end).map(CountingLayersSamples.LONGS::hash).toArray();
        assertEquals(asMany.length, filter.addHashes(asMany));
        assertEquals(OptionalLong.of(end), filter.elementCount());
        assertEquals(full.state(), filter.state());
        for (long i = end - 1L; i >= first; i--) {
          assertTrue(filter.remove(i));
        }
      }
      LongStream.range(0, first).forEach(i -> assertTrue(filter.remove(i)));
      CountingLayersSamples.assertIsAsNew(filter, filterThatSoonCannotGrow());
    }
  }

  @Test
  void wrongRemovalsDoNotBreakTheRowOfLayers() {
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.filter();
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 200_000; i++) {
      long hash = CountingLayersSamples.LONGS.hash(random.nextLong(2000));
      if (random.nextInt(100) < 55) {
        filter.addHash(hash);
        assertTrue(filter.mightContainHash(hash) && filter.countHash(hash) > 0);
      } else {
        boolean positive = filter.mightContainHash(hash);
        assertTrue(!filter.removeHash(hash) || positive);
      }
      assertTrue(filter.expectedFpp() <= CountingLayersSamples.FPP);
    }
    filter.clear();
    CountingLayersSamples.assertIsAsNew(filter, CountingLayersSamples.filter());
  }

  @Test
  void stateShowsEveryLayer() {
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.filter();
    CountingLayersSamples.fill(filter, 5);
    ScalableFilterState state = filter.state();
    assertEquals(5, state.layers().size());
    assertEquals(filter.memoryBytes(), state.memoryBytes());
    assertEquals(
        ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS)
            .expecting(CountingLayersSamples.CAPACITY, CountingLayersSamples.FPP)
            .layerShapes(CountingLayersSamples.CAPACITY * 31),
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
    ScalableCountingBloomFilter.Builder<Long> builder =
        ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS);
    for (double bad : new double[] {0, 0.99, 100.25, Double.NaN}) {
      CountingLayersSamples.assertRefused("growthFactor", bad, () -> builder.growthFactor(bad));
    }
    for (double bad : new double[] {0, 1, Double.NaN}) {
      CountingLayersSamples.assertRefused(
          "tighteningRatio", bad, () -> builder.tighteningRatio(bad));
      CountingLayersSamples.assertRefused("fpp", bad, () -> builder.expecting(10, bad));
    }
    for (long bad : new long[] {0, -1, Long.MIN_VALUE}) {
      CountingLayersSamples.assertRefused(
          "initialCapacity", bad, () -> builder.expecting(bad, 0.01));
    }
    assertThrows(IllegalStateException.class, builder::build);
    assertThrows(IllegalStateException.class, () -> builder.layerShapes(1));
    CountingLayersSamples.assertRefused(
        "initialCapacity",
        1L << 40,
        () -> ScalableCountingBloomFilter.create(CountingLayersSamples.LONGS, 1L << 40, 0.01));
  }
}
