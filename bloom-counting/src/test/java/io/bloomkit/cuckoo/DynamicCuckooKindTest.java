package io.bloomkit.cuckoo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DynamicCuckooKindTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static DynamicCuckooFilter<Long> filter(int elements) {
    DynamicCuckooFilter<Long> filter = DynamicCuckooFilter.create(LONGS, 1000, 1e-9);
    LongStream.range(0, elements).forEach(filter::add);
    return filter;
  }

  @Test
  void theLayoutOfAFilterHasWhatIsInUse() {
    Map<String, Number> figures = DynamicCuckooFilter.KIND.layoutOf(filter(500)).figures();
    assertEquals(500L, figures.get("distinctFingerprints"));
    assertEquals(0.5, figures.get("fill"));
  }

  @Test
  void filtersOfTheKindAreSubtracted() {
    DynamicCuckooFilter<Long> filter = filter(100);
    DynamicCuckooFilter.KIND.subtract(filter, filter(100));
    assertEquals(filter(0), filter);
  }

  @Test
  void filtersOfOtherKindsAreNot() {
    DynamicCuckooFilter<Long> filter = filter(1);
    StorableFilter<Long> other = CountingBloomFilter.create(LONGS, 1000, 0.01);
    assertThrows(
        IllegalArgumentException.class, () -> DynamicCuckooFilter.KIND.subtract(filter, other));
    assertThrows(
        IllegalArgumentException.class, () -> DynamicCuckooFilter.KIND.subtract(other, filter));
  }
}
