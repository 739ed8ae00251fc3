package io.bloomkit.counting;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.Shape;
import io.bloomkit.format.FilterBuilder;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Arguments;
import io.bloomkit.internal.filter.BuilderOptions;
import io.bloomkit.internal.filter.ElementCount;
import io.bloomkit.internal.filter.FilterState;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** The options of both builders, and the methods that create and read filters. */
abstract sealed class CounterFilterBuilder<S, B extends CounterFilterBuilder<S, B>>
    implements FilterBuilder.OfDeletable<S>
    permits CountingBloomFilter.Builder, BlockedCountingBloomFilter.Builder {

  private final BuilderOptions<S, Shape, B> options;

  @SuppressWarnings("unchecked") // each builder is its own B
  CounterFilterBuilder(HashStrategy<S> strategy) {
    this.options =
        new BuilderOptions<>((B) this, strategy, "expecting(insertions, fpp) or shape(...)");
  }

  /** Returns the shape for a number of elements and a false-positive probability. */
  abstract Shape shapeFor(long expectedInsertions, double fpp);

  /** Reads and checks the header of a file. */
  abstract Shape readShape(FilterReader reader, StrategyIdentity strategy)
      throws FilterFormatException;

  final B setShape(Shape shape) {
    return options.setShape(CounterFile.requireArray(shape));
  }

  /**
   * Sizes the filter for a largest number of distinct elements at any one time, at least 0, and a
   * false-positive rate in (0, 1). A number of 0, for an empty set, is planned as 1. Replaces an
   * earlier size and plan.
   *
   * @return this builder
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array (16 GiB)
   * @throws IllegalStateException if {@code shape} or {@link #plan} was called
   */
  public B expecting(long expectedInsertions, double fpp) {
    long elements = Arguments.atLeastOne(expectedInsertions, "expectedInsertions");
    return options.setSize(
        CounterFile.requireArray(shapeFor(elements, fpp)), new FilterPlan(elements, fpp));
  }

  /**
   * Sets the {@link CounterFilter#plan() plan} of a filter whose {@code shape} is set. Returns this
   * builder.
   *
   * @throws IllegalStateException if {@link #expecting} was called, which sets the plan
   */
  public B plan(FilterPlan plan) {
    return options.setPlan(plan);
  }

  /** Makes the filter thread-safe, as {@link CounterFilter} describes. Returns this builder. */
  public B concurrent() {
    return options.setConcurrent();
  }

  /** Returns the number of bytes that the empty filter will occupy. Requires a size. */
  public long memoryBytes() {
    return CounterArray.memoryBytes(CounterFile.counters(options.requireSize()));
  }

  final FilterLayout layout() {
    return FilterLayout.of(options.requireSize(), memoryBytes());
  }

  /** Returns an empty filter. Throws {@link IllegalStateException} if no size was set. */
  @Override
  public <T extends S> CounterFilter<T> build() {
    Shape shape = options.requireSize();
    CounterArray counters = new CounterArray(CounterFile.counters(shape));
    return filter(shape, options.plan(), counters, OptionalLong.of(0));
  }

  /** Reads a filter from a stream, as {@link FilterBuilder} describes. */
  @Override
  public <T extends S> CounterFilter<T> readFrom(InputStream in) throws IOException {
    return FilterReader.readFrom(in, this::<T>read);
  }

  /** Reads a filter from a file with no other contents; see {@link #readFrom(InputStream)}. */
  public <T extends S> CounterFilter<T> readFrom(Path file) throws IOException {
    return FilterReader.readFrom(file, this::<T>read);
  }

  /** Reads a filter from bytes that contain nothing else; see {@link #readFrom(InputStream)}. */
  public <T extends S> CounterFilter<T> fromBytes(byte[] bytes) throws FilterFormatException {
    return FilterReader.fromBytes(bytes, this::<T>read);
  }

  final <T extends S> CounterFilter<T> read(FilterReader reader) throws IOException {
    Shape shape = options.requireSame(reader, readShape(reader, options.strategyIdentity()));
    CounterArray counters = CounterFile.read(reader, shape);
    return filter(shape, reader.plan(), counters, reader.elementCount());
  }

  private <T extends S> CounterFilter<T> filter(
      Shape shape, Optional<FilterPlan> plan, CounterArray counters, OptionalLong elementCount) {
    return CounterFilter.of(
        new FilterState<>(
            options.strategy(),
            options.strategyIdentity(),
            shape,
            plan,
            new ElementCount(options.isConcurrent(), elementCount)),
        counters);
  }
}
