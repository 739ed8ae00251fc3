package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalableBloomFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  @Tag("deep")
  @Test
  void errorStaysWithinTheBoundAtEveryMomentOfItsGrowth() {
    for (double fpp : new double[] {0.5, 0.05, 0.01, 1e-6}) {
      for (double growth : new double[] {1, 1.5, 2, 10}) {
        for (double tightening : new double[] {0.1, 0.5, 0.85, 0.95}) {
          ScalableBloomFilter<Long> filter =
              ScalableBloomFilter.builder(LONGS)
                  .expecting(10, fpp)
                  .growthFactor(growth)
                  .tighteningRatio(tightening)
                  .build();
          int layers = growth == 1 ? 6 : 8;
          int before = 1;
          for (long i = 0; filter.layerCount() < layers && i < 20_000; i++) {
            filter.add(i);
            assertTrue(filter.mightContain(i));
            // It only rises, so with the first element of a layer it is above all before.
            if (i % 50 == 0 || filter.layerCount() > before) {
              before = filter.layerCount();
              assertTrue(
                  filter.expectedFpp() <= fpp,
                  () -> filter + " for " + fpp + " exceeds it: " + filter.expectedFpp());
            }
          }
          assertTrue(filter.layerCount() > 4 || growth == 10, filter::toString);
        }
      }
    }
  }

  @Test
  void layerTakesTheElementsItIsMadeFor() {
    // Twelve filters may, with probability 12 · 3e-5, have one layer that is full a little early.
    for (long capacity : new long[] {1, 10, 100, 1000, 10_000, 100_000}) {
      for (double fpp : new double[] {0.1, 0.001}) {
        ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(LONGS, capacity, fpp);
        for (long i = 0; i < capacity; i++) {
          filter.add(i);
        }
        assertEquals(1, filter.layerCount(), filter::toString);
      }
    }
  }

  @Test
  void optionsHoldInAnyOrder() {
    List<Shape> layers =
        ScalableBloomFilter.builder(LONGS)
            .expecting(1000, 0.01)
            .growthFactor(4)
            .tighteningRatio(0.5)
            .layerShapes(100_000);
    assertEquals(
        layers,
        ScalableBloomFilter.builder(LONGS)
            .tighteningRatio(0.5)
            .growthFactor(4)
            .expecting(1000, 0.01)
            .layerShapes(100_000));
    // 1000 + 4000 + 16,000 + 64,000 are not enough; at half the rate each, k rises by one.
    assertEquals(5, layers.size());
    for (int i = 1; i < 5; i++) {
      double ratio = (double) layers.get(i).positions() / layers.get(i - 1).positions();
      assertTrue(ratio > 4 && ratio < 5, "layer " + i + " grew by " + ratio);
      assertEquals(layers.get(i - 1).hashes() + 1, layers.get(i).hashes());
    }
  }

  @Test
  void layersDoubleAndTightenSlowlyUnlessToldOtherwise() {
    assertEquals(
        ScalableBloomFilter.builder(LONGS)
            .expecting(1000, 0.01)
            .growthFactor(2)
            .tighteningRatio(0.85)
            .layerShapes(100_000),
        ScalableBloomFilter.builder(LONGS).expecting(1000, 0.01).layerShapes(100_000));
  }

  @Test
  void layerNeverExceedsWhatAnArrayHolds() {
    List<Shape> layers =
        ScalableBloomFilter.builder(LONGS)
            .expecting(1L << 30, 0.01)
            .growthFactor(100)
            .layerShapes(1L << 34);
    assertTrue(layers.size() > 2);
    for (Shape layer : layers) {
      assertTrue(layer.positions() <= 64L * (Integer.MAX_VALUE - 8), layer.toString());
    }
  }

  @Test
  void layersGrowByTheFactor() {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(LONGS, 1000, 0.01);
    long previous = 0;
    long start = 0;
    int layers = 1;
    for (long i = 0; layers < 7; i++) {
      assertTrue(i < 1_000_000, filter::toString);
      filter.add(i);
      if (filter.layerCount() > layers) {
        layers = filter.layerCount();
        double ratio = (double) (i - start) / Math.max(1, previous);
        if (previous > 0) {
          // A layer also takes what the reserve and the its false positives leave room for.
          assertTrue(ratio > 1.85 && ratio < 2.15, "layer " + layers + " grew by " + ratio);
        }
        previous = i - start;
        start = i;
      }
    }
  }

  @Test
  void plannedLayersAreThoseOfAFilterThatHoldsAsMany() {
    ScalableBloomFilter.Builder<Long> builder =
        ScalableBloomFilter.builder(LONGS).expecting(1000, 0.01);
    ScalableBloomFilter<Long> filter = builder.build();
    assertEquals(
        builder.layerShapes(1),
        filter.layers().stream().map(ScalableBloomFilter.LayerState::shape).toList());
    assertEquals(builder.memoryBytes(1), filter.memoryBytes());
    // In the middle of a layer, where it does not matter that one took a few more than its part.
    for (long elements : new long[] {500, 2000, 5000, 11_000}) {
      for (long i = 0; i < elements; i++) {
        filter.add(elements << 32 | i);
      }
      assertEquals(
          builder.layerShapes(elements),
          filter.layers().stream().map(ScalableBloomFilter.LayerState::shape).toList(),
          filter::toString);
      assertEquals(builder.memoryBytes(elements), filter.memoryBytes());
      filter.clear();
    }
  }

  @Test
  void layersThatCannotBeAreNotPlanned() {
    ScalableBloomFilter.Builder<Long> builder = ScalableBloomFilter.builder(LONGS);
    assertThrows(IllegalStateException.class, () -> builder.layerShapes(1));
    assertThrows(IllegalStateException.class, () -> builder.memoryBytes(1));
    builder.expecting(1, 1e-12);
    assertThrows(IllegalArgumentException.class, () -> builder.layerShapes(0));
    assertThrows(IllegalStateException.class, () -> builder.layerShapes(1_000_000_000));
  }

  @Test
  void measuredErrorIsTheExpectedOne() {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(LONGS, 1000, 0.01);
    for (long i = 0; i < 200_000; i++) {
      filter.add(i);
    }
    int queries = 700_000;
    int positive = 0;
    for (long i = 0; i < queries; i++) {
      positive += filter.mightContain(1_000_000_000 + i) ? 1 : 0;
    }
    double p = filter.expectedFpp();
    double sigma = Math.sqrt(p * (1 - p) / queries);
    // Two-sided normal test at α = 1e-8 (5.73 σ), power 0.99 against an error 10 % off; the
    // compound formula itself is off by less than 1 % here, see the method's Javadoc.
    assertEquals(p, (double) positive / queries, 5.73 * sigma + 0.01 * p);
    assertTrue(filter.layerCount() >= 7);
  }

  @Test
  void itsTextIsForLogs() {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(LONGS, 100, 0.01);
    assertEquals(
        "ScalableBloomFilter[layers=1, bytes="
            + filter.memoryBytes()
            + ", netInsertions=0, strategy="
            + LONGS.id()
            + "]",
        filter.toString());
  }

  @Test
  void elementThatALayerMatchesIsNotAddedAgain() {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(LONGS, 100, 0.01);
    for (long i = 0; i < 10_000; i++) {
      filter.add(i);
    }
    List<ScalableBloomFilter.LayerState> before = filter.layers();
    for (int round = 0; round < 10; round++) {
      for (long i = 0; i < 10_000; i++) {
        assertFalse(filter.add(i));
      }
    }
    assertEquals(before, filter.layers());
    assertEquals(OptionalLong.of(110_000), filter.elementCount());
  }

  @Test
  void hugeNumberOfElementsIsEstimatedFromTheLayers() {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(LONGS, 1000, 0.001);
    SplittableRandom random = new SplittableRandom(20);
    for (int i = 0; i < 300_000; i++) {
      filter.addHash(random.nextLong());
    }
    assertEquals(300_000, (double) filter.approximateElementCount(), 0.005 * 300_000);
  }

  @Test
  void clearedFilterHasItsFirstLayerOnly() {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(LONGS, 100, 0.01);
    long bytes = filter.memoryBytes();
    for (long i = 0; i < 10_000; i++) {
      filter.add(i);
    }
    assertTrue(filter.layerCount() > 5);
    assertTrue(filter.memoryBytes() > 50 * bytes);
    long bits =
        filter.layers().stream().map(ScalableBloomFilter.LayerState::shape).toList().stream()
            .mapToLong(Shape::positions)
            .sum();
    assertEquals(bits / 8.0, (double) filter.memoryBytes(), 8.0 * filter.layerCount());
    assertEquals(OptionalLong.of(10_000), filter.elementCount());
    filter.clear();
    assertEquals(1, filter.layerCount());
    assertEquals(bytes, filter.memoryBytes());
    assertEquals(OptionalLong.of(0), filter.elementCount());
    for (long i = 0; i < 100; i++) {
      assertFalse(filter.mightContain(i));
      filter.add(i);
    }
    assertEquals(1, filter.layerCount());
  }

  @Test
  void filterThatCannotGrowSaysSoAndChangesNothing() {
    ScalableBloomFilter<Long> filter =
        ScalableBloomFilter.builder(LONGS).expecting(1, 1e-12).tighteningRatio(0.01).build();
    long i = 0;
    IllegalStateException refusal = null;
    while (refusal == null && i < 1000) {
      try {
        filter.add(i++);
      } catch (IllegalStateException e) {
        refusal = e;
      }
    }
    String before = filter.toString();
    long refused = i - 1;
    assertTrue(String.valueOf(refusal).contains("cannot grow"), String.valueOf(refusal));
    assertThrows(IllegalStateException.class, () -> filter.add(refused));
    assertEquals(before, filter.toString());
    assertEquals(OptionalLong.of(refused), filter.elementCount());
    assertFalse(filter.mightContain(refused));

    // Of many at once, none is added unless all are.
    long[] tooMany = new SplittableRandom(21).longs(1000).toArray();
    assertThrows(IllegalStateException.class, () -> filter.addHashes(tooMany, 0, tooMany.length));
    assertEquals(before, filter.toString());
    assertEquals(OptionalLong.of(refused), filter.elementCount());
    ScalableBloomFilter<Long> empty =
        ScalableBloomFilter.builder(LONGS).expecting(1, 1e-12).tighteningRatio(0.01).build();
    assertThrows(IllegalStateException.class, () -> empty.addHashes(tooMany, 0, tooMany.length));
    assertEquals(0, empty.expectedFpp());
    // As many repeats as one likes do not need another layer.
    long[] repeats = new long[1000];
    assertEquals(1, empty.addHashes(repeats, 0, repeats.length));
    assertEquals(OptionalLong.of(1000), empty.elementCount());
    assertTrue(empty.mightContainHash(0));
  }

  @Test
  void manyAreAddedOrNone() {
    ScalableBloomFilter.Builder<Long> builder =
        ScalableBloomFilter.builder(LONGS).expecting(1, 1e-12).tighteningRatio(0.01);
    int end = 0;
    for (ScalableBloomFilter<Long> full = builder.build(); canAdd(full, end); end++) {
      assertTrue(end < 1000, full::toString);
    }
    for (int first = 0; first <= end; first++) {
      ScalableBloomFilter<Long> filter = builder.build();
      LongStream.range(0, first).forEach(filter::add);
      List<ScalableBloomFilter.LayerState> before = filter.layers();
      for (int more = end - first + 1; more < end + 3; more++) {
        long[] tooMany = LongStream.range(first, first + more).map(LONGS::hash).toArray();
        assertThrows(
            IllegalStateException.class, () -> filter.addHashes(tooMany, 0, tooMany.length));
        assertEquals(before, filter.layers());
        assertEquals(OptionalLong.of(first), filter.elementCount());
      }
      long[] asMany = LongStream.range(first, end).map(LONGS::hash).toArray();
      assertEquals(asMany.length, filter.addHashes(asMany, 0, asMany.length));
      assertEquals(OptionalLong.of(end), filter.elementCount());
    }
  }

  private static boolean canAdd(ScalableBloomFilter<Long> filter, long element) {
    try {
      filter.add(element);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Test
  void copyLivesOnItsOwn() {
    for (ScalableBloomFilter<Long> filter :
        List.<ScalableBloomFilter<Long>>of(
            ScalableBloomFilter.create(LONGS, 100, 0.01),
            ScalableBloomFilter.builder(LONGS).expecting(100, 0.01).concurrent().build())) {
      LongStream.range(0, 1000).forEach(filter::add);
      List<ScalableBloomFilter.LayerState> before = filter.layers();
      ScalableBloomFilter<Long> copy = filter.copy();
      assertEquals(before, copy.layers());
      assertEquals(filter.elementCount(), copy.elementCount());
      LongStream.range(1000, 3000).forEach(copy::add);
      assertEquals(before, filter.layers());
      assertEquals(OptionalLong.of(1000), filter.elementCount());
      assertEquals(OptionalLong.of(3000), copy.elementCount());
      filter.clear();
      LongStream.range(0, 3000).forEach(i -> assertTrue(copy.mightContain(i)));
    }
  }

  @Test
  void copiesOfLayersAreAsFullAndForAsManyThreads() {
    LayerPlan plan = GrowthPlan.ofDefaults().withSize(100, 0.01).layer(0);
    for (boolean concurrent : new boolean[] {false, true}) {
      Layer<Long> layer = Layer.of(LONGS, plan, concurrent);
      assertEquals(concurrent, layer.filter.isConcurrent());
      assertEquals(concurrent, layer.copy().filter.isConcurrent());
      assertEquals(concurrent, layer.withMaxWriters(256).filter.isConcurrent());
      layer.addHash(7);
      assertTrue(layer.fill() > 0);
      assertEquals(layer.fill(), layer.copy().fill());
      assertEquals(layer.fill(), layer.withMaxWriters(256).fill());
    }
  }

  @Test
  void everyLayerIsShown() {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(LONGS, 100, 0.01);
    LongStream.range(0, 2500).forEach(filter::add);
    List<ScalableBloomFilter.LayerState> state = filter.layers();
    assertEquals(5, state.size());
    assertEquals(
        filter.memoryBytes(),
        state.stream().mapToLong(ScalableBloomFilter.LayerState::memoryBytes).sum());
    assertEquals(
        filter.expectedFpp(),
        BloomFormulas.compoundFpp(
            state.stream().mapToDouble(ScalableBloomFilter.LayerState::expectedFpp).toArray()));
    for (int i = 0; i < 4; i++) {
      ScalableBloomFilter.LayerState layer = state.get(i);
      assertEquals(i, layer.index());
      assertTrue(layer.fill() > 0.45 && layer.fill() < 0.55, state::toString);
      assertEquals(
          layer.expectedFpp(),
          BloomFormulas.fppAtFill(
              layer.setPositions(), layer.shape().positions(), layer.shape().hashes()));
      assertEquals((layer.shape().positions() + 63) / 64 * 8, layer.memoryBytes());
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0.5, 1", "1, 0.01, 1", "10, 0.01, 1.05", "5, 1e-9, 1.2"})
  void growthEndsAfterTheNumberThatTheBuilderTells(long first, double fpp, double factor) {
    ScalableBloomFilter.Builder<Long> builder =
        ScalableBloomFilter.builder(LONGS).expecting(first, fpp).growthFactor(factor);
    long most = builder.maxElements();
    ScalableBloomFilter<Long> filter = builder.build();
    long added = 0;
    try {
      while (added < 3 * most) {
        filter.add(added);
        added++;
      }
    } catch (IllegalStateException e) {
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains("cannot grow"), message);
    }
    // A layer has room for a few more, for chance, and one for a single element twice that.
    assertTrue(added >= most && added < 3 * most, added + " of " + most);
  }

  @Test
  void growthByTheDefaultFactorHardlyEnds() {
    ScalableBloomFilter.Builder<Long> builder = ScalableBloomFilter.builder(LONGS);
    assertTrue(builder.expecting(10_000, 0.01).maxElements() > 100_000_000_000L);
    assertTrue(builder.growthFactor(1).maxElements() < 2_000_000);
  }

  @Test
  void badArgumentsAreRefusedAndNamed() {
    ScalableBloomFilter.Builder<Long> builder = ScalableBloomFilter.builder(LONGS);
    for (double bad : new double[] {0, -1, 0.99, 100.25, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertRefused("growthFactor must be in [1, 100]", bad, () -> builder.growthFactor(bad));
    }
    for (double bad : new double[] {0, -1, 1, 2, Double.NaN}) {
      assertRefused("tighteningRatio", bad, () -> builder.tighteningRatio(bad));
      assertRefused("fpp", bad, () -> builder.expecting(10, bad));
    }
    for (long bad : new long[] {-1, Long.MIN_VALUE}) {
      assertRefused("expectedInsertions", bad, () -> builder.expecting(bad, 0.01));
    }
    assertThrows(IllegalStateException.class, builder::build);
    assertRefused(
        "expectedInsertions", 1L << 40, () -> ScalableBloomFilter.create(LONGS, 1L << 40, 0.01));
    assertRefused("fpp", 1e-12, () -> ScalableBloomFilter.create(LONGS, 1_000_000, 1e-12));
  }

  private static void assertRefused(String name, Object value, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).toString();
    assertTrue(message.contains(name) && message.contains(value.toString()), message);
  }
}
