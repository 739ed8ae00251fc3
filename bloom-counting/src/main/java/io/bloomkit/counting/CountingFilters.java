package io.bloomkit.counting;

import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterFactory;
import io.bloomkit.format.FilterProvider;
import io.bloomkit.hash.HashStrategy;
import java.util.List;

/** The filters from which elements can be removed, for {@link java.util.ServiceLoader}. */
public final class CountingFilters implements FilterProvider {

  /** Returns the provider. */
  public CountingFilters() {}

  /** Returns "counting", "blocked counting" and "cuckoo". */
  @Override
  public List<FilterFactory> factories() {
    return List.of(new Counting(), new BlockedCounting(), new Cuckoo());
  }

  private record Counting() implements FilterFactory {

    @Override
    public String label() {
      return "counting";
    }

    @Override
    public <T> InsertableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
      return CountingBloomFilter.create(strategy, expectedInsertions, fpp);
    }
  }

  private record BlockedCounting() implements FilterFactory {

    @Override
    public String label() {
      return "blocked counting";
    }

    @Override
    public <T> InsertableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
      return BlockedCountingBloomFilter.create(strategy, expectedInsertions, fpp);
    }
  }

  private record Cuckoo() implements FilterFactory {

    @Override
    public String label() {
      return "cuckoo";
    }

    @Override
    public <T> InsertableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
      return CuckooFilter.create(strategy, expectedInsertions, fpp);
    }
  }
}
