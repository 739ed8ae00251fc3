package io.bloomkit.classic;

import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterFactory;
import io.bloomkit.format.FilterProvider;
import io.bloomkit.hash.HashStrategy;
import java.util.List;

/** The filters of bits, for {@link java.util.ServiceLoader}. */
public final class ClassicFilters implements FilterProvider {

  /** Returns the provider. */
  public ClassicFilters() {}

  /** Returns "classic" and "blocked". */
  @Override
  public List<FilterFactory> factories() {
    return List.of(new Classic(), new Blocked());
  }

  private record Classic() implements FilterFactory {

    @Override
    public String label() {
      return "classic";
    }

    @Override
    public <T> InsertableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
      return ClassicBloomFilter.create(strategy, expectedInsertions, fpp);
    }
  }

  private record Blocked() implements FilterFactory {

    @Override
    public String label() {
      return "blocked";
    }

    @Override
    public <T> InsertableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
      return BlockedBloomFilter.create(strategy, expectedInsertions, fpp);
    }
  }
}
