package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterFactory;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScalableFiltersTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static byte[] made(FilterFactory factory, long expected) {
    return ((StorableFilter<Long>) factory.<Long>create(LONGS, expected, 0.01)).toBytes();
  }

  @Test
  void allKindsAreOfferedAndBeginWithATenthOfTheElements() {
    List<FilterFactory> factories = new ScalableFilters().factories();
    assertEquals(
        List.of("scalable", "scalable counting"),
        factories.stream().map(FilterFactory::label).toList());
    long[][] capacities = {{1, 1}, {10, 1}, {11, 2}, {1000, 100}, {1001, 101}};
    for (long[] capacity : capacities) {
      assertArrayEquals(
          ScalableBloomFilter.create(LONGS, capacity[1], 0.01).toBytes(),
          made(factories.get(0), capacity[0]));
      assertArrayEquals(
          ScalableCountingBloomFilter.create(LONGS, capacity[1], 0.01).toBytes(),
          made(factories.get(1), capacity[0]));
    }
    for (FilterFactory factory : factories) {
      for (long tooFew : new long[] {0, -7}) {
        String message =
            assertThrows(IllegalArgumentException.class, () -> made(factory, tooFew)).toString();
        assertTrue(message.contains("is " + tooFew), message);
      }
    }
  }
}
