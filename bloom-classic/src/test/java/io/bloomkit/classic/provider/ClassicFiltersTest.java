package io.bloomkit.classic.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.classic.guava.GuavaBloomFilters;
import io.bloomkit.format.FilterProvider;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.file.FilterProviderContract;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassicFiltersTest implements FilterProviderContract {

  @Override
  public FilterProvider provider() {
    return new ClassicFilters();
  }

  @Override
  public List<String> labels() {
    return List.of("classic", "blocked");
  }

  @Test
  void theFilterOfGuavaIsNamedThoughItIsNoKind() {
    assertEquals(List.of(GuavaBloomFilters.VARIANT), provider().otherVariants());
  }

  @Override
  public List<StorableFilter<Long>> filters(
      LongHashStrategy strategy, long expectedInsertions, double fpp) {
    return List.of(
        ClassicBloomFilter.create(strategy, expectedInsertions, fpp),
        BlockedBloomFilter.create(strategy, expectedInsertions, fpp));
  }
}
