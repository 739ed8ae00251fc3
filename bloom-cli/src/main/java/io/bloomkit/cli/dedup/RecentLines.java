package io.bloomkit.cli.dedup;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.scalable.aging.AgingBloomFilter;
import java.time.Duration;
import java.time.InstantSource;

/** Remembers the lines of a window in an aging filter. */
final class RecentLines implements SeenLines {

  private final BytesHashStrategy strategy;
  private final AgingBloomFilter<byte[]> filter;

  /**
   * The expected number of wrongly dropped lines, summed during the run because the rate of the
   * filter changes.
   */
  private double wronglyDropped;

  private double highestFpp;

  private RecentLines(BytesHashStrategy strategy, AgingBloomFilter<byte[]> filter) {
    this.strategy = strategy;
    this.filter = filter;
  }

  /**
   * Remembers a number of most recent lines.
   *
   * @throws IllegalArgumentException if the number or the rate is not supported
   */
  static RecentLines last(BytesHashStrategy strategy, long lines, double fpp) {
    return new RecentLines(strategy, AgingBloomFilter.create(strategy, lines, fpp));
  }

  /**
   * Remembers the lines of a duration.
   *
   * @param expected the expected number of lines in that duration; with more lines, the
   *     false-positive rate exceeds {@code fpp}
   * @throws IllegalArgumentException if the duration, the number or the rate is not supported
   */
  static RecentLines last(
      BytesHashStrategy strategy, Duration window, long expected, double fpp, InstantSource clock) {
    return new RecentLines(
        strategy,
        AgingBloomFilter.builder(strategy)
            .expecting(expected, fpp)
            .window(window)
            .clock(clock)
            .build());
  }

  @Override
  public BytesHashStrategy strategy() {
    return strategy;
  }

  @Override
  public boolean isFirst(long hash) {
    return filter.addHash(hash);
  }

  @Override
  public void wereNew(long lines) {
    double rate = filter.expectedFpp();
    highestFpp = Math.max(highestFpp, rate);
    wronglyDropped += lines * rate / (1 - rate);
  }

  @Override
  public double expectedFpp() {
    return filter.expectedFpp();
  }

  @Override
  public double highestFpp() {
    return Math.max(highestFpp, filter.expectedFpp());
  }

  @Override
  public double expectedWronglyDropped() {
    return wronglyDropped;
  }

  @Override
  public long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  public String description() {
    return "an aging filter";
  }
}
