package io.bloomkit.scalable;

import io.bloomkit.InsertableFilter;
import io.bloomkit.format.FilterFactory;
import io.bloomkit.format.FilterProvider;
import io.bloomkit.hash.HashStrategy;
import java.util.List;

/** The filters that grow, for {@link java.util.ServiceLoader}. */
public final class ScalableFilters implements FilterProvider {

  /** They begin with room for this part of the elements, and so grow. */
  private static final int GROWTH = 10;

  /** Returns the provider. */
  public ScalableFilters() {}

  /**
   * Returns "scalable" and "scalable counting". They begin with a tenth of the elements that are
   * expected, so that they have a few layers once they hold them all.
   */
  @Override
  public List<FilterFactory> factories() {
    return List.of(new Scalable(), new ScalableCounting());
  }

  /** A number of elements below 1 stays what it is, so that the filter refuses it by its value. */
  private static long initialCapacity(long expectedInsertions) {
    return expectedInsertions <= 0 ? expectedInsertions : 1 + (expectedInsertions - 1) / GROWTH;
  }

  private record Scalable() implements FilterFactory {

    @Override
    public String label() {
      return "scalable";
    }

    @Override
    public <T> InsertableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
      return ScalableBloomFilter.create(strategy, initialCapacity(expectedInsertions), fpp);
    }
  }

  private record ScalableCounting() implements FilterFactory {

    @Override
    public String label() {
      return "scalable counting";
    }

    @Override
    public <T> InsertableFilter<T> create(
        HashStrategy<? super T> strategy, long expectedInsertions, double fpp) {
      return ScalableCountingBloomFilter.create(strategy, initialCapacity(expectedInsertions), fpp);
    }
  }
}
