package io.bloomkit.scalable.aging;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The shape of an aging filter, and the rule that ends its generations: by count or by time. */
final class GenerationClock {

  final AgingShape shape;

  /** The clock; null by count. */
  private final @Nullable InstantSource clock;

  /** The duration of a generation in milliseconds; 0 by count. */
  private final long millis;

  /**
   * Creates a rule.
   *
   * @param clock the clock, which is not used by count
   * @param millis the duration of a generation in milliseconds; 0 by count
   */
  GenerationClock(AgingShape shape, InstantSource clock, long millis) {
    this.shape = shape;
    this.clock = millis == 0 ? null : clock;
    this.millis = millis;
  }

  boolean isByCount() {
    return clock == null;
  }

  /** Returns the duration of a generation in milliseconds; 0 by count. */
  long millis() {
    return millis;
  }

  /** Returns the duration of a generation; empty by count. */
  Optional<Duration> duration() {
    return isByCount() ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
  }

  /** Returns the time of the clock in milliseconds; 0 by count. */
  long now() {
    return clock == null ? 0 : millisOf(clock);
  }

  /** Returns the time of a clock, or the nearest one that fits into a long. */
  private static long millisOf(InstantSource clock) {
    try {
      return clock.millis();
    } catch (ArithmeticException e) {
      return clock.instant().isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** Returns the number of oldest slices that an addition would clear now. A query skips them. */
  int passedOver(long startMillis) {
    return clock == null ? 0 : due(millisOf(clock), startMillis);
  }

  /**
   * Returns the number of generations that have ended since the start of a generation, up to the
   * number of slices; 0 by count.
   *
   * @param now the result of {@link #now()}
   */
  int due(long now, long startMillis) {
    if (now <= startMillis) {
      return 0; // a clock that was set back ends no generation
    }
    long elapsed = now - startMillis;
    if (elapsed >= 0 && elapsed < millis) {
      return 0;
    }
    // A negative value is an overflow, so the time is longer than any window.
    return elapsed < 0 ? shape.slices() : (int) Math.min(shape.slices(), elapsed / millis);
  }
}
