package io.bloomkit.classic.provider;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.classic.guava.GuavaBloomFilters;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterProvider;
import io.bloomkit.format.FilterVariant;
import java.util.List;

/** Provides the kinds of filters of this module to {@link java.util.ServiceLoader}. */
public final class ClassicFilters implements FilterProvider {

  /** Returns the provider. */
  public ClassicFilters() {}

  @Override
  public List<FilterKind> kinds() {
    return List.of(ClassicBloomFilter.KIND, BlockedBloomFilter.KIND);
  }

  /**
   * Returns the variant of Guava's filter. It is no {@link FilterKind}, because its hash has more
   * than 64 bits.
   */
  @Override
  public List<FilterVariant> otherVariants() {
    return List.of(GuavaBloomFilters.VARIANT);
  }
}
