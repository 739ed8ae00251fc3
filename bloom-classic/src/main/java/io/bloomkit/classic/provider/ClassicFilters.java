package io.bloomkit.classic.provider;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.internal.format.FilterProvider;
import io.bloomkit.internal.format.FilterVariant;
import java.util.List;

/** Provides the kinds of filters of this module to {@link java.util.ServiceLoader}. */
public final class ClassicFilters implements FilterProvider {

  /** Creates a provider; called by {@link java.util.ServiceLoader}. */
  public ClassicFilters() {}

  @Override
  public List<FilterVariant> variants() {
    return List.of(
        (FilterVariant) ClassicBloomFilter.KIND, (FilterVariant) BlockedBloomFilter.KIND);
  }
}
