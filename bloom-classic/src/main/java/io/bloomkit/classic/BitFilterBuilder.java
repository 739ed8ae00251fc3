package io.bloomkit.classic;

import io.bloomkit.FilterPlan;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.builder.SizedBuilder;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** The options of both builders, and the checked states of which they make filters. */
abstract sealed class BitFilterBuilder<S, Z extends Record, B extends BitFilterBuilder<S, Z, B>>
    extends SizedBuilder<S, Z, B> permits ClassicBloomFilter.Builder, BlockedBloomFilter.Builder {

  private final BitFormat<Z> format;

  BitFilterBuilder(HashStrategy<S> strategy, BitFormat<Z> format) {
    super(strategy, "expecting(insertions, fpp) or shape(...)");
    this.format = format;
  }

  /**
   * Sizes the filter for a number of distinct elements, at least 1, and a false-positive
   * probability in (0, 1). Returns this builder.
   *
   * @throws IllegalArgumentException if an argument is out of range, or the size above one array
   */
  public B expecting(long expectedInsertions, double fpp) {
    return shape(format.sizeFor(expectedInsertions, fpp))
        .plan(new FilterPlan(expectedInsertions, fpp));
  }

  /**
   * Sets the size directly. A shape of {@link io.bloomkit.BlockedShape#ofCounters} makes a blocked
   * filter that answers as a blocked counting one. The filter has no {@link BitFilter#plan() plan},
   * unless one is set afterwards. Returns this builder.
   *
   * @throws IllegalArgumentException if the filter would be larger than one array
   */
  public B shape(Z shape) {
    return sized(format.requireArray(Objects.requireNonNull(shape, "shape")));
  }

  /** Sets the plan of a filter of the given shape. Returns this builder. */
  public B plan(FilterPlan plan) {
    return planned(plan);
  }

  /** Makes insertions and queries thread-safe, as the filter describes. Returns this builder. */
  public B concurrent() {
    return makeConcurrent();
  }

  /**
   * Returns the number of bytes of the array of a filter that {@code build} returns. Allocates
   * nothing.
   *
   * @throws IllegalStateException if no size was given
   */
  public long memoryBytes() {
    return (format.padding() + format.wordCount(requireSize())) * Long.BYTES;
  }

  final BitState<S, Z> empty() {
    Z size = requireSize();
    return state(size, planned(), format.array(size), OptionalLong.of(0));
  }

  final BitState<S, Z> of(long[] words, OptionalLong elementCount) {
    if (elementCount.isPresent() && elementCount.getAsLong() < 0) {
      throw new IllegalArgumentException(
          "elementCount must be at least 0 but is " + elementCount.getAsLong());
    }
    Z size = requireSize();
    return state(size, planned(), format.arrayOf(size, words), elementCount);
  }

  final BitState<S, Z> stateIn(FilterReader reader) throws IOException {
    Z size = requireSame(reader, format.readSize(reader, strategyIdentity, format.mostPositions()));
    return stateIn(reader, size, reader.plan(), reader.elementCount());
  }

  /** A part of a filter made of others, of the size that was given. */
  final BitState<S, Z> stateOfSection(FilterReader reader, OptionalLong elementCount)
      throws IOException {
    return stateIn(reader, requireSize(), planned(), elementCount);
  }

  private BitState<S, Z> stateIn(
      FilterReader reader, Z size, Optional<FilterPlan> readPlan, OptionalLong elementCount)
      throws IOException {
    return state(size, readPlan, format.readWords(reader, size, elementCount), elementCount);
  }

  private BitState<S, Z> state(
      Z size, Optional<FilterPlan> made, long[] words, OptionalLong elementCount) {
    return new BitState<>(
        strategy, strategyIdentity, size, made, isConcurrent(), words, elementCount);
  }
}
