package io.bloomkit.scalable.provider;

import io.bloomkit.format.StorableFilter;
import io.bloomkit.formattests.FilterProviderContract;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.scalable.ScalableBloomFilter;
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
