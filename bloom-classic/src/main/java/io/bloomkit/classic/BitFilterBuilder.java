package io.bloomkit.classic;

import io.bloomkit.FilterPlan;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.builder.BuilderOptions;
import java.io.IOException;
import java.util.Objects;
import java.util.OptionalLong;

/** The options of both builders, and the checked states of which they make filters. */
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
   * Sets the size and the plan for a number of distinct elements, at least 1, and a false-positive
   * probability in (0, 1). Returns this builder.
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
   * Sets the size directly. The filter has no {@link BitFilter#plan() plan}, unless {@link #plan}
   * sets one afterwards. With a shape of {@link io.bloomkit.BlockedShape#ofCounters}, a {@link
   * BlockedBloomFilter} answers as a blocked counting filter of that shape. Returns this builder.
   *
   * @throws IllegalArgumentException if the filter would be larger than one array (16 GiB)
   */
  public B shape(Z shape) {
    return options.setSize(format.requireArray(Objects.requireNonNull(shape, "shape")));
  }

  /**
   * Sets the plan. {@link #shape} removes it, so call this method afterwards. A filter that is read
   * has the plan of its file instead. Returns this builder.
   */
  public B plan(FilterPlan plan) {
    return options.setPlan(plan);
  }

  /** Makes insertions and queries thread-safe, as the filter describes. Returns this builder. */
  public B concurrent() {
    return options.setConcurrent();
  }

  /**
   * Returns the number of bytes of the array of a filter of this size. Allocates nothing.
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

  /** A part of a filter made of others, of the size that was given. */
  final BitState<S, Z> stateOfSection(FilterReader reader, OptionalLong elementCount)
      throws IOException {
    Z size = options.requireSize();
    long[] words = format.readWords(reader, size, elementCount);
    return BitState.of(options, size, options.plan(), words, elementCount);
  }
}
