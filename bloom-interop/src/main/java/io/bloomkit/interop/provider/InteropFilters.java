package io.bloomkit.interop.provider;

import io.bloomkit.internal.format.FilterProvider;
import io.bloomkit.internal.format.FilterVariant;
import io.bloomkit.interop.guava.GuavaBloomFilter;
import java.util.List;

/** Names this module's variant of the file format for {@link java.util.ServiceLoader}. */
public final class InteropFilters implements FilterProvider {

  /** Creates a provider; called by {@link java.util.ServiceLoader}. */
  public InteropFilters() {}

  @Override
  public List<FilterVariant> variants() {
    return List.of(FilterVariant.of(GuavaBloomFilter.CODE, "GuavaBloomFilter"));
  }
}
