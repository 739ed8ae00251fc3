package io.bloomkit.counting;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;

/** Describes {@link CuckooFilter} to tools that work with every kind of filter. */
record CuckooKind() implements FilterKind {

  private static final FilterVariant VARIANT = new FilterVariant(5, "CuckooFilter");

  @Override
  public FilterVariant variant() {
    return VARIANT;
  }

  @Override
  public String label() {
    return "cuckoo";
  }

  @Override
  public Class<?> filterClass() {
    return CuckooFilter.class;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.CONCURRENT, Trait.COMPARABLE);
  }

  @Override
  public FilterLayout layout(long expectedInsertions, double fpp) {
    return BucketsLayout.of(CuckooSize.of(expectedInsertions, fpp));
  }

  @Override
  public FilterLayout layoutOf(StorableFilter<?> filter) {
    Objects.requireNonNull(filter, "filter");
    CuckooFilter<?> built = (CuckooFilter<?>) filter;
    return BucketsLayout.of(built.shape(), built.memoryBytes(), built.distinctFingerprints());
  }

  @Override
  public <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return CuckooFilter.create(strategy, expectedInsertions, fpp);
  }

  @Override
  public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(reader, "reader");
    return CuckooFilter.builder(strategy).read(reader);
  }
}
