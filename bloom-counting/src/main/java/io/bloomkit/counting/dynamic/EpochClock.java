package io.bloomkit.counting.dynamic;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of an {@link ExpiringCuckooFilter}: the number of the present epoch, ⌊milliseconds since
 * 1970 / epoch length⌋. It never goes back, whatever the clock does.
 *
 * <p>Thread-safe if the clock is.
 */
final class EpochClock {

  /** Times are limited to this many milliseconds from 1970, so sums of them do not overflow. */
  static final long MOST_MILLIS = 1L << 61;

  final InstantSource source;
  final long epochMillis;
  private final AtomicLong latest;

  /** Creates a clock that starts with the present epoch of a source. */
  EpochClock(InstantSource source, long epochMillis) {
    this(source, epochMillis, Math.floorDiv(millisOf(source), epochMillis));
  }

  /** Creates a clock that starts with a given epoch. */
  EpochClock(InstantSource source, long epochMillis, long epoch) {
    this.source = source;
    this.epochMillis = epochMillis;
    this.latest = new AtomicLong(epoch);
  }

  /** Returns the time of a clock, or the nearest one that is not too far from 1970. */
  private static long millisOf(InstantSource clock) {
    try {
      return clamped(clock.millis());
    } catch (ArithmeticException e) {
      return millisOf(clock.instant());
    }
  }

  private static long millisOf(Instant instant) {
    try {
      return clamped(instant.toEpochMilli());
    } catch (ArithmeticException e) {
      return instant.isBefore(Instant.EPOCH) ? -MOST_MILLIS : MOST_MILLIS;
    }
  }

  private static long clamped(long millis) {
    return Math.max(-MOST_MILLIS, Math.min(MOST_MILLIS, millis));
  }

  /** Reads the clock and returns the present epoch. */
  long now() {
    return epochAt(millisOf(source));
  }

  private long epochAt(long millis) {
    long epoch = latest.get();
    // Mostly true, and a multiplication is faster than a division.
    return millis < (epoch + 1) * epochMillis
        ? epoch
        : advanceTo(Math.floorDiv(millis, epochMillis));
  }

  /** Returns the latest epoch that was seen, without reading the clock. */
  long latest() {
    return latest.get();
  }

  /** Makes an epoch the present one, unless that is later. Returns the present epoch. */
  long advanceTo(long epoch) {
    return latest.accumulateAndGet(epoch, Math::max);
  }

  /** Makes the epoch of an instant the present one, unless that is later. */
  long advanceTo(Instant instant) {
    return epochAt(millisOf(instant));
  }

  /** Makes the epoch of the clock the present one, also if it is earlier. */
  void restart() {
    latest.set(Math.floorDiv(millisOf(source), epochMillis));
  }

  /** Returns how many milliseconds are left until an epoch begins, at least 0. */
  long millisUntil(long epoch) {
    long millis = millisOf(source);
    long present = epochAt(millis);
    return Math.max(0, epoch * epochMillis - Math.max(millis, present * epochMillis));
  }
}
