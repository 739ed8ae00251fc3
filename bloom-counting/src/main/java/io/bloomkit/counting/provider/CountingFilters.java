package io.bloomkit.counting.provider;

import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooFilter;
import io.bloomkit.counting.dynamic.DynamicCuckooFilter;
import io.bloomkit.counting.dynamic.ExpiringCuckooFilter;
import io.bloomkit.internal.format.FilterProvider;
import io.bloomkit.internal.format.FilterVariant;
import java.util.List;

/** Provides the kinds of filters of this module to {@link java.util.ServiceLoader}. */
public final class CountingFilters implements FilterProvider {

  /** Creates a provider; called by {@link java.util.ServiceLoader}. */
  public CountingFilters() {}

  @Override
  public List<FilterVariant> variants() {
    return List.of(
        (FilterVariant) CountingBloomFilter.KIND,
        (FilterVariant) BlockedCountingBloomFilter.KIND,
        (FilterVariant) CuckooFilter.KIND,
        (FilterVariant) DynamicCuckooFilter.KIND,
        (FilterVariant) ExpiringCuckooFilter.KIND);
  }
}
