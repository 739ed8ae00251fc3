package io.bloomkit.spark;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.FilterKind;

/**
 * Makes aggregates that build filters.
 *
 * <p>The size is that of the whole result, not of a partition: n is the number of distinct elements
 * of all rows. More raise the false-positive probability, nothing else happens.
 *
 * <p>Every method throws an {@link IllegalArgumentException} if n is below 1, the probability is
 * not between 0 and 1, or the filter would be larger than a value of Spark, 2 GiB.
 */
public final class BloomAggregators {

  private BloomAggregators() {}

  /**
   * Returns an aggregate that builds a {@link ClassicBloomFilter}: the fewest bytes.
   *
   * @param strategy such as {@code HashStrategies::utf8}
   * @param expected the number of distinct elements of all rows
   * @param fpp the false-positive probability, in (0, 1)
   */
  public static <T> BloomAggregator<T> classic(
      StrategySource<T> strategy, long expected, double fpp) {
    return of(ClassicBloomFilter.KIND, strategy, expected, fpp);
  }

  /**
   * Returns an aggregate that builds a {@link BlockedBloomFilter}: the fastest.
   *
   * @param strategy such as {@code HashStrategies::utf8}
   * @param expected the number of distinct elements of all rows
   * @param fpp the false-positive probability, in (0, 1)
   */
  public static <T> BloomAggregator<T> blocked(
      StrategySource<T> strategy, long expected, double fpp) {
    return of(BlockedBloomFilter.KIND, strategy, expected, fpp);
  }

  /**
   * Returns an aggregate that builds a {@link CountingBloomFilter}, from which elements can be
   * removed and another one subtracted.
   *
   * @param strategy such as {@code HashStrategies::utf8}
   * @param expected the number of distinct elements of all rows
   * @param fpp the false-positive probability, in (0, 1)
   */
  public static <T> BloomAggregator<T> counting(
      StrategySource<T> strategy, long expected, double fpp) {
    return of(CountingBloomFilter.KIND, strategy, expected, fpp);
  }

  /**
   * Returns an aggregate that builds a {@link BlockedCountingBloomFilter}: faster than {@link
   * #counting}, and larger.
   *
   * @param strategy such as {@code HashStrategies::utf8}
   * @param expected the number of distinct elements of all rows
   * @param fpp the false-positive probability, in (0, 1)
   */
  public static <T> BloomAggregator<T> blockedCounting(
      StrategySource<T> strategy, long expected, double fpp) {
    return of(BlockedCountingBloomFilter.KIND, strategy, expected, fpp);
  }

  /** Returns an aggregate that builds a filter of a kind. */
  static <T> BloomAggregator<T> of(
      FilterKind kind, StrategySource<T> strategy, long expected, double fpp) {
    return new BloomAggregator<>(new FilterSpec<>(kind, strategy, expected, fpp));
  }
}
