package io.bloomkit.cuckoo;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Epochs of insertions: after i insertions, the present epoch is ⌊i / epoch length⌋. So an addition
 * is in the epoch in which a query just before it would be.
 *
 * <p>Far from the end of an epoch, each thread counts in one of several stripes, which are added up
 * when one is full. So few additions wait for others. Near the end, which the insertions in all
 * stripes could reach, the additions are counted one by one under a lock. So the present epoch is
 * exact: it is that of all insertions that {@link #beginAddition} has counted.
 */
final class InsertionClock extends EpochClock {

  /** The number of insertions in a full stripe. */
  private static final int BATCH = 64;

  private static final int STRIPES =
      Math.min(16, Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors()));

  /** In shorter epochs than this many times the capacity of all stripes, there are no stripes. */
  private static final int MIN_EPOCH = 8;

  /** Stripes are this many longs apart, so threads do not share cache lines. */
  private static final int PADDING = 16;

  private final int stripes;
  private final int batch;
  private final AtomicLongArray striped;

  /** Whether additions count under the lock. */
  private volatile boolean isNearEnd;

  /** The number of insertions without those in stripes. Guarded by this object. */
  private long counted;

  /** Creates a clock that starts with a number of insertions. */
  InsertionClock(long epochLength, long insertions) {
    this(
        epochLength,
        insertions,
        epochLength < (long) MIN_EPOCH * STRIPES * BATCH ? 0 : STRIPES,
        BATCH);
  }

  /**
   * Creates a clock.
   *
   * @param stripes 0 or a power of two
   * @param batch the number of insertions in a full stripe
   */
  InsertionClock(long epochLength, long insertions, int stripes, int batch) {
    super(epochLength, insertions / epochLength);
    this.stripes = stripes;
    this.batch = batch;
    this.striped = new AtomicLongArray(stripes * PADDING);
    this.counted = insertions;
    this.isNearEnd = isNear();
  }

  @Override
  long now() {
    return latest();
  }

  @Override
  long presentAt(long epoch) {
    return latest();
  }

  @Override
  long beginAddition(long now) {
    if (isNearEnd) {
      return count(1);
    }
    int stripe = ((int) Thread.currentThread().getId() & (stripes - 1)) * PADDING;
    // Reads the flag again: the insertion may be too late to be added up with the stripes.
    return striped.incrementAndGet(stripe) < batch && !isNearEnd ? latest() : count(0);
  }

  /** Counts insertions and those in the stripes. Returns the epoch of the last one. */
  private synchronized long count(int insertions) {
    counted += insertions + takeStriped();
    if (!isNearEnd && isNear()) {
      isNearEnd = true;
      counted += takeStriped(); // the rest is counted by threads that read the flag
    }
    counted = Math.min(counted, MAX); // where only a forged file begins
    if (counted < end()) {
      return latest();
    }
    advanceTo(counted / epochLength);
    isNearEnd = isNear();
    return (counted - 1) / epochLength;
  }

  @Override
  synchronized long beginAdditions(long now, int additions) {
    count(0);
    long after = counted + additions;
    if (after >= end() - (isNearEnd ? 0 : nearness())) {
      return SEVERAL;
    }
    counted = after;
    return latest();
  }

  private long takeStriped() {
    long insertions = 0;
    for (int stripe = 0; stripe < striped.length(); stripe += PADDING) {
      insertions += striped.get(stripe) == 0 ? 0 : striped.getAndSet(stripe, 0);
    }
    return insertions;
  }

  /** Returns the number of insertions after which the next epoch begins. */
  private long end() {
    return (latest() + 1) * epochLength;
  }

  private boolean isNear() {
    return stripes == 0 || end() - counted <= nearness();
  }

  private long nearness() {
    // All stripes may fill twice before additions read the flag: when they have just been added up.
    return 2L * stripes * batch;
  }

  @Override
  synchronized long position() {
    count(0);
    return counted;
  }

  @Override
  long until(long epoch) {
    return Math.max(0, epoch * epochLength - position());
  }

  @Override
  InsertionClock copy() {
    return new InsertionClock(epochLength, position());
  }

  /**
   * A new clock takes the position of the other one. Otherwise, keeps the present epoch: that of
   * the other clock is the same one. If the other clock has counted fewer insertions of it, goes
   * back to as many, so nothing expires earlier in the merged filter.
   */
  @Override
  synchronized long join(EpochClock other, boolean isEmpty, boolean isOtherEmpty) {
    long others = other.position();
    if (position() == 0 && isEmpty) {
      counted = others;
      latest.set(other.latest());
    } else if (!isOtherEmpty) {
      long ofEpoch = counted - latest() * epochLength;
      counted -= Math.max(0, ofEpoch - (others - other.latest() * epochLength));
    }
    isNearEnd = isNear();
    return latest() - other.latest();
  }

  @Override
  boolean isComparableTo(EpochClock other) {
    return position() == other.position();
  }

  @Override
  synchronized void restart() {
    takeStriped();
    counted = 0;
    latest.set(0);
    isNearEnd = isNear();
  }
}
