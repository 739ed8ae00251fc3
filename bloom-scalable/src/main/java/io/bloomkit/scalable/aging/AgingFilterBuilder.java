package io.bloomkit.scalable.aging;

import io.bloomkit.FilterPlan;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.filter.BuilderOptions;
import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/** The implementation of {@link AgingBloomFilter.Builder}. */
abstract sealed class AgingFilterBuilder<S> permits AgingBloomFilter.Builder {

  private final BuilderOptions<S, AgingShape, AgingBloomFilter.Builder<S>> options;

  /** The arguments of {@link #expecting}; the number is 0 if it was not called. */
  private long expectedInsertions;

  private double fpp;

  /** The window in milliseconds; 0 by count. */
  private long windowMillis;

  /** The window in insertions, if it was set; 0 otherwise. */
  private long windowInsertions;

  private long generationMillis;
  private InstantSource clock = InstantSource.system();

  AgingFilterBuilder(HashStrategy<S> strategy) {
    this.options =
        new BuilderOptions<>(
            (AgingBloomFilter.Builder<S>) this,
            strategy,
            "expecting(insertions, fpp) or shape(...)");
  }

  /**
   * Sets the size and the plan for a number of insertions per window and a false-positive rate; see
   * {@link AgingShape#of(long, double)}. Without {@code window(...)}, the window is the last {@code
   * insertions} insertions.
   *
   * @throws IllegalStateException if the shape was set
   */
  public AgingBloomFilter.Builder<S> expecting(long insertions, double fpp) {
    return planned(true, insertions, fpp, windowMillis, windowInsertions);
  }

  /**
   * Makes the window a duration, rounded up to milliseconds; see {@link AgingShape#of(Duration,
   * long, double)}. Replaces another window. Requires {@link #expecting}, before or afterwards.
   *
   * @throws IllegalStateException if the shape was set
   */
  public AgingBloomFilter.Builder<S> window(Duration window) {
    return planned(
        expectedInsertions > 0, expectedInsertions, fpp, AgingShape.millisOf(window, "window"), 0);
  }

  /**
   * Makes the window the last {@code insertions} insertions, at least 1. Replaces another window.
   * Requires {@link #expecting}, before or afterwards, whose number may be smaller if elements
   * repeat: an insertion of an element that was already inserted in the present generation sets no
   * bit.
   *
   * @throws IllegalStateException if the shape was set
   */
  public AgingBloomFilter.Builder<S> window(long insertions) {
    if (insertions < 1) {
      throw new IllegalArgumentException("window must be at least 1, got " + insertions);
    }
    return planned(expectedInsertions > 0, expectedInsertions, fpp, 0, insertions);
  }

  /** Sets the size if {@link #expecting} was called, and then the arguments. */
  private AgingBloomFilter.Builder<S> planned(
      boolean isSized, long insertions, double rate, long millis, long lastInsertions) {
    options.requireNoShape("expecting(...) and window(...)");
    if (isSized) {
      AgingShape size =
          millis == 0
              ? AgingShape.of(insertions, rate)
              : AgingShape.of(Duration.ofMillis(millis), insertions, rate);
      options.setSize(
          lastInsertions == 0 ? size : size.withWindow(lastInsertions),
          new FilterPlan(insertions, rate));
      generationMillis = millis == 0 ? 0 : size.generationMillis(millis);
    }
    expectedInsertions = insertions;
    fpp = rate;
    windowMillis = millis;
    windowInsertions = lastInsertions;
    return (AgingBloomFilter.Builder<S>) this;
  }

  /**
   * Sets the shape of a filter by count. Keeps the plan.
   *
   * @throws IllegalStateException if {@link #expecting} or {@code window} was called
   */
  public AgingBloomFilter.Builder<S> shape(AgingShape shape) {
    return shaped(shape, 0);
  }

  /**
   * Sets the shape of a filter by time, and the duration of a generation, which is rounded up to
   * milliseconds, from 1 to 2<sup>63</sup> − 1. Keeps the plan.
   *
   * @throws IllegalStateException if {@link #expecting} or {@code window} was called
   */
  public AgingBloomFilter.Builder<S> shape(AgingShape shape, Duration generation) {
    return shaped(shape, AgingShape.millisOf(generation, "generation"));
  }

  private AgingBloomFilter.Builder<S> shaped(AgingShape shape, long millis) {
    if (hasWindow()) {
      throw new IllegalStateException(
          "window(...) needs expecting(insertions, fpp), not shape(...)");
    }
    options.setShape(shape);
    generationMillis = millis;
    return (AgingBloomFilter.Builder<S>) this;
  }

  private boolean hasWindow() {
    return windowMillis != 0 || windowInsertions != 0;
  }

  /**
   * Sets the plan of a filter whose {@code shape} is set: the insertions per window and the rate.
   *
   * @throws IllegalStateException if {@link #expecting} was called, which sets the plan
   */
  public AgingBloomFilter.Builder<S> plan(FilterPlan plan) {
    return options.setPlan(plan);
  }

  /** Sets the clock of a filter by time, {@link InstantSource#system()} by default. */
  public AgingBloomFilter.Builder<S> clock(InstantSource clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return (AgingBloomFilter.Builder<S>) this;
  }

  /** Makes the filter concurrent; see {@link AgingBloomFilter}. Requires a thread-safe clock. */
  public AgingBloomFilter.Builder<S> concurrent() {
    return options.setConcurrent();
  }

  /** Returns {@link AgingBloomFilter#memoryBytes} of a filter of this size. Allocates no filter. */
  public long memoryBytes() {
    return (long) AgingSlices.wordCount(generations().shape) * Long.BYTES;
  }

  /** Returns an empty filter. The first generation of a filter by time begins now. */
  public <T extends S> AgingBloomFilter<T> build() {
    return filter(AgingSlices.empty(generations(), options.isConcurrent()));
  }

  /** Returns a filter with a copy of given bits and a given cycle; see the package comment. */
  public <T extends S> AgingBloomFilter<T> buildFrom(long[] words, Cycle cycle) {
    return filter(AgingFile.slicesOf(generations(), options.isConcurrent(), words, cycle));
  }

  /**
   * Reads a filter from a stream; see {@link io.bloomkit.scalable.aging}. A filter by time
   * continues with the clock of this builder.
   *
   * @throws FilterFormatException if damaged, or a filter of another kind, strategy or size
   * @throws IOException if the stream fails
   */
  public <T extends S> AgingBloomFilter<T> readFrom(InputStream in) throws IOException {
    return FilterReader.readFrom(in, this::<T>read);
  }

  /** Reads a filter from a file with nothing else in it, like {@link #readFrom(InputStream)}. */
  public <T extends S> AgingBloomFilter<T> readFrom(Path file) throws IOException {
    return FilterReader.readFrom(file, this::<T>read);
  }

  /** Reads a filter from bytes that contain nothing else, like {@link #readFrom(InputStream)}. */
  public <T extends S> AgingBloomFilter<T> fromBytes(byte[] bytes) throws FilterFormatException {
    return FilterReader.fromBytes(bytes, this::<T>read);
  }

  <T extends S> AgingBloomFilter<T> read(FilterReader reader) throws IOException {
    if (hasWindow()) {
      options.requireSize();
    }
    return AgingFile.read(reader, options, generationMillis, clock);
  }

  private <T extends S> AgingBloomFilter<T> filter(AgingSlices slices) {
    return new AgingBloomFilter<>(options.strategy(), options.plan(), slices);
  }

  private GenerationClock generations() {
    return new GenerationClock(options.requireSize(), clock, generationMillis);
  }
}
