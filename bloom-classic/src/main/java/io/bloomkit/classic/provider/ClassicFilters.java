package io.bloomkit.classic.provider;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.classic.guava.GuavaBloomFilters;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterProvider;
import io.bloomkit.format.FilterVariant;
import java.util.List;

/** The filters of bits, for {@link java.util.ServiceLoader}. */
public final class ClassicFilters implements FilterProvider {

  /** Returns the provider. */
  public ClassicFilters() {}

  @Override
  public List<FilterKind> kinds() {
    return List.of(ClassicBloomFilter.KIND, BlockedBloomFilter.KIND);
  }

  /** Returns the filter of Guava, which has no 64-bit hash and so is no {@link FilterKind}. */
  @Override
  public List<FilterVariant> otherVariants() {
    return List.of(GuavaBloomFilters.VARIANT);
  }
}
