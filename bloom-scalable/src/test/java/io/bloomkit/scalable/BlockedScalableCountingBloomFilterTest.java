package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.Shape;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A growing filter with removals whose layers are blocked. */
class BlockedScalableCountingBloomFilterTest {

  @Tag("deep")
  @Test
  void errorOfBlocksStaysWithinTheBound() {
    for (long capacity : new long[] {16, 1000}) {
      ScalableCountingBloomFilter<Long> filter =
          ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS)
              .expecting(capacity, CountingLayersSamples.FPP)
              .blocked()
              .build();
      int[] steps = {0};
      new CountingLayersSamples.History()
          .lose(
              filter::addHash,
              filter::removeHash,
              filter::mightContainHash,
              () -> {
                if (++steps[0] % 101 == 0) {
                  CountingLayersSamples.assertWithinTheBound(filter);
                }
              });
    }
  }

  @Test
  void copiesDoNotFillALayerOfBlocks() {
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.blocked();
    for (int i = 0; i < 1000; i++) {
      filter.add(1L);
    }
    for (long i = 2; i <= CountingLayersSamples.CAPACITY; i++) {
      filter.add(i);
    }
    assertEquals(1, filter.layerCount());
    filter.add(CountingLayersSamples.CAPACITY + 1);
    assertEquals(2, filter.layerCount());
    assertEquals(1000, filter.count(1L));
  }

  /** Come and gone a thousand times over, no more than there is room for at once. */
  @Test
  void layerOfBlocksSeesWhatHasGone() {
    for (long capacity : new long[] {CountingLayersSamples.CAPACITY, 1000}) {
      ScalableCountingBloomFilter<Long> filter =
          ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS)
              .expecting(capacity, CountingLayersSamples.FPP)
              .blocked()
              .build();
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
    return ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS)
        .expecting(64, 0.01)
        .blocked()
        .build();
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
    LongStream.range(7000, 7063).forEach(i -> assertTrue(filter.add(i)));
    assertTrue(filter.remove(7000L) && filter.remove(7001L));
    assertTrue(filter.add(7063L));
    assertTrue(filter.remove(7002L));
    long held = 61;
    for (long next = 7064; filter.layerCount() == 1; next++) {
      assertTrue(filter.add(next));
      held++;
    }
    assertEquals(65, held); // the last is in the second layer
  }

  @Test
  void elementThatALayerOfBlocksMatchesIsNotNew() {
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.blocked();
    assertTrue(filter.add(1L));
    assertFalse(filter.add(1L));
    ScalableFilterState.Layer layer = filter.state().layers().get(0);
    assertTrue(layer.setPositions() > 0 && layer.setPositions() <= layer.shape().hashes());
  }

  @Test
  void clearedLayerOfBlocksIsDroppedWhenItIsEmptyAgain() {
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.blocked();
    filter.add(0L);
    filter.clear();
    long last = CountingLayersSamples.fill(filter, 2) - 1; // alone in the second
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
    double[][] figures = {{0.01, 15, 8}, {0.001, 29, 11}, {1e-4, 58, 13}};
    for (double[] figure : figures) {
      ScalableCountingBloomFilter.Builder<Long> builder =
          ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS)
              .expecting(10_000, figure[0]);
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
        ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS).blocked();
    for (double fpp : new double[] {1.8e-5, 1e-5, 1e-8, 1e-12}) {
      CountingLayersSamples.assertRefused(
          "use standard layers", fpp, () -> builder.expecting(1000, fpp).build());
      CountingLayersSamples.assertRefused(
          "use standard layers", fpp, () -> builder.layerShapes(10));
    }
    CountingLayersSamples.assertRefused(
        "would take 65 bytes per element, more than a cache line for each; allow more errors, or"
            + " use standard layers, which take 13",
        "fpp",
        () -> builder.expecting(1000, 1.8e-5).build());
    builder.expecting(1000, 2e-5).build();
    // What was begun may go on, in stricter layers.
    assertEquals(10, builder.layerShapes(1_000_000).size());
  }
}
