package io.bloomkit.cuckoo;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Epochs of time: the number of the present one is ⌊milliseconds since 1970 / epoch length⌋. It
 * never goes back, whatever the clock does.
 *
 * <p>Thread-safe if the clock is.
 */
final class TimeClock extends EpochClock {

  final InstantSource source;

  /** Creates a clock that starts with the present epoch of a source. */
  TimeClock(InstantSource source, long epochMillis) {
    this(source, epochMillis, Math.floorDiv(millisOf(source), epochMillis));
  }

  /** Creates a clock that starts with a given epoch. */
  TimeClock(InstantSource source, long epochMillis, long epoch) {
    super(epochMillis, epoch);
    this.source = source;
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
      return instant.isBefore(Instant.EPOCH) ? -MAX : MAX;
    }
  }

  private static long clamped(long millis) {
    return Math.max(-MAX, Math.min(MAX, millis));
  }

  /** Reads the clock and returns the present epoch. */
  @Override
  long now() {
    return epochAt(millisOf(source));
  }

  @Override
  long presentAt(long epoch) {
    advanceTo(epoch);
    return epoch; // queries may have advanced the clock, but the update is not theirs
  }

  @Override
  long beginAddition(long now) {
    return now;
  }

  @Override
  long beginAdditions(long now, int additions) {
    return now;
  }

  private long epochAt(long millis) {
    long epoch = latest();
    // Mostly true, and a multiplication is faster than a division.
    return millis < (epoch + 1) * epochLength
        ? epoch
        : advanceTo(Math.floorDiv(millis, epochLength));
  }

  /** Makes the epoch of an instant the present one, unless that is later. */
  void advanceTo(Instant instant) {
    epochAt(millisOf(instant));
  }

  @Override
  long until(long epoch) {
    long millis = millisOf(source);
    long present = epochAt(millis);
    return Math.max(0, epoch * epochLength - Math.max(millis, present * epochLength));
  }

  @Override
  long position() {
    return latest();
  }

  @Override
  TimeClock copy() {
    return new TimeClock(source, epochLength, latest());
  }

  /** Takes the later time. Epochs of equal length are the same everywhere. */
  @Override
  long join(EpochClock other, boolean isEmpty, boolean isOtherEmpty) {
    advanceTo(other.latest());
    return 0;
  }

  @Override
  boolean isComparableTo(EpochClock other) {
    return true;
  }

  /** Makes the epoch of the clock the present one, also if it is earlier. */
  @Override
  void restart() {
    latest.set(Math.floorDiv(millisOf(source), epochLength));
  }
}
