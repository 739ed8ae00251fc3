package io.bloomkit.counting;

import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.FilterVariant;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Describes {@link CountingBloomFilter} to tools that work with every kind of filter. */
record CountingKind() implements FilterKind {

  private static final FilterVariant VARIANT = new FilterVariant(3, "CountingBloomFilter");

  @Override
  public FilterVariant variant() {
    return VARIANT;
  }

  @Override
  public String label() {
    return "counting";
  }

  @Override
  public Class<?> filterClass() {
    return CountingBloomFilter.class;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.CONCURRENT, Trait.COMPARABLE);
  }

  @Override
  public FilterLayout layout(long expectedInsertions, double fpp) {
    FlatShape shape = Shape.of(expectedInsertions, fpp);
    return FilterLayout.of(
        shape, CountingBloomFilter.builder(HashStrategies.bytes()).shape(shape).memoryBytes());
  }

  @Override
  public FilterLayout layoutOf(StorableFilter<?> filter) {
    Objects.requireNonNull(filter, "filter");
    CountingBloomFilter<?> built = (CountingBloomFilter<?>) filter;
    return FilterLayout.of(built.shape(), built.memoryBytes())
        .withSetPositions(built.nonZeroCounters());
  }

  @Override
  public <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return CountingBloomFilter.create(strategy, expectedInsertions, fpp);
  }

  @Override
  public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(reader, "reader");
    return CountingBloomFilter.builder(strategy).read(reader);
  }

  @Override
  public <T> void subtract(StorableFilter<T> from, StorableFilter<? extends T> other) {
    if (from instanceof CountingBloomFilter<T> mine
        && other instanceof CountingBloomFilter<? extends T> theirs) {
      mine.subtract(theirs);
    } else {
      FilterKind.super.subtract(from, other);
    }
  }

  /** Returns true for {@link ClassicBloomFilter}. */
  @Override
  public boolean isConvertibleTo(FilterKind to) {
    return Objects.requireNonNull(to, "to").filterClass() == ClassicBloomFilter.class;
  }

  @Override
  public <T> Optional<StorableFilter<T>> convert(StorableFilter<T> filter, FilterKind to) {
    Objects.requireNonNull(filter, "filter");
    return isConvertibleTo(to)
        ? Optional.of(((CountingBloomFilter<T>) filter).toClassic())
        : Optional.empty();
  }
}
