package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.format.FilterFactory;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountingFiltersTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  @Test
  void allKindsAreOfferedInOrder() {
    List<FilterFactory> factories = new CountingFilters().factories();
    assertEquals(
        List.of("counting", "blocked counting", "cuckoo"),
        factories.stream().map(FilterFactory::label).toList());
    List<StorableFilter<Long>> filters =
        List.of(
            CountingBloomFilter.create(LONGS, 1000, 0.01),
            BlockedCountingBloomFilter.create(LONGS, 1000, 0.01),
            CuckooFilter.create(LONGS, 1000, 0.01));
    for (int i = 0; i < filters.size(); i++) {
      StorableFilter<Long> made =
          (StorableFilter<Long>) factories.get(i).<Long>create(LONGS, 1000, 0.01);
      assertArrayEquals(filters.get(i).toBytes(), made.toBytes());
    }
  }
}
