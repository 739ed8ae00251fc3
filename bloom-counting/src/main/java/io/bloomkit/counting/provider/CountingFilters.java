package io.bloomkit.counting.provider;

import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooFilter;
import io.bloomkit.counting.dynamic.DynamicCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterProvider;
import java.util.List;

/** The filters from which elements can be removed, for {@link java.util.ServiceLoader}. */
public final class CountingFilters implements FilterProvider {

  /** Returns the provider. */
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
