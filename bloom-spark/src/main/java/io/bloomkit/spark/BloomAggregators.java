package io.bloomkit.spark;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.FilterKind;

/**
 * Creates aggregates that build filters.
 *
 * <p>The size is that of the whole result, not of a partition: {@code expected} is the number of
 * distinct elements of all rows. Beyond it the false-positive rate rises.
 *
 * <p>Every method throws {@link IllegalArgumentException} if {@code expected} is below 1, {@code
 * fpp} is not in (0, 1), or the filter would exceed 2 GiB, the limit of a Spark value.
 */
public final class BloomAggregators {

  private BloomAggregators() {}

  /**
   * Returns an aggregate that builds a {@link ClassicBloomFilter}, the smallest filter.
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
   * Returns an aggregate that builds a {@link BlockedBloomFilter}, the fastest filter.
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
   * Returns an aggregate that builds a {@link CountingBloomFilter}, which supports removal and
   * subtraction.
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
