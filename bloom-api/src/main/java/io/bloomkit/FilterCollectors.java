package io.bloomkit;

import io.bloomkit.hash.HashStrategy;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collector;
import java.util.stream.Collector.Characteristics;
import org.jspecify.annotations.Nullable;

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
 * <p>The supplier creates the filter. It must return a new filter at each call, always of the same
 * class, strategy and size. Any class of filters with any options is accepted, including your own.
 * With {@code groupingBy}, each group has its own filter.
 *
 * <p><b>Parallel streams.</b> A parallel stream is processed in parts, usually several per thread.
 * {@link #toFilter} creates a filter for each part and merges these filters, which requires a
 * {@link MergeableFilter} and memory for all of them. With {@link #toConcurrentFilter}, all threads
 * fill one {@linkplain InsertableFilter#isConcurrent concurrent} filter, which was built with the
 * option {@code concurrent()} of its builder.
 */
public final class FilterCollectors {

  private FilterCollectors() {}

  /**
   * Returns a collector that adds all elements of a stream to a filter, in batches by {@link
   * InsertableFilter#addHashes}. A parallel stream requires a {@link MergeableFilter}. A filter
   * that is filled faster in bulk takes up to 16 MiB beside it while it is filled. Collecting
   * throws
   *
   * <ul>
   *   <li>{@link NullPointerException} if the supplier returns null, or an element is null;
   *   <li>{@link IllegalArgumentException} if the filters of two parts are not {@linkplain
   *       MergeableFilter#isCompatible compatible}, or their {@linkplain MergeableFilter#merge
   *       merged} result would exceed a limit;
   *   <li>{@link IllegalStateException} if there are several parts and the filters are not {@link
   *       MergeableFilter}s;
   *   <li>{@link IllegalStateException} if the supplier returned the same filter for two parts.
   *       Returning the same filter for two groups is not detected;
   *   <li>{@link IllegalStateException} if the filter is full (see {@link InsertableFilter#add}).
   * </ul>
   *
   * @param supplier returns a new filter at each call
   * @throws NullPointerException if the supplier is null
   */
  public static <T, F extends InsertableFilter<T>> Collector<T, ?, F> toFilter(
      Supplier<? extends F> supplier) {
    Objects.requireNonNull(supplier, "supplier");
    return Collector.of(
        () -> new Accumulator<T, F>(newFilter(supplier)),
        Accumulator::add,
        Accumulator::combine,
        Accumulator::finish,
        Characteristics.UNORDERED);
  }

  /** A filter and hashes that are still to be added to it. */
  private static final class Accumulator<T, F extends InsertableFilter<T>> {

    private final F filter;
    private final HashStrategy<? super T> strategy;
    private final HashBatches batches;
    private @Nullable RuntimeException failure;

    Accumulator(F filter) {
      this.filter = filter;
      this.strategy = filter.strategy();
      this.batches = HashBatches.adding(filter);
    }

    void add(T element) {
      batches.add(strategy.hash(Objects.requireNonNull(element, "element")));
    }

    Accumulator<T, F> combine(Accumulator<T, F> other) {
      try {
        return new Accumulator<>(mergeInto(finish(), other.finish()));
      } catch (IllegalArgumentException | IllegalStateException e) {
        // A stream wraps what another thread throws, and repeats its class in the message.
        failure = e;
        return this;
      }
    }

    F finish() {
      if (failure != null) {
        throw failure;
      }
      batches.finish();
      return filter;
    }
  }

  /**
   * Returns a collector that adds all elements of a stream to one concurrent filter, which all
   * threads of a parallel stream share. To group a parallel stream, use this collector as the
   * downstream collector of {@code groupingByConcurrent}. With {@code groupingBy} instead, each
   * part has its own filter per group. These filters are merged as by {@link #toFilter}, with the
   * same exceptions. Collecting throws
   *
   * <ul>
   *   <li>{@link NullPointerException} if the supplier returns null, or an element is null;
   *   <li>{@link IllegalStateException} if the filter is not {@linkplain
   *       InsertableFilter#isConcurrent concurrent};
   *   <li>{@link IllegalStateException} if the filter is full (see {@link InsertableFilter#add}).
   * </ul>
   *
   * @param supplier returns a new concurrent filter at each call
   * @throws NullPointerException if the supplier is null
   */
  public static <T, F extends InsertableFilter<T>> Collector<T, ?, F> toConcurrentFilter(
      Supplier<? extends F> supplier) {
    Objects.requireNonNull(supplier, "supplier");
    return Collector.of(
        () -> requireConcurrent(newFilter(supplier)),
        InsertableFilter::add,
        FilterCollectors::mergeInto,
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

  private static <F extends InsertableFilter<?>> F mergeInto(F filter, F other) {
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
