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

  /** Creates a provider; called by {@link java.util.ServiceLoader}. */
  public ClassicFilters() {}

  @Override
  public List<FilterKind> kinds() {
    return List.of(ClassicBloomFilter.KIND, BlockedBloomFilter.KIND);
  }

  /**
   * Returns the file format variant of {@link io.bloomkit.classic.guava.GuavaBloomFilter}. There is
   * no {@link FilterKind} for this filter, because every {@code FilterKind} requires 64-bit hashes,
   * and this filter uses up to 128 bits of a hash.
   */
  @Override
  public List<FilterVariant> otherVariants() {
    return List.of(GuavaBloomFilters.VARIANT);
  }
}
