package io.bloomkit.cuckoo;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The present epoch of an {@link ExpiringCuckooFilter}, a number that never falls except by {@link
 * #restart}. Thread-safe; {@link #join} and {@link #restart} must not run concurrently with other
 * methods.
 */
abstract sealed class EpochClock permits TimeClock, InsertionClock {

  /** Times and numbers of insertions are limited to this, so sums of them do not overflow. */
  static final long MAX = 1L << 61;

  /** The result of {@link #beginAdditions} if the additions may be in several epochs. */
  static final long SEVERAL = Long.MIN_VALUE;

  /** The length of an epoch, in milliseconds or insertions. */
  final long epochLength;

  final AtomicLong latest;

  EpochClock(long epochLength, long epoch) {
    this.epochLength = epochLength;
    this.latest = new AtomicLong(epoch);
  }

  abstract long now();

  /**
   * Counts an addition if this clock counts them.
   *
   * @param now an earlier result of {@link #now}
   * @return the epoch of the addition: {@code now}, or the present one before it was counted
   */
  abstract long beginAddition(long now);

  /**
   * Counts additions if this clock counts them, unless another epoch may begin meanwhile.
   *
   * @param now an earlier result of {@link #now}
   * @return the epoch of all of them, or {@link #SEVERAL}; nothing was counted then
   */
  abstract long beginAdditions(long now, int additions);

  /** Returns the latest epoch that was seen, without reading a clock. */
  final long latest() {
    return latest.get();
  }

  /**
   * Returns the present epoch if a clock says that it is a given one. A number of insertions needs
   * no clock, and ignores it.
   */
  abstract long presentAt(long epoch);

  /** Makes an epoch the present one, unless that is later. Returns the present epoch. */
  final long advanceTo(long epoch) {
    return latest.accumulateAndGet(epoch, Math::max);
  }

  /** Returns the milliseconds or insertions that are left until an epoch begins, at least 0. */
  abstract long until(long epoch);

  /** Returns what a file must know to go on: the latest epoch, or the number of insertions. */
  abstract long position();

  /** Returns an independent clock at the latest epoch of this one. */
  abstract EpochClock copy();

  /**
   * Makes this the clock of two merged filters.
   *
   * @param isEmpty whether the filter of this clock has no entries
   * @param isOtherEmpty whether the filter of the other clock has none
   * @return the difference between an epoch of this clock and the same epoch of the other one
   */
  abstract long join(EpochClock other, boolean isEmpty, boolean isOtherEmpty);

  /** Returns whether contents at this clock's position can equal those at another one's. */
  abstract boolean isComparableTo(EpochClock other);

  /** Sets this clock to the position of a new one. */
  abstract void restart();
}
