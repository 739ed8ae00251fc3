package io.bloomkit.counting.dynamic;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Describes {@link DynamicCuckooFilter} to tools that work with every kind of filter. */
record DynamicCuckooKind() implements FilterKind {

  private static final FilterVariant VARIANT = new FilterVariant(10, "DynamicCuckooFilter");

  @Override
  public FilterVariant variant() {
    return VARIANT;
  }

  @Override
  public String label() {
    return "dynamic-cuckoo";
  }

  @Override
  public Class<?> filterClass() {
    return DynamicCuckooFilter.class;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.CONCURRENT, Trait.COMPARABLE, Trait.ELASTIC);
  }

  @Override
  public FilterLayout layout(long expectedInsertions, double fpp) {
    DynamicCuckooSize size = DynamicCuckooSize.of(expectedInsertions, fpp);
    return new TablesLayout(size, size.memoryBytes(expectedInsertions), Map.of());
  }

  @Override
  public FilterLayout layoutOf(StorableFilter<?> filter) {
    DynamicCuckooFilter<?> built =
        (DynamicCuckooFilter<?>) Objects.requireNonNull(filter, "filter");
    Map<String, Number> inUse = new LinkedHashMap<>();
    inUse.put("distinctFingerprints", built.distinctFingerprints());
    inUse.put("fill", (double) built.distinctFingerprints() / built.shape().maxElements());
    return new TablesLayout(built.shape(), built.memoryBytes(), inUse);
  }

  @Override
  public <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return DynamicCuckooFilter.create(strategy, expectedInsertions, fpp);
  }

  @Override
  public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    return DynamicCuckooFilter.builder(strategy).read(Objects.requireNonNull(reader, "reader"));
  }

  @Override
  public <T> void subtract(StorableFilter<T> from, StorableFilter<? extends T> other) {
    if (from instanceof DynamicCuckooFilter<T> filter
        && other instanceof DynamicCuckooFilter<? extends T> held) {
      filter.subtract(held);
    } else {
      FilterKind.super.subtract(from, other);
    }
  }
}
