package io.bloomkit.counting.provider;

import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooFilter;
import io.bloomkit.counting.dynamic.DynamicCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterProvider;
import java.util.List;

/** Provides the kinds of filters of this module to {@link java.util.ServiceLoader}. */
public final class CountingFilters implements FilterProvider {

  /** Creates a provider; called by {@link java.util.ServiceLoader}. */
  public CountingFilters() {}

  @Override
  public List<FilterKind> kinds() {
    return List.of(
        CountingBloomFilter.KIND,
        BlockedCountingBloomFilter.KIND,
        CuckooFilter.KIND,
        DynamicCuckooFilter.KIND);
  }
}
