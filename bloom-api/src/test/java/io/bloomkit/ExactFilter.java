package io.bloomkit;

import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.util.HashMap;
import java.util.Map;

/** As exact as its hashes: every default method can be checked against it. */
public class ExactFilter<T> implements DeletableFilter<T> {

  private final HashStrategy<? super T> strategy;
  final Map<Long, Long> counts = new HashMap<>();

  public ExactFilter(HashStrategy<? super T> strategy) {
    this.strategy = strategy;
  }

  @Override
  public boolean addHash(long hash) {
    return counts.merge(hash, 1L, Long::sum) == 1;
  }

  @Override
  public boolean removeHash(long hash) {
    boolean positive = mightContainHash(hash);
    counts.computeIfPresent(hash, (key, count) -> count == 1 ? null : count - 1);
    return positive;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return counts.containsKey(hash);
  }

  @Override
  public long countHash(long hash) {
    return counts.getOrDefault(hash, 0L);
  }

  @Override
  public double expectedFpp() {
    return 0;
  }

  @Override
  public long approximateElementCount() {
    return counts.size();
  }

  @Override
  public long memoryBytes() {
    return 0;
  }

  @Override
  public HashStrategy<? super T> strategy() {
    return strategy;
  }

  @Override
  public void clear() {
    counts.clear();
  }

  @Override
  public String toString() {
    return counts.toString();
  }

  /** One that merges, and counts as thread-safe and storable. */
  public static final class Union extends ExactFilter<Long>
      implements StorableFilter<Long>, MergeableFilter<Union> {

    public Union() {
      super(HashStrategies.longs());
    }

    @Override
    public boolean isConcurrent() {
      return true;
    }

    @Override
    public boolean isCompatible(MembershipFilter<?> other) {
      return other instanceof Union;
    }

    @Override
    public void merge(Union other) {
      other.counts.forEach((hash, count) -> counts.merge(hash, count, Long::sum));
    }

    @Override
    public Union copy() {
      Union copy = new Union();
      copy.merge(this);
      return copy;
    }
  }
}
