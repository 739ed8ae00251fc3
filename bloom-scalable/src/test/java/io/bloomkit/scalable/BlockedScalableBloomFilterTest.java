package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Layers of blocks: their sizes, and that chance does not lift them above their rates. */
class BlockedScalableBloomFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final double TIGHTENING = 0.85;

  private static ScalableBloomFilter.Builder<Long> builder(long initialCapacity, double fpp) {
    return ScalableBloomFilter.builder(LONGS).expecting(initialCapacity, fpp).blocked();
  }

  /**
   * Whatever chance does: 1,400 full layers, all below their rates, small ones and large. That is
   * no accident of the seed, the fullest of them has nine tenths.
   */
  @Test
  void fullLayerKeepsItsPartOfTheError() {
    SplittableRandom random = new SplittableRandom(9);
    for (double fpp : new double[] {0.2, 0.01, 1e-4, 1e-6}) {
      for (long capacity : new long[] {1, 30, 1000, 8000}) {
        ScalableBloomFilter.Builder<Long> builder = builder(capacity, fpp);
        double worst = 0;
        for (long filters = capacity < 8000 ? 50 : 10; filters > 0; filters--) {
          ScalableBloomFilter<Long> filter = builder.build();
          for (long element = 0; element < 7 * capacity; element++) {
            filter.addHash(random.nextLong());
          }
          assertTrue(filter.expectedFpp() <= fpp, filter::toString);
          for (ScalableBloomFilter.LayerState layer : filter.layers()) {
            double rate = BloomFormulas.layerFpp(fpp, TIGHTENING, layer.index());
            worst = Math.max(worst, layer.expectedFpp() / rate);
          }
        }
        assertTrue(worst < 0.95, "a layer has " + worst + " of its rate");
        assertTrue(worst > 0.4 || capacity < 1000, "no layer has more than " + worst);
      }
    }
  }

  @Test
  void layerTakesExactlyTheElementsItIsMadeFor() {
    ScalableBloomFilter<Long> filter = builder(1000, 0.01).build();
    long taken = 0;
    for (long i = 0; taken < 7000; i++) {
      assertTrue(i < 100_000, filter::toString);
      taken += filter.add(i) ? 1 : 0;
      assertTrue(filter.mightContain(i));
      assertFalse(filter.add(i));
      assertEquals(taken <= 1000 ? 1 : taken <= 3000 ? 2 : 3, filter.layerCount());
    }
  }

  @Test
  void strictBlocksCostWhatTheBuilderSays() {
    List<Shape> blocked = builder(1_000_000, 0.01).layerShapes(1_000_000_000);
    List<Shape> flat =
        ScalableBloomFilter.builder(LONGS).expecting(1_000_000, 0.01).layerShapes(1_000_000_000);
    assertEquals(flat.size(), blocked.size());
    assertEquals(1.125, ratio(blocked.get(0), flat.get(0)), 0.05);
    assertEquals(1.2, ratio(blocked.get(9), flat.get(9)), 0.05);
    // The smallest layers have 64 blocks.
    assertEquals(64 * 512, builder(1, 0.01).layerShapes(1).get(0).positions());
  }

  private static double ratio(Shape a, Shape b) {
    return (double) a.positions() / b.positions();
  }

  @Test
  void layerNeverExceedsWhatAnArrayHolds() {
    List<Shape> layers = builder(1L << 30, 0.01).growthFactor(100).layerShapes(1L << 34);
    assertTrue(layers.size() > 2);
    for (Shape layer : layers) {
      assertTrue(layer.positions() <= 64L * (Integer.MAX_VALUE - 8), layer.toString());
    }
  }

  @Test
  void stateShowsHowFullALayerIs() {
    ScalableBloomFilter<Long> filter = builder(1000, 0.01).build();
    LongStream.range(0, 1000).forEach(filter::add);
    ScalableBloomFilter.LayerState layer = filter.layers().get(0);
    double hashes = layer.shape().hashes();
    assertTrue(layer.setPositions() <= 1000 * hashes, layer::toString);
    assertTrue(layer.setPositions() > 880 * hashes, layer::toString);
    assertEquals((double) layer.setPositions() / (double) layer.shape().positions(), layer.fill());
  }

  @Test
  void manyAreAddedOrNone() {
    ScalableBloomFilter<Long> filter = builder(2, 1e-12).tighteningRatio(0.02).build();
    long[] hashes = LongStream.range(0, 500).map(LONGS::hash).toArray();
    int most = 0;
    while (mostIsTaken(filter.copy(), hashes, most + 1)) {
      most++;
      assertTrue(most < hashes.length);
    }
    assertTrue(most >= 6, "as many as " + most);
    for (int first = 0; first <= most; first++) {
      ScalableBloomFilter<Long> some = filter.copy();
      some.addHashes(hashes, 0, first);
      List<ScalableBloomFilter.LayerState> before = some.layers();
      assertFalse(mostIsTaken(some, hashes, most + 1));
      assertEquals(before, some.layers());
      assertEquals(OptionalLong.of(first), some.elementCount());
      assertTrue(mostIsTaken(some, hashes, most));
    }
  }

  private static boolean mostIsTaken(ScalableBloomFilter<Long> filter, long[] hashes, int most) {
    try {
      filter.addHashes(hashes, 0, most);
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }
}
