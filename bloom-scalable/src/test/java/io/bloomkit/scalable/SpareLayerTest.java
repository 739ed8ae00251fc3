package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a growing filter with removals makes, keeps and drops its newest layers. */
class SpareLayerTest {

  @Test
  void copyHasNoSpareLayer() {
    ScalableCountingBloomFilter<Long> filter =
        ScalableCountingBloomFilter.create(
            CountingLayersSamples.LONGS, CountingLayersSamples.CAPACITY, CountingLayersSamples.FPP);
    long last = CountingLayersSamples.fill(filter, 3) - 1;
    filter.remove(last);
    ScalableCountingBloomFilter<Long> copy = filter.copy();
    assertEquals(2, copy.layerCount());
    assertTrue(copy.memoryBytes() < filter.memoryBytes());
    assertEquals(filter.add(last), copy.add(last));
    assertEquals(filter.state().layers(), copy.state().layers());
    assertEquals(filter.memoryBytes(), copy.memoryBytes());
  }

  /** Elements leave in the order in which they came: layers become empty at the old end. */
  @Tag("deep")
  @Test
  void queueOfAnyLengthRunsForEverInAFewLayers() {
    for (double growth : new double[] {1, 1.1, 2, 10}) {
      ScalableCountingBloomFilter<Long> filter =
          ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS)
              .expecting(20, CountingLayersSamples.FPP)
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
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.filter();
    long next = CountingLayersSamples.fill(filter, 3);
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

  @Test
  void nextLayerIsNoSmallerThanTheNewest() {
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.filter();
    long next = CountingLayersSamples.fill(filter, 3);
    for (long oldest = 0; filter.state().layers().get(0).index() == 0; oldest++) {
      assertTrue(filter.remove(oldest));
    }
    assertEquals(List.of(1, 2), indexes(filter));
    CountingLayersSamples.fillFrom(next, filter, 3);
    assertEquals(List.of(1, 2, 3), indexes(filter));
  }

  private static List<Integer> indexes(ScalableCountingBloomFilter<Long> filter) {
    return filter.state().layers().stream().map(ScalableFilterState.Layer::index).toList();
  }

  @Test
  void firstLayerMayBeTheSpareOne() throws IOException {
    ScalableCountingBloomFilter<Long> filter =
        ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS)
            .expecting(CountingLayersSamples.CAPACITY, CountingLayersSamples.FPP)
            .growthFactor(1)
            .build();
    long next = CountingLayersSamples.fill(filter, 2);
    for (long oldest = 0; filter.layerCount() == 2; oldest++) {
      assertTrue(filter.remove(oldest));
    }
    next = CountingLayersSamples.fillFrom(next, filter, 2);
    assertEquals(List.of(1, 0), indexes(filter));
    assertTrue(filter.remove(next - 1));
    assertEquals(List.of(1), indexes(filter));
    assertEquals(
        CountingLayersSamples.filter().memoryBytes() + filter.state().layers().get(0).memoryBytes(),
        filter.memoryBytes());
    byte[] file = filter.toBytes();
    ScalableCountingBloomFilter<Long> read =
        ScalableCountingBloomFilter.fromBytes(file, CountingLayersSamples.LONGS);
    assertArrayEquals(file, read.toBytes());
    assertEquals(filter.state(), read.state());
    assertEquals(filter.add(next), read.add(next));
    assertEquals(List.of(1, 0), indexes(read));
  }

  /** A copy, which has none, would do where it is not certain that there is room. */
  @Test
  void manyThatHaveRoomKeepTheSpareLayer() {
    long[] there = {CountingLayersSamples.LONGS.hash(0L)};
    ScalableCountingBloomFilter<Long> filter =
        ScalableCountingBloomFilter.builder(CountingLayersSamples.LONGS)
            .expecting(3, 1e-10)
            .growthFactor(1)
            .tighteningRatio(0.001)
            .build();
    long next = CountingLayersSamples.fill(filter, 3);
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
    next = CountingLayersSamples.fillFrom(next, filter, 3);
    assertEquals(List.of(0, 2, 1), indexes(filter));
    assertTrue(filter.remove(next - 1));
    bytes = filter.memoryBytes();
    assertEquals(0, filter.addHashes(there));
    assertEquals(bytes, filter.memoryBytes());
    filter.add(next);
    assertThrows(IllegalStateException.class, () -> CountingLayersSamples.fill(filter, 4));
  }

  @Test
  void elementThatComesAndGoesAtTheEndOfALayerMakesNone() {
    ScalableCountingBloomFilter<Long> filter = CountingLayersSamples.filter();
    long last = CountingLayersSamples.fill(filter, 8) - 1;
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
    CountingLayersSamples.assertIsAsNew(filter, CountingLayersSamples.filter());
  }

  @Test
  void aRemovalThatFindsNoMemoryChangesNothing() {
    GrowthPlan plan = GrowthPlan.ofDefaults(LayerKind.COUNTING).withSize(2, 0.01);
    CountingLayer<Long> first = CountingLayer.of(CountingLayersSamples.LONGS, plan.layer(0), false);
    CountingLayers<Long> layers =
        new CountingLayers<>(
            CountingLayersSamples.LONGS, plan, CountingLayer.rowOf(first), first, null, 0) {
          @Override
          void drop(CountingLayer<Long>[] row, int i) {
            throw new OutOfMemoryError("of the test");
          }
        };
    layers.add(1);
    byte[] before = first.contents().toBytes();
    assertThrows(OutOfMemoryError.class, () -> layers.remove(1));
    assertArrayEquals(before, first.contents().toBytes());
    assertEquals(1, layers.elements());
  }
}
