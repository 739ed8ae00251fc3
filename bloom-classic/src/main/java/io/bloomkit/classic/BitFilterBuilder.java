package io.bloomkit.classic;

import io.bloomkit.FilterPlan;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.builder.BuilderOptions;
import java.io.IOException;
import java.util.Objects;
import java.util.OptionalLong;

/** The options that both builders share. Creates the checked states of their filters. */
abstract sealed class BitFilterBuilder<S, Z extends Record, B extends BitFilterBuilder<S, Z, B>>
    permits ClassicBloomFilter.Builder, BlockedBloomFilter.Builder {

  private final BuilderOptions<S, Z, B> options;
  private final BitFormat<Z> format;

  @SuppressWarnings("unchecked") // each builder is its own B
  BitFilterBuilder(HashStrategy<S> strategy, BitFormat<Z> format) {
    this.options =
        new BuilderOptions<>((B) this, strategy, "expecting(insertions, fpp) or shape(...)");
    this.format = format;
  }

  /**
   * Sets the size and the plan for a given number of distinct elements, at least 1, and a
   * false-positive probability in (0, 1). Returns this builder.
   *
   * @throws IllegalArgumentException if an argument is out of its range, or the filter would be
   *     larger than one array (16 GiB)
   */
  public B expecting(long expectedInsertions, double fpp) {
    return options.setSize(
        format.requireArray(format.sizeFor(expectedInsertions, fpp)),
        new FilterPlan(expectedInsertions, fpp));
  }

  /**
   * Sets the size, and removes the {@link BitFilter#plan() plan}; call {@link #plan} afterwards to
   * set one. A {@link BlockedBloomFilter} of a shape of {@link io.bloomkit.BlockedShape#ofCounters}
   * has the positions of a blocked counting filter of that shape. Returns this builder.
   *
   * @throws IllegalArgumentException if the filter would be larger than one array (16 GiB)
   */
  public B shape(Z shape) {
    return options.setSize(format.requireArray(Objects.requireNonNull(shape, "shape")));
  }

  /**
   * Sets the plan. Call this method after {@link #shape}, which removes the plan. A filter that is
   * read from a file has the plan of the file. Returns this builder.
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
    return (format.padding() + format.wordCount(options.requireSize())) * Long.BYTES;
  }

  final BitState<S, Z> empty() {
    Z size = options.requireSize();
    return BitState.of(options, size, options.plan(), format.array(size), OptionalLong.of(0));
  }

  final BitState<S, Z> of(long[] words, OptionalLong elementCount) {
    if (elementCount.isPresent() && elementCount.getAsLong() < 0) {
      throw new IllegalArgumentException(
          "elementCount must be at least 0, got " + elementCount.getAsLong());
    }
    Z size = options.requireSize();
    long[] copy = format.arrayOf(size, words);
    return BitState.of(options, size, options.plan(), copy, elementCount);
  }

  final BitState<S, Z> stateIn(FilterReader reader) throws IOException {
    Z read = format.readSize(reader, options.strategyIdentity(), format.mostPositions());
    Z size = options.requireSame(reader, read);
    long[] words = format.readWords(reader, size, reader.elementCount());
    return BitState.of(options, size, reader.plan(), words, reader.elementCount());
  }

  /** Reads the next section as a filter of this builder's size. */
  final BitState<S, Z> stateOfSection(FilterReader reader, OptionalLong elementCount)
      throws IOException {
    Z size = options.requireSize();
    long[] words = format.readWords(reader, size, elementCount);
    return BitState.of(options, size, options.plan(), words, elementCount);
  }
}
