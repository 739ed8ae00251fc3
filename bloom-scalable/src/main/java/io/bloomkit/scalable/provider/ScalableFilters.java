package io.bloomkit.scalable.provider;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterProvider;
import io.bloomkit.scalable.ScalableBloomFilter;
import io.bloomkit.scalable.aging.AgingBloomFilter;
import java.util.List;

/** Provides the kinds of filters of this module to {@link java.util.ServiceLoader}. */
public final class ScalableFilters implements FilterProvider {

  /** Creates the provider. Called by {@link java.util.ServiceLoader}. */
  public ScalableFilters() {}

  @Override
  public List<FilterKind> kinds() {
    return List.of(ScalableBloomFilter.KIND, AgingBloomFilter.KIND);
  }
}
