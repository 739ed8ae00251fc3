package io.bloomkit.scalable.provider;

import io.bloomkit.internal.format.FilterProvider;
import io.bloomkit.internal.format.FilterVariant;
import io.bloomkit.scalable.ScalableBloomFilter;
import java.util.List;

/** Provides the kinds of filters of this module to {@link java.util.ServiceLoader}. */
public final class ScalableFilters implements FilterProvider {

  /** Creates the provider. Called by {@link java.util.ServiceLoader}. */
  public ScalableFilters() {}

  @Override
  public List<FilterVariant> variants() {
    return List.of((FilterVariant) ScalableBloomFilter.KIND);
  }
}
