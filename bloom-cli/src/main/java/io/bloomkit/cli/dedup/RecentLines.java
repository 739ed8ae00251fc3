package io.bloomkit.cli.dedup;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.scalable.aging.AgingBloomFilter;
import java.time.Duration;
import java.time.InstantSource;

/** The lines of a window; what is older is forgotten. */
final class RecentLines implements SeenLines {

  private final BytesHashStrategy strategy;
  private final AgingBloomFilter<byte[]> filter;

  /** Summed up as they come: the filter does not keep what it once was. */
  private double wronglyDropped;

  private double highestFpp;

  private RecentLines(BytesHashStrategy strategy, AgingBloomFilter<byte[]> filter) {
    this.strategy = strategy;
    this.filter = filter;
  }

  /**
   * Remembers a number of lines.
   *
   * @throws IllegalArgumentException if there is no such filter
   */
  static RecentLines last(BytesHashStrategy strategy, long lines, double fpp) {
    return new RecentLines(strategy, AgingBloomFilter.create(strategy, lines, fpp));
  }

  /**
   * Remembers the lines of a stretch of time.
   *
   * @param expected how many lines such a stretch has; with more the rate rises
   * @throws IllegalArgumentException if there is no such filter
   */
  static RecentLines last(
      BytesHashStrategy strategy, Duration window, long expected, double fpp, InstantSource clock) {
    return new RecentLines(
        strategy,
        AgingBloomFilter.builder(strategy)
            .rememberingLast(window, expected, fpp)
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
