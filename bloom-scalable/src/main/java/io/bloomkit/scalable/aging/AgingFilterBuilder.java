package io.bloomkit.scalable.aging;

import io.bloomkit.FilterPlan;
import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterReader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.internal.builder.BuilderOptions;
import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/** Everything that {@link AgingBloomFilter.Builder} does. */
abstract sealed class AgingFilterBuilder<S> permits AgingBloomFilter.Builder {

  private final BuilderOptions<S, AgingShape, AgingBloomFilter.Builder<S>> options;

  private long generationMillis;
  private InstantSource clock = InstantSource.system();

  AgingFilterBuilder(HashStrategy<S> strategy) {
    this.options =
        new BuilderOptions<>(
            (AgingBloomFilter.Builder<S>) this, strategy, "rememberingLast(...) or shape(...)");
  }

  /** Sets a window of additions; sizes and throws as {@link AgingShape#of(long, double)}. */
  public AgingBloomFilter.Builder<S> rememberingLast(long additions, double fpp) {
    return shape(AgingShape.of(additions, fpp)).plan(new FilterPlan(additions, fpp));
  }

  /** Sets a window of time; sizes and throws as {@link AgingShape#of(Duration, long, double)}. */
  public AgingBloomFilter.Builder<S> rememberingLast(
      Duration window, long expectedAdditions, double fpp) {
    AgingShape size = AgingShape.of(window, expectedAdditions, fpp);
    return sized(size, size.generationMillis(AgingShape.millisOf(window, "window")))
        .plan(new FilterPlan(expectedAdditions, fpp));
  }

  /** Sets the shape of a filter by count. */
  public AgingBloomFilter.Builder<S> shape(AgingShape shape) {
    return sized(shape, 0);
  }

  /**
   * Sets the shape of a filter by time, and the length of its generations, rounded up to ms; throws
   * {@link IllegalArgumentException} unless it is in (0, 2<sup>63</sup>) ms.
   */
  public AgingBloomFilter.Builder<S> shape(AgingShape shape, Duration generation) {
    return sized(shape, AgingShape.millisOf(generation, "generation"));
  }

  private AgingBloomFilter.Builder<S> sized(AgingShape size, long millis) {
    generationMillis = millis;
    return options.setSize(size);
  }

  /** Sets the plan of a filter of the given shape: additions per window, and rate. */
  public AgingBloomFilter.Builder<S> plan(FilterPlan plan) {
    return options.setPlan(plan);
  }

  /** Sets the clock of a filter by time; {@link InstantSource#system()} by default. */
  public AgingBloomFilter.Builder<S> clock(InstantSource clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return (AgingBloomFilter.Builder<S>) this;
  }

  /** Makes additions and queries thread-safe if the clock is; see the class comment. */
  public AgingBloomFilter.Builder<S> concurrent() {
    return options.setConcurrent();
  }

  /** Returns the exact number of bytes of a filter, without making it. */
  public long memoryBytes() {
    return (long) AgingSlices.wordCount(pace().shape) * Long.BYTES;
  }

  /** Returns an empty filter; by time, its first generation begins now. */
  public <T extends S> AgingBloomFilter<T> build() {
    return filter(AgingSlices.empty(pace(), options.isConcurrent()));
  }

  /** Copies bits; throws {@link IllegalArgumentException} if no filter has them at that moment. */
  public <T extends S> AgingBloomFilter<T> buildFrom(long[] words, Cycle cycle) {
    return filter(AgingFile.slicesOf(pace(), options.isConcurrent(), words, cycle));
  }

  /**
   * Reads a filter and no byte beyond it; by time, it continues with the builder's clock.
   *
   * @throws FilterFormatException if damaged, truncated, or of another kind, strategy or size
   * @throws IOException if the stream fails
   */
  public <T extends S> AgingBloomFilter<T> readFrom(InputStream in) throws IOException {
    return FilterReader.readFrom(in, this::<T>read);
  }

  /** Reads a filter from a file that holds nothing else; see {@link #readFrom(InputStream)}. */
  public <T extends S> AgingBloomFilter<T> readFrom(Path file) throws IOException {
    return FilterReader.readFrom(file, this::<T>read);
  }

  /** Reads a filter from bytes that are nothing else; see {@link #readFrom(InputStream)}. */
  public <T extends S> AgingBloomFilter<T> fromBytes(byte[] bytes) throws FilterFormatException {
    return FilterReader.fromBytes(bytes, this::<T>read);
  }

  <T extends S> AgingBloomFilter<T> read(FilterReader reader) throws IOException {
    return AgingFile.read(reader, options, generationMillis, clock);
  }

  private <T extends S> AgingBloomFilter<T> filter(AgingSlices slices) {
    return new AgingBloomFilter<>(options.strategy(), options.plan(), slices);
  }

  private Pace pace() {
    return new Pace(options.requireSize(), clock, generationMillis);
  }
}
