package io.bloomkit.classic;

import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
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

/** Describes {@link ClassicBloomFilter} to tools that work with every kind of filter. */
record ClassicKind() implements FilterKind {

  static final FilterVariant VARIANT = new FilterVariant(1, "ClassicBloomFilter");

  @Override
  public FilterVariant variant() {
    return VARIANT;
  }

  @Override
  public String label() {
    return "classic";
  }

  @Override
  public Class<?> filterClass() {
    return ClassicBloomFilter.class;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.CONCURRENT, Trait.COMPARABLE);
  }

  @Override
  public FilterLayout layout(long expectedInsertions, double fpp) {
    FlatShape shape = Shape.of(expectedInsertions, fpp);
    return FilterLayout.of(
        shape, ClassicBloomFilter.builder(HashStrategies.bytes()).shape(shape).memoryBytes());
  }

  @Override
  public FilterLayout layoutOf(StorableFilter<?> filter) {
    Objects.requireNonNull(filter, "filter");
    ClassicBloomFilter<?> built = (ClassicBloomFilter<?>) filter;
    return FilterLayout.of(built.shape(), built.memoryBytes())
        .withSetPositions(built.setPositions());
  }

  @Override
  public <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return ClassicBloomFilter.create(strategy, expectedInsertions, fpp);
  }

  @Override
  public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(reader, "reader");
    return new ClassicBloomFilter<>(ClassicBloomFilter.builder(strategy).stateIn(reader));
  }

  @Override
  public <T> void intersect(StorableFilter<T> into, StorableFilter<? extends T> other) {
    if (into instanceof ClassicBloomFilter<T> mine
        && other instanceof ClassicBloomFilter<? extends T> theirs) {
      mine.intersect(theirs);
    } else {
      FilterKind.super.intersect(into, other);
    }
  }
}
