package io.bloomkit.scalable;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;

/** Describes {@link ScalableCountingBloomFilter} to tools that work with every kind of filter. */
record ScalableCountingKind() implements FilterKind {

  private static final FilterVariant VARIANT = new FilterVariant(7, "ScalableCountingBloomFilter");

  @Override
  public FilterVariant variant() {
    return VARIANT;
  }

  @Override
  public String label() {
    return "scalable-counting";
  }

  @Override
  public Class<?> filterClass() {
    return ScalableCountingBloomFilter.class;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.CONCURRENT, Trait.GROWING);
  }

  @Override
  public FilterLayout layout(long expectedInsertions, double fpp) {
    ScalableCountingBloomFilter.Builder<byte[]> builder =
        ScalableCountingBloomFilter.builder(HashStrategies.bytes())
            .expecting(expectedInsertions, fpp);
    return LayeredLayout.planned(expectedInsertions, builder::layerShapes, builder::memoryBytes);
  }

  @Override
  public FilterLayout layoutOf(StorableFilter<?> filter) {
    Objects.requireNonNull(filter, "filter");
    return LayeredLayout.of(((ScalableCountingBloomFilter<?>) filter).state());
  }

  @Override
  public <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return ScalableCountingBloomFilter.create(strategy, expectedInsertions, fpp);
  }

  @Override
  public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(reader, "reader");
    return ScalableCountingFile.read(reader, strategy, null, false);
  }
}
