package io.bloomkit.scalable.aging;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The shape of an aging filter, and when its generations end: by their additions, or a clock. */
final class Pace {

  final AgingShape shape;

  /** The clock; null by count. */
  private final @Nullable InstantSource clock;

  /** The length of a generation; 0 by count. */
  private final long millis;

  /**
   * Sets the pace.
   *
   * @param millis the length of a generation; 0 by count, then the clock is not used
   */
  Pace(AgingShape shape, InstantSource clock, long millis) {
    this.shape = shape;
    this.clock = millis == 0 ? null : clock;
    this.millis = millis;
  }

  boolean isByCount() {
    return clock == null;
  }

  /** Returns the length of a generation; 0 by count. */
  long millis() {
    return millis;
  }

  /** Returns the length of a generation; empty by count. */
  Optional<Duration> duration() {
    return isByCount() ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
  }

  /** Returns the time of the clock; 0 by count. */
  long now() {
    return clock == null ? 0 : clock.millis();
  }

  /** Returns the number of slices that an addition would clear now and a query passes over. */
  int passedOver(long startMillis) {
    return clock == null ? 0 : due(clock.millis(), startMillis);
  }

  /**
   * Returns the number of generations that have ended by time since the start of one, at most one
   * for each slice; by count 0.
   *
   * @param now {@link #now()}
   */
  int due(long now, long startMillis) {
    if (now <= startMillis) {
      return 0; // time that runs backwards stands still
    }
    long elapsed = now - startMillis;
    if (elapsed >= 0 && elapsed < millis) {
      return 0;
    }
    // Negative after an overflow: longer than any window.
    return elapsed < 0 ? shape.slices() : (int) Math.min(shape.slices(), elapsed / millis);
  }
}
