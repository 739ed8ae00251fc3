package io.bloomkit.scalable.aging;

import io.bloomkit.scalable.aging.AgingBloomFilter.Cycle;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** When a generation of an aging filter ends: by the count of its additions, or by a clock. */
final class Generations {

  /** So large that no filter counts beyond what a long holds, whatever it was restored from. */
  static final long MAX_COUNT = 1L << 62;

  private final int slices;
  private final long mostAdditions;

  /** The clock; null by count. */
  private final @Nullable InstantSource clock;

  /** The length of a generation; 0 by count. */
  private final long millis;

  private long generation;
  private long additions;
  private long startMillis;

  /**
   * Goes on from a moment.
   *
   * @param millis the length of a generation; 0 by count, then the clock is not used
   */
  Generations(AgingShape shape, @Nullable InstantSource clock, long millis, Cycle cycle) {
    this.slices = shape.slices();
    this.mostAdditions = shape.generationAdditions();
    this.clock = millis == 0 ? null : clock;
    this.millis = millis;
    this.generation = cycle.generation();
    this.additions = cycle.additions();
    this.startMillis = cycle.startMillis();
  }

  static void requireCount(long value, String name) {
    if (value < 0 || value > MAX_COUNT) {
      throw new IllegalArgumentException(
          name + " must lie in [0, " + MAX_COUNT + "] but is " + value);
    }
  }

  /** Returns the clock; null by count. */
  @Nullable InstantSource clock() {
    return clock;
  }

  boolean isByCount() {
    return clock == null;
  }

  /** Returns the length of a generation; 0 by count. */
  long millis() {
    return millis;
  }

  Cycle cycle() {
    return new Cycle(generation, additions, startMillis);
  }

  /** Returns the time of the clock; 0 by count. */
  long now() {
    return clock == null ? 0 : clock.millis();
  }

  /** Returns the number of slices that an addition would clear now and a query passes over. */
  int passedOver() {
    return clock == null ? 0 : due(clock.millis());
  }

  /**
   * Returns the number of generations that end before an addition, at most one for each slice. By
   * count a generation ends with the addition after its last, so its window is that of the moment
   * before.
   *
   * @param now {@link #now()}
   */
  int endedBeforeAddition(long now) {
    if (clock == null) {
      return additions < mostAdditions ? 0 : 1;
    }
    return due(now);
  }

  private int due(long now) {
    if (now <= startMillis) {
      return 0; // time that runs backwards stands still
    }
    long elapsed = now - startMillis;
    if (elapsed >= 0 && elapsed < millis) {
      return 0;
    }
    // Negative after an overflow: longer than any window.
    return elapsed < 0 ? slices : (int) Math.min(slices, elapsed / millis);
  }

  void countAddition() {
    additions++;
  }

  /** Ends a number of generations. */
  void end(int generations) {
    generation += generations;
    additions = 0;
    startMillis += generations * millis;
  }

  /** Begins with generation 0. */
  void restart(long now) {
    generation = 0;
    additions = 0;
    startMillis = now;
  }
}
