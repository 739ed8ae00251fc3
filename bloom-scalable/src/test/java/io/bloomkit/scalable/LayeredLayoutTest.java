package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomkit.Shape;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.hash.HashStrategies;
import org.junit.jupiter.api.Test;

/** The layouts of planned and of existing filters. */
class LayeredLayoutTest {

  private final FilterLayout planned = ScalableBloomFilter.KIND.layout(1000, 0.01);

  @Test
  void ratesAndCacheLinesAreThoseOfTheFirstLayer() {
    Shape first =
        ScalableBloomFilter.builder(HashStrategies.longs())
            .expecting(1000, 0.01)
            .layerShapes(1)
            .get(0);
    FilterLayout grown = planned.grownTo(100_000);
    for (long elements : new long[] {0, 500, 1000}) {
      assertEquals(first.fpp(elements), planned.fpp(elements));
      assertEquals(first.fpp(elements), grown.fpp(elements));
      FilterLayout ofFirst = FilterLayout.of(first, planned.memoryBytes());
      assertEquals(ofFirst.cacheLines(elements), planned.cacheLines(elements));
      assertEquals(ofFirst.cacheLines(elements), grown.cacheLines(elements));
    }
  }

  @Test
  void aPlannedLayoutGrowsAsTheFilterDoes() {
    ScalableBloomFilter<Long> filter =
        ScalableBloomFilter.create(HashStrategies.longs(), 1000, 0.01);
    for (long i = 0; i < 5000; i++) {
      filter.add(i);
    }
    FilterLayout grown = planned.grownTo(5000);
    assertEquals(filter.layerCount(), grown.figures().get("layers"));
    assertEquals(filter.memoryBytes(), grown.memoryBytes());
    FilterLayout existing = ScalableBloomFilter.KIND.layoutOf(filter);
    assertEquals(existing.figures(), existing.grownTo(1_000_000).figures());
  }

  @Test
  void filtersOfDifferentContentsHaveDifferentHashCodes() {
    ScalableBloomFilter<Long> filter =
        ScalableBloomFilter.create(HashStrategies.longs(), 1000, 0.01);
    int empty = filter.hashCode();
    filter.add(1L);
    assertNotEquals(empty, filter.hashCode());
  }
}
