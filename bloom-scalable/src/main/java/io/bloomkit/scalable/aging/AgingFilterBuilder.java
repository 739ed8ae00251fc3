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

  private long generationMillis;
  private InstantSource clock = InstantSource.system();

  AgingFilterBuilder(HashStrategy<S> strategy) {
    this.options =
        new BuilderOptions<>(
            (AgingBloomFilter.Builder<S>) this, strategy, "rememberingLast(...) or shape(...)");
  }

  /** Sets a window of additions, and the plan; see {@link AgingShape#of(long, double)}. */
  public AgingBloomFilter.Builder<S> rememberingLast(long additions, double fpp) {
    return shape(AgingShape.of(additions, fpp)).plan(new FilterPlan(additions, fpp));
  }

  /** Sets a window of time, and the plan; see {@link AgingShape#of(Duration, long, double)}. */
  public AgingBloomFilter.Builder<S> rememberingLast(
      Duration window, long expectedAdditions, double fpp) {
    AgingShape size = AgingShape.of(window, expectedAdditions, fpp);
    return sized(size, size.generationMillis(AgingShape.millisOf(window, "window")))
        .plan(new FilterPlan(expectedAdditions, fpp));
  }

  /** Sets the shape of a filter by count. Removes the plan. */
  public AgingBloomFilter.Builder<S> shape(AgingShape shape) {
    return sized(shape, 0);
  }

  /**
   * Sets the shape of a filter by time, and the duration of a generation, which is rounded up to
   * milliseconds, from 1 to 2<sup>63</sup> − 1. Removes the plan.
   */
  public AgingBloomFilter.Builder<S> shape(AgingShape shape, Duration generation) {
    return sized(shape, AgingShape.millisOf(generation, "generation"));
  }

  private AgingBloomFilter.Builder<S> sized(AgingShape size, long millis) {
    generationMillis = millis;
    return options.setSize(size);
  }

  /** Sets the plan: the additions per window and the rate. Call this method after {@code shape}. */
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
    return AgingFile.read(reader, options, generationMillis, clock);
  }

  private <T extends S> AgingBloomFilter<T> filter(AgingSlices slices) {
    return new AgingBloomFilter<>(options.strategy(), options.plan(), slices);
  }

  private GenerationClock generations() {
    return new GenerationClock(options.requireSize(), clock, generationMillis);
  }
}
