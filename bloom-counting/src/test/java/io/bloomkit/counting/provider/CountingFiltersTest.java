package io.bloomkit.counting.provider;

import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooFilter;
import io.bloomkit.counting.dynamic.DynamicCuckooFilter;
import io.bloomkit.format.FilterProvider;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.file.FilterProviderContract;
import java.util.List;

class CountingFiltersTest implements FilterProviderContract {

  @Override
  public FilterProvider provider() {
    return new CountingFilters();
  }

  @Override
  public List<String> labels() {
    return List.of("counting", "blocked-counting", "cuckoo", "dynamic-cuckoo");
  }

  @Override
  public List<StorableFilter<Long>> filters(
      LongHashStrategy strategy, long expectedInsertions, double fpp) {
    return List.of(
        CountingBloomFilter.create(strategy, expectedInsertions, fpp),
        BlockedCountingBloomFilter.create(strategy, expectedInsertions, fpp),
        CuckooFilter.create(strategy, expectedInsertions, fpp),
        DynamicCuckooFilter.create(strategy, expectedInsertions, fpp));
  }
}
