package io.bloomkit.counting;

import io.bloomkit.internal.WordArrays;
import io.bloomkit.internal.filter.ElementCount;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes snapshots of the counters of a concurrent filter in which each addition and removal is
 * whole or missing.
 *
 * <p>While the gate is closed, new updates wait. Removals look at the gate under their monitors, so
 * none is under way once these monitors were free. Additions look at it without a lock, so some may
 * still be under way. An addition is counted before it increments k counters. So a copy of the
 * counters is whole if the element count was the same before and after the copy, and the counters
 * in the copy sum up to k times the count: all increments in it belong to counted additions, and
 * none is missing. Otherwise, the copy is repeated.
 *
 * <p>Sums wrap around; {@link #uncounted} holds what the counters summed up to before counting
 * began, which differs from k times the count if the count of elements is unknown.
 */
final class SnapshotGate {

  /**
   * The time for additions under way to end before the first copy, in nanoseconds. Before each
   * further copy it is four times as long, up to {@link #MAX_PATIENCE}: on a busy machine, a thread
   * may have lost its processor within an addition.
   */
  private static final long PATIENCE = 50_000;

  private static final long MAX_PATIENCE = 250_000_000;

  /** The time for which the gate is open between two copies, in nanoseconds. */
  private static final long PAUSE = 1_000_000;

  /**
   * The time after which increments that are missing all along belong to no addition under way, in
   * nanoseconds: an error, such as a full stack, has interrupted one.
   */
  private static final long INTERRUPTED = 5_000_000_000L;

  /** Below this count, k times a count is no sum that was cut off. */
  private static final long EXACT_COUNTS = 1L << 56;

  /** A consistent copy of counters, and the element count that belongs to it. */
  record Snapshot(CounterArray counters, OptionalLong elementCount) {}

  private final CounterArray counters;
  private final ElementCount elements;
  private final int hashes;
  private final long firstCounter;
  private final Object[] removalLocks;
  private final ReentrantLock lock = new ReentrantLock();
  private long uncounted;
  private volatile boolean isClosed;

  /**
   * Creates an open gate. No update may be under way.
   *
   * @param hashes the number of increments of an addition
   * @param firstCounter the index of the first counter
   * @param removalLocks the monitors of removals
   */
  SnapshotGate(
      CounterArray counters,
      ElementCount elements,
      int hashes,
      long firstCounter,
      Object... removalLocks) {
    this.counters = counters;
    this.elements = elements;
    this.hashes = hashes;
    this.firstCounter = firstCounter;
    this.removalLocks = removalLocks;
    reset();
  }

  /** Takes the state of the counters as the beginning. No update may be under way. */
  void reset() {
    boolean isSumKnown = elements.get().isPresent() && elements.sum() < EXACT_COUNTS;
    uncounted = isSumKnown ? 0 : counters.sum() - hashes * elements.sum();
  }

  /** Returns whether updates must {@linkplain #await wait} before they begin. */
  boolean isClosed() {
    return isClosed;
  }

  /** Waits until the gate is open. */
  void await() {
    lock.lock();
    try {
      return; // no snapshot is being taken now
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes increments of an addition that was interrupted as such of another element: the filter may
   * have more false positives, but no false negatives. A file needs a sum that is a multiple of k.
   */
  private void acceptInterrupted(long missing) {
    long rest = Math.floorMod(missing, hashes);
    for (long i = 0; i < rest; i++) {
      counters.incrementShared(firstCounter);
    }
    uncounted += rest - missing;
  }

  /** Returns a snapshot. Every update that happened before the call is in it. */
  Snapshot take() {
    long[] copied = WordArrays.allocate(counters.words.length); // takes longer than a copy
    long difference = 0;
    long since = System.nanoTime();
    long patience = PATIENCE;
    while (true) {
      lock.lock();
      try {
        isClosed = true;
        for (Object monitor : removalLocks) {
          synchronized (monitor) {
            // The removals that did not see the closed gate have ended.
          }
        }
        LockSupport.parkNanos(patience);
        long before = elements.sum();
        CounterArray.Copy copy = counters.copyShared(copied);
        long missing = hashes * before + uncounted - copy.sum();
        boolean isQuiet = elements.sum() == before;
        if (isQuiet && missing == 0) {
          OptionalLong count =
              elements.get().isPresent() ? OptionalLong.of(before) : OptionalLong.empty();
          return new Snapshot(copy.counters(), count);
        }
        if (!isQuiet || missing != difference) {
          difference = missing;
          since = System.nanoTime();
        } else if (System.nanoTime() - since > INTERRUPTED) {
          acceptInterrupted(missing);
        }
      } finally {
        isClosed = false;
        lock.unlock();
      }
      LockSupport.parkNanos(PAUSE);
      patience = Math.min(4 * patience, MAX_PATIENCE);
    }
  }
}
