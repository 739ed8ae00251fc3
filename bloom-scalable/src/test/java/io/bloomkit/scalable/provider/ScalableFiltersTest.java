package io.bloomkit.scalable.provider;

import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.scalable.ScalableBloomFilter;
import io.bloomkit.testkit.file.FilterProviderContract;
import java.util.List;

class ScalableFiltersTest implements FilterProviderContract {

  @Override
  public ScalableFilters provider() {
    return new ScalableFilters();
  }

  @Override
  public List<String> labels() {
    return List.of("scalable");
  }

  @Override
  public List<StorableFilter<Long>> filters(
      LongHashStrategy strategy, long expectedInsertions, double fpp) {
    return List.of(ScalableBloomFilter.create(strategy, expectedInsertions, fpp));
  }
}
