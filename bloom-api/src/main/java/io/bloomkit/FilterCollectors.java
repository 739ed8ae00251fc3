package io.bloomkit;

import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.Collector.Characteristics;

/**
 * Collectors that fill a filter with the elements of a stream:
 *
 * <pre>{@code
 * ClassicBloomFilter<String> seen =
 *     urls.collect(
 *         FilterCollectors.toFilter(
 *             () -> ClassicBloomFilter.create(HashStrategies.utf8(), 1_000_000, 0.01)));
 * }</pre>
 *
 * <p>The supplier makes the filter, so every filter, every option of its builder and every filter
 * of your own can be collected, also by {@code groupingBy} with a filter per group. It must return
 * a new filter at each call, always of the same class, strategy and size.
 *
 * <p><b>Parallel streams.</b> {@link #toFilter} gives each part of the stream a filter and merges
 * them. This requires a {@link MergeableFilter} and the memory of one filter per part; there are a
 * few parts per core. {@link #toConcurrentFilter} fills one {@code concurrent()} filter from all
 * threads.
 */
public final class FilterCollectors {

  private FilterCollectors() {}

  /**
   * Returns a collector that adds all elements to a filter. A parallel stream requires a {@link
   * MergeableFilter}. Collecting throws
   *
   * <ul>
   *   <li>{@link NullPointerException} if the supplier returns null, or an element is null;
   *   <li>{@link IllegalArgumentException} if the supplier returned filters that do not merge with
   *       each other: of different classes, strategies or sizes;
   *   <li>{@link IllegalStateException} if the stream is parallel and filters of this class do not
   *       merge or the supplier returned one filter twice, and as {@link InsertableFilter#add}.
   * </ul>
   *
   * @param supplier returns a new filter at each call
   * @throws NullPointerException if the supplier is null
   */
  public static <T, F extends InsertableFilter<T>> Collector<T, ?, F> toFilter(
      Supplier<? extends F> supplier) {
    Objects.requireNonNull(supplier, "supplier");
    return Collector.of(
        () -> newFilter(supplier),
        InsertableFilter::add,
        FilterCollectors::merged,
        Characteristics.UNORDERED,
        Characteristics.IDENTITY_FINISH);
  }

  /**
   * Returns a collector that adds all elements to one concurrent filter, which all threads of a
   * parallel stream share. Collecting throws
   *
   * <ul>
   *   <li>{@link NullPointerException} if the supplier returns null, or an element is null;
   *   <li>{@link IllegalStateException} if the filter is not {@linkplain
   *       InsertableFilter#isConcurrent concurrent}, and as {@link InsertableFilter#add}.
   * </ul>
   *
   * @param supplier returns a new filter, built {@code concurrent()}, at each call
   * @throws NullPointerException if the supplier is null
   */
  public static <T, F extends InsertableFilter<T>> Collector<T, ?, F> toConcurrentFilter(
      Supplier<? extends F> supplier) {
    Objects.requireNonNull(supplier, "supplier");
    return Collector.of(
        () -> requireConcurrent(newFilter(supplier)),
        InsertableFilter::add,
        FilterCollectors::merged,
        Characteristics.CONCURRENT,
        Characteristics.UNORDERED,
        Characteristics.IDENTITY_FINISH);
  }

  private static <F> F newFilter(Supplier<? extends F> supplier) {
    return Objects.requireNonNull(supplier.get(), "the filter that the supplier returns");
  }

  private static <F extends InsertableFilter<?>> F requireConcurrent(F filter) {
    if (!filter.isConcurrent()) {
      throw new IllegalStateException(
          "the supplier must return a filter that was built by concurrent(), got " + filter);
    }
    return filter;
  }

  private static <F extends InsertableFilter<?>> F merged(F filter, F other) {
    if (filter == other) {
      throw new IllegalStateException(
          "the supplier must return a new filter at each call, got this one twice: " + filter);
    }
    if (!(filter instanceof MergeableFilter<?> mergeable)) {
      throw new IllegalStateException(
          "a parallel stream cannot be collected into filters that do not merge: make the stream"
              + " sequential(), or use toConcurrentFilter; the filter is "
              + filter);
    }
    if (!mergeable.isCompatible(other)) {
      throw new IllegalArgumentException(
          "the supplier must return filters of one class, strategy and size, got "
              + filter
              + " and "
              + other);
    }
    @SuppressWarnings("unchecked") // compatible filters are of one class, which merges with itself
    MergeableFilter<Object> target = (MergeableFilter<Object>) mergeable;
    target.merge(other);
    return filter;
  }
}
