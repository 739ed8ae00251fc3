package io.bloomkit.scalable.aging;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;

/** Describes {@link AgingBloomFilter} to tools that work with every kind of filter. */
record AgingKind() implements FilterKind {

  private static final FilterVariant VARIANT = new FilterVariant(8, "AgingBloomFilter");

  @Override
  public FilterVariant variant() {
    return VARIANT;
  }

  @Override
  public String label() {
    return "aging";
  }

  @Override
  public Class<?> filterClass() {
    return AgingBloomFilter.class;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.CONCURRENT, Trait.COMPARABLE);
  }

  @Override
  public FilterLayout layout(long expectedInsertions, double fpp) {
    return new SlicesLayout(AgingShape.of(expectedInsertions, fpp));
  }

  @Override
  public FilterLayout layoutOf(StorableFilter<?> filter) {
    Objects.requireNonNull(filter, "filter");
    AgingBloomFilter<?> built = (AgingBloomFilter<?>) filter;
    long set = 0;
    for (int age = 0; age < built.shape().slices(); age++) {
      set += built.setPositions(age);
    }
    return new SlicesLayout(built.shape()).withSetPositions(set);
  }

  @Override
  public <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return AgingBloomFilter.create(strategy, expectedInsertions, fpp);
  }

  @Override
  public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(reader, "reader");
    return AgingBloomFilter.builder(strategy).read(reader);
  }

  @Override
  public boolean addHash(StorableFilter<?> filter, long hash) {
    Objects.requireNonNull(filter, "filter");
    return ((AgingBloomFilter<?>) filter).addHash(hash);
  }
}
