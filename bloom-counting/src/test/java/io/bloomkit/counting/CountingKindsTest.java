package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cuckoo.CuckooFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.formattests.FilterKindContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CountingKindsTest implements FilterKindContract {

  @Override
  public List<FilterKind> kinds() {
    return List.of(
        CountingBloomFilter.KIND,
        BlockedCountingBloomFilter.KIND,
        CuckooFilter.KIND,
        DynamicCuckooFilter.KIND,
        ExpiringCuckooFilter.KIND);
  }

  @Override
  public List<String> labels() {
    return List.of("counting", "blocked-counting", "cuckoo", "dynamic-cuckoo", "expiring-cuckoo");
  }

  @Test
  void filtersAreSubtracted() {
    LongHashStrategy longs = HashStrategies.longs();
    for (FilterKind kind : kinds()) {
      if (kind == CuckooFilter.KIND || kind == ExpiringCuckooFilter.KIND) {
        continue;
      }
      StorableFilter<Long> filter = kind.create(longs, 1000, 0.01);
      StorableFilter<Long> other = kind.create(longs, 1000, 0.01);
      LongStream.of(1, 42).forEach(element -> kind.addHash(filter, longs.hashLong(element)));
      kind.addHash(other, longs.hashLong(42));
      kind.subtract(filter, other);
      assertTrue(filter.mightContain(1L), kind.label());
      assertFalse(filter.mightContain(42L), kind.label());
    }
  }

  @Test
  void filtersOfCountersAreConvertedToThoseOfBits() {
    assertIsConverted(CountingBloomFilter.KIND, ClassicBloomFilter.KIND, BlockedBloomFilter.KIND);
    assertIsConverted(
        BlockedCountingBloomFilter.KIND, BlockedBloomFilter.KIND, ClassicBloomFilter.KIND);
  }

  private static void assertIsConverted(FilterKind kind, FilterKind to, FilterKind other) {
    LongHashStrategy longs = HashStrategies.longs();
    StorableFilter<Long> filter = kind.create(longs, 1000, 0.01);
    kind.addHash(filter, longs.hashLong(42));
    assertTrue(kind.isConvertibleTo(to));
    StorableFilter<Long> converted = kind.convert(filter, to).orElseThrow();
    assertEquals(to.filterClass(), converted.getClass());
    assertTrue(converted.mightContain(42L));
    assertFalse(kind.isConvertibleTo(other));
    assertEquals(Optional.empty(), kind.convert(filter, other));
  }

  @Override
  public List<StorableFilter<Long>> filters(
      LongHashStrategy strategy, long expectedInsertions, double fpp) {
    return List.of(
        CountingBloomFilter.create(strategy, expectedInsertions, fpp),
        BlockedCountingBloomFilter.create(strategy, expectedInsertions, fpp),
        CuckooFilter.create(strategy, expectedInsertions, fpp),
        DynamicCuckooFilter.create(strategy, expectedInsertions, fpp),
        ExpiringCuckooFilter.create(strategy, expectedInsertions, fpp, Duration.ofHours(1)));
  }
}
