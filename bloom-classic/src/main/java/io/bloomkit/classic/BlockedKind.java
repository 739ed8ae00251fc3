package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
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

/** Describes {@link BlockedBloomFilter} to tools that work with every kind of filter. */
record BlockedKind() implements FilterKind {

  static final FilterVariant VARIANT = new FilterVariant(2, "BlockedBloomFilter");

  @Override
  public FilterVariant variant() {
    return VARIANT;
  }

  @Override
  public String label() {
    return "blocked";
  }

  @Override
  public Class<?> filterClass() {
    return BlockedBloomFilter.class;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.CONCURRENT, Trait.COMPARABLE);
  }

  @Override
  public FilterLayout layout(long expectedInsertions, double fpp) {
    BlockedShape shape = BlockedShape.ofBits(expectedInsertions, fpp);
    return FilterLayout.of(
        shape, BlockedBloomFilter.builder(HashStrategies.bytes()).shape(shape).memoryBytes());
  }

  @Override
  public FilterLayout layoutOf(StorableFilter<?> filter) {
    Objects.requireNonNull(filter, "filter");
    BlockedBloomFilter<?> built = (BlockedBloomFilter<?>) filter;
    return FilterLayout.of(built.shape(), built.memoryBytes())
        .withSetPositions(built.setPositions());
  }

  @Override
  public <T> StorableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
    return BlockedBloomFilter.create(strategy, expectedInsertions, fpp);
  }

  @Override
  public <T> StorableFilter<T> read(FilterReader reader, HashStrategy<? super T> strategy)
      throws IOException {
    Objects.requireNonNull(reader, "reader");
    return new BlockedBloomFilter<>(BlockedBloomFilter.builder(strategy).stateIn(reader));
  }

  @Override
  public <T> void intersect(StorableFilter<T> into, StorableFilter<? extends T> other) {
    if (into instanceof BlockedBloomFilter<T> mine
        && other instanceof BlockedBloomFilter<? extends T> theirs) {
      mine.intersect(theirs);
    } else {
      FilterKind.super.intersect(into, other);
    }
  }
}
