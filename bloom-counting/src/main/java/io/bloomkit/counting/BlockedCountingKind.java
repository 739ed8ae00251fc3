package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.classic.BlockedBloomFilter;
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

/** Describes {@link BlockedCountingBloomFilter} to tools that work with every kind of filter. */
record BlockedCountingKind() implements FilterKind {

  private static final FilterVariant VARIANT = new FilterVariant(4, "BlockedCountingBloomFilter");

  @Override
  public FilterVariant variant() {
    return VARIANT;
  }

  @Override
  public String label() {
    return "blocked-counting";
  }

  @Override
  public Class<?> filterClass() {
    return BlockedCountingBloomFilter.class;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.CONCURRENT, Trait.COMPARABLE);
  }

  @Override
  public FilterLayout layout(long expectedInsertions, double fpp) {
    BlockedShape shape = BlockedShape.ofCounters(expectedInsertions, fpp);
    return FilterLayout.of(
        shape,
        BlockedCountingBloomFilter.builder(HashStrategies.bytes()).shape(shape).memoryBytes());
  }

  @Override
  public FilterLayout layoutOf(StorableFilter<?> filter) {
    Objects.requireNonNull(filter, "filter");
    BlockedCountingBloomFilter<?> built = (BlockedCountingBloomFilter<?>) filter;
    return FilterLayout.of(built.shape(), built.memoryBytes())
        .withSetPositions(built.nonZeroCounters());
  }

  @Override
  public <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return BlockedCountingBloomFilter.create(strategy, expectedInsertions, fpp);
  }

  @Override
  public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(reader, "reader");
    return BlockedCountingBloomFilter.builder(strategy).read(reader);
  }

  @Override
  public <T> void subtract(StorableFilter<T> from, StorableFilter<? extends T> other) {
    if (from instanceof BlockedCountingBloomFilter<T> mine
        && other instanceof BlockedCountingBloomFilter<? extends T> theirs) {
      mine.subtract(theirs);
    } else {
      FilterKind.super.subtract(from, other);
    }
  }

  /** Returns true for {@link BlockedBloomFilter}. */
  @Override
  public boolean isConvertibleTo(FilterKind to) {
    return Objects.requireNonNull(to, "to").filterClass() == BlockedBloomFilter.class;
  }

  @Override
  public <T> Optional<StorableFilter<T>> convert(StorableFilter<T> filter, FilterKind to) {
    Objects.requireNonNull(filter, "filter");
    return isConvertibleTo(to)
        ? Optional.of(((BlockedCountingBloomFilter<T>) filter).toBlocked())
        : Optional.empty();
  }
}
