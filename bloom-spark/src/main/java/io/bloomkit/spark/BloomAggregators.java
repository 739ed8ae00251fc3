package io.bloomkit.spark;

import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.format.FilterKind;

/**
 * Creates aggregates that build filters.
 *
 * <p>The argument {@code expected} is the number of distinct elements in all rows, not in one
 * partition; with {@code GROUP BY}, it is the number in the largest group. If there are more
 * elements, the false-positive rate exceeds the argument {@code fpp}.
 *
 * <p>Every method throws {@link IllegalArgumentException} if {@code expected} is below 1, {@code
 * fpp} is not in (0, 1), or the filter would take more than 2 GiB − 1 MiB, the most that a Spark
 * value can hold. Every method throws {@link NullPointerException} if the argument {@code strategy}
 * is null or supplies null.
 */
public final class BloomAggregators {

  private BloomAggregators() {}

  /**
   * Returns an aggregate that builds a {@link ClassicBloomFilter}, the smallest of the filters
   * here.
   *
   * @param strategy the source of the hash strategy, such as {@code HashStrategies::utf8}
   * @param expected the number of distinct elements of all rows, at least 1
   * @param fpp the false-positive rate at that number of elements, in (0, 1)
   * @param <T> the type of the elements
   */
  public static <T> BloomAggregator<T> classic(
      StrategySource<T> strategy, long expected, double fpp) {
    return of(ClassicBloomFilter.KIND, strategy, expected, fpp);
  }

  /**
   * Returns an aggregate that builds a {@link BlockedBloomFilter}, the fastest of the filters here.
   *
   * @param strategy the source of the hash strategy, such as {@code HashStrategies::utf8}
   * @param expected the number of distinct elements of all rows, at least 1
   * @param fpp the false-positive rate at that number of elements, in (0, 1)
   * @param <T> the type of the elements
   */
  public static <T> BloomAggregator<T> blocked(
      StrategySource<T> strategy, long expected, double fpp) {
    return of(BlockedBloomFilter.KIND, strategy, expected, fpp);
  }

  /**
   * Returns an aggregate that builds a {@link CountingBloomFilter}, which supports removal and
   * subtraction.
   *
   * @param strategy the source of the hash strategy, such as {@code HashStrategies::utf8}
   * @param expected the number of distinct elements of all rows, at least 1
   * @param fpp the false-positive rate at that number of elements, in (0, 1)
   * @param <T> the type of the elements
   */
  public static <T> BloomAggregator<T> counting(
      StrategySource<T> strategy, long expected, double fpp) {
    return of(CountingBloomFilter.KIND, strategy, expected, fpp);
  }

  /**
   * Returns an aggregate that builds a {@link BlockedCountingBloomFilter}, which is faster and
   * larger than a {@link CountingBloomFilter}.
   *
   * @param strategy the source of the hash strategy, such as {@code HashStrategies::utf8}
   * @param expected the number of distinct elements of all rows, at least 1
   * @param fpp the false-positive rate at that number of elements, in (0, 1)
   * @param <T> the type of the elements
   */
  public static <T> BloomAggregator<T> blockedCounting(
      StrategySource<T> strategy, long expected, double fpp) {
    return of(BlockedCountingBloomFilter.KIND, strategy, expected, fpp);
  }

  /**
   * Returns an aggregate that builds a {@link DynamicCuckooFilter}, which supports removal and
   * subtraction, and whose memory follows its elements: {@code expected} may be set high.
   *
   * @param strategy the source of the hash strategy, such as {@code HashStrategies::utf8}
   * @param expected the number of distinct elements of all rows, at least 1
   * @param fpp the false-positive rate at that number of elements, in (0, 1)
   * @param <T> the type of the elements
   */
  public static <T> BloomAggregator<T> dynamicCuckoo(
      StrategySource<T> strategy, long expected, double fpp) {
    return of(DynamicCuckooFilter.KIND, strategy, expected, fpp);
  }

  /** Returns an aggregate that builds a filter of a kind. */
  static <T> BloomAggregator<T> of(
      FilterKind kind, StrategySource<T> strategy, long expected, double fpp) {
    return new BloomAggregator<>(new FilterSpec<>(kind, strategy, expected, fpp));
  }
}
