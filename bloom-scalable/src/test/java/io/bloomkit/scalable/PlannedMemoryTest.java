package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the builders say that a filter will take is what it takes. */
class PlannedMemoryTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final long[] CAPACITIES = {1, 10, 64, 1000, 20_000};
  private static final double[] RATES = {0.3, 0.01, 0.001};

  /** Enough for a few layers that follow the first. */
  private static final int LAYERS = 3;

  @Test
  void filterThatGrowsTakesWhatItsBuilderSays() {
    for (long capacity : CAPACITIES) {
      for (double fpp : RATES) {
        for (boolean concurrent : new boolean[] {false, true}) {
          ScalableBloomFilter.Builder<Long> builder =
              ScalableBloomFilter.builder(LONGS).expecting(capacity, fpp);
          builder = concurrent ? builder.concurrent() : builder;
          ScalableBloomFilter<Long> filter = builder.build();
          assertEquals(filter.memoryBytes(), builder.memoryBytes(1));
          int layers = 1;
          long planned = capacity; // of all layers there are
          for (long i = 0; layers < LAYERS; i++) {
            filter.add(i);
            if (filter.layerCount() > layers) {
              layers++;
              assertPlanned(filter, builder, planned + 1);
              planned = 2 * planned + capacity;
              assertPlanned(filter, builder, planned);
            }
          }
        }
      }
    }
  }

  private static void assertPlanned(
      ScalableBloomFilter<Long> filter, ScalableBloomFilter.Builder<Long> builder, long elements) {
    assertEquals(
        filter.layers().stream().map(ScalableBloomFilter.LayerState::shape).toList(),
        builder.layerShapes(elements),
        filter::toString);
    assertEquals(filter.memoryBytes(), builder.memoryBytes(elements), filter::toString);
  }

  @Test
  void filterFilledWithManyElementsTakesWhatItsBuilderSays() {
    ScalableBloomFilter.Builder<Long> builder =
        ScalableBloomFilter.builder(LONGS).expecting(1000, 0.01);
    // Where the last layer has begun and is not yet full: see layerShapes.
    for (long elements : new long[] {1, 500, 1000, 2000, 5000, 11_000, 50_000}) {
      ScalableBloomFilter<Long> filter = builder.build();
      LongStream.range(0, elements).forEach(filter::add);
      assertEquals(filter.memoryBytes(), builder.memoryBytes(elements), filter::toString);
    }
  }

  @Test
  void bytesNeedASize() {
    assertThrows(
        IllegalStateException.class, () -> ScalableBloomFilter.builder(LONGS).memoryBytes(1));
    for (long none : new long[] {0, -1}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> ScalableBloomFilter.builder(LONGS).expecting(10, 0.1).memoryBytes(none));
    }
  }
}
