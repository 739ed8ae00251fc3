package io.bloomkit.classic;

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
abstract sealed class BitFilterBuilder<S, B extends BitFilterBuilder<S, B>>
    implements FilterBuilder<S> permits ClassicBloomFilter.Builder, BlockedBloomFilter.Builder {

  private final BuilderOptions<S, Shape, B> options;

  @SuppressWarnings("unchecked") // each builder is its own B
  BitFilterBuilder(HashStrategy<S> strategy) {
    this.options =
        new BuilderOptions<>((B) this, strategy, "expecting(insertions, fpp) or shape(...)");
  }

  /** Returns the shape for a number of elements and a false-positive probability. */
  abstract Shape shapeFor(long expectedInsertions, double fpp);

  /** Reads and checks the header of a file. */
  abstract Shape readShape(FilterReader reader, StrategyIdentity strategy)
      throws FilterFormatException;

  final B setShape(Shape shape) {
    return options.setShape(BitsFile.requireArray(shape));
  }

  /**
   * Sets the size and the plan for a given number of distinct elements, at least 0, and a
   * false-positive probability in (0, 1). A number of 0, for an empty set, is planned as 1. Returns
   * this builder.
   *
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array (16 GiB)
   * @throws IllegalStateException if {@code shape} or {@link #plan} was called
   */
  public B expecting(long expectedInsertions, double fpp) {
    long elements = Arguments.atLeastOne(expectedInsertions, "expectedInsertions");
    return options.setSize(
        BitsFile.requireArray(shapeFor(elements, fpp)), new FilterPlan(elements, fpp));
  }

  /**
   * Sets the {@link BitFilter#plan() plan} of a filter whose {@code shape} is set. A filter that is
   * read from a file has the plan of the file. Returns this builder.
   *
   * @throws IllegalStateException if {@link #expecting} was called, which sets the plan
   */
  public B plan(FilterPlan plan) {
    return options.setPlan(plan);
  }

  /** Makes the filter concurrent; see the class of the filter. Returns this builder. */
  public B concurrent() {
    return options.setConcurrent();
  }

  /**
   * Returns {@link BitFilter#memoryBytes} of a filter of this size, without allocating it.
   *
   * @throws IllegalStateException if no size was given
   */
  public long memoryBytes() {
    return BitsFile.memoryBytes(options.requireSize());
  }

  final FilterLayout layout() {
    return FilterLayout.of(options.requireSize(), memoryBytes());
  }

  /** Returns an empty filter of the given size. */
  @Override
  public <T extends S> BitFilter<T> build() {
    return filter(BitsFile.array(options.requireSize()), OptionalLong.of(0));
  }

  /**
   * Returns a filter with a copy of bits from {@link BitFilter#toLongArray}. Its element count is
   * unknown.
   *
   * @throws IllegalArgumentException if the length is wrong, or bits beyond the size are set
   */
  public <T extends S> BitFilter<T> buildFrom(long[] words) {
    return filter(BitsFile.arrayOf(options.requireSize(), words), OptionalLong.empty());
  }

  /** Like {@link #buildFrom(long[])}, with a given element count, which must be at least 0. */
  public <T extends S> BitFilter<T> buildFrom(long[] words, long elementCount) {
    Arguments.checkAtLeast(0, elementCount, "elementCount");
    return filter(BitsFile.arrayOf(options.requireSize(), words), OptionalLong.of(elementCount));
  }

  /**
   * Reads a filter from a stream, which need not be buffered. Reads no byte beyond the filter.
   *
   * @throws FilterFormatException if damaged, or a filter of another kind, strategy or size
   * @throws IOException if the stream fails
   */
  @Override
  public <T extends S> BitFilter<T> readFrom(InputStream in) throws IOException {
    return FilterReader.readFrom(in, this::<T>read);
  }

  /** Reads a filter from a file with no other contents; see {@link #readFrom(InputStream)}. */
  public <T extends S> BitFilter<T> readFrom(Path file) throws IOException {
    return FilterReader.readFrom(file, this::<T>read);
  }

  /** Reads a filter from bytes that contain nothing else; see {@link #readFrom(InputStream)}. */
  public <T extends S> BitFilter<T> fromBytes(byte[] bytes) throws FilterFormatException {
    return FilterReader.fromBytes(bytes, this::<T>read);
  }

  final <T extends S> BitFilter<T> read(FilterReader reader) throws IOException {
    Shape shape = options.requireSame(reader, readShape(reader, options.strategyIdentity()));
    long[] words = BitsFile.readWords(reader, shape, reader.elementCount());
    return filter(shape, reader.plan(), words, reader.elementCount());
  }

  private <T extends S> BitFilter<T> filter(long[] words, OptionalLong elementCount) {
    return filter(options.requireSize(), options.plan(), words, elementCount);
  }

  private <T extends S> BitFilter<T> filter(
      Shape shape, Optional<FilterPlan> plan, long[] words, OptionalLong elementCount) {
    return BitFilter.of(
        new FilterState<>(
            options.strategy(),
            options.strategyIdentity(),
            shape,
            plan,
            new ElementCount(options.isConcurrent(), elementCount)),
        words);
  }
}
