package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.formattests.FilterKindContract;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClassicKindsTest implements FilterKindContract {

  @Override
  public List<FilterKind> kinds() {
    return List.of(ClassicBloomFilter.KIND, BlockedBloomFilter.KIND);
  }

  @Override
  public List<String> labels() {
    return List.of("classic", "blocked");
  }

  @Test
  void filtersOfBitsAreIntersected() {
    LongHashStrategy longs = HashStrategies.longs();
    for (FilterKind kind : kinds()) {
      StorableFilter<Long> filter = kind.create(longs, 1000, 0.01);
      StorableFilter<Long> other = kind.create(longs, 1000, 0.01);
      LongStream.of(1, 42).forEach(element -> kind.addHash(filter, longs.hashLong(element)));
      LongStream.of(42, 7).forEach(element -> kind.addHash(other, longs.hashLong(element)));
      kind.intersect(filter, other);
      assertTrue(filter.mightContain(42L), kind.label());
      assertFalse(filter.mightContain(1L), kind.label());
      assertFalse(filter.mightContain(7L), kind.label());
    }
  }

  @Override
  public List<StorableFilter<Long>> filters(
      LongHashStrategy strategy, long expectedInsertions, double fpp) {
    return List.of(
        ClassicBloomFilter.create(strategy, expectedInsertions, fpp),
        BlockedBloomFilter.create(strategy, expectedInsertions, fpp));
  }
}
