package io.bloomkit.stress;

import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.LongStream;

/**
 * The simplest correct filter whose additions move stored elements. A hash is in one of two
 * buckets, and an addition moves other hashes to their other buckets. Some of the broken filters
 * break one of its methods.
 */
class SoundKickingFilter implements RacedDeletableFilter {

  private static final int SLOTS = 128;

  /** Makes changes of the buckets mutually exclusive, and lets queries detect a change. */
  private final StampedLock lock = new StampedLock();

  /** Two consecutive buckets; free slots are 0. */
  private final long[] slots = new long[2 * SLOTS];

  /** Returns a new filter of the same kind. */
  SoundKickingFilter newFilter() {
    return new SoundKickingFilter();
  }

  private int find(long hash, int from) {
    for (int i = from; i < from + SLOTS; i++) {
      if (slots[i] == hash) {
        return i;
      }
    }
    return -1;
  }

  private int find(long hash) {
    int found = find(hash, 0);
    return found >= 0 ? found : find(hash, SLOTS);
  }

  @Override
  public final boolean mightContain(long hash) {
    while (true) {
      long stamp = lock.tryOptimisticRead();
      boolean contains = find(hash) >= 0;
      if (isValid(stamp)) {
        return contains;
      }
      Thread.onSpinWait();
    }
  }

  boolean isValid(long stamp) {
    return lock.validate(stamp);
  }

  long begin() {
    return lock.writeLock();
  }

  void end(long stamp) {
    lock.unlockWrite(stamp);
  }

  @Override
  public final boolean add(long hash) {
    long stamp = begin();
    boolean isNew = find(hash) < 0;
    kick();
    slots[find(0)] = hash;
    end(stamp);
    return isNew;
  }

  /** Moves all hashes to their other bucket. */
  private void kick() {
    for (int i = 0; i < SLOTS; i++) {
      long kicked = slots[i];
      long other = slots[i + SLOTS];
      slots[i + SLOTS] = 0;
      slots[i] = other;
      slots[i + SLOTS] = kicked;
    }
  }

  @Override
  public final boolean remove(long hash) {
    long stamp = begin();
    int found = find(hash);
    if (found >= 0) {
      slots[found] = 0;
    }
    end(stamp);
    return found >= 0;
  }

  @Override
  public final long count(long hash) {
    long stamp = begin();
    long count = LongStream.of(slots).filter(held -> held == hash).count();
    end(stamp);
    return count;
  }

  @Override
  public final RacedDeletableFilter copy() {
    SoundKickingFilter copy = newFilter();
    System.arraycopy(slots, 0, copy.slots, 0, slots.length);
    return copy;
  }

  @Override
  public final boolean holdsTheSameAs(RacedFilter other) {
    return other instanceof SoundKickingFilter that
        && Arrays.equals(
            LongStream.of(slots).sorted().toArray(), LongStream.of(that.slots).sorted().toArray());
  }

  @Override
  public final long bytes() {
    return (long) Long.BYTES * slots.length;
  }

  @Override
  public final long positions() {
    return SoundGrowingFilter.POSITIONS;
  }

  @Override
  public final int hashes() {
    return SoundGrowingFilter.HASHES;
  }

  @Override
  public final BitSet taken() {
    BitSet taken = new BitSet();
    LongStream.of(slots)
        .filter(hash -> hash != 0)
        .forEach(hash -> SoundGrowingFilter.take(taken, hash));
    return taken;
  }

  /** Does not validate its reads, although another thread may have moved hashes. */
  static final class ReadsWithoutLookingAgain extends SoundKickingFilter {
    @Override
    SoundKickingFilter newFilter() {
      return new ReadsWithoutLookingAgain();
    }

    @Override
    boolean isValid(long stamp) {
      return true;
    }
  }

  /** Moves hashes without a lock, so that queries do not detect it and an addition may be lost. */
  static final class ChangesWithoutALock extends SoundKickingFilter {
    @Override
    SoundKickingFilter newFilter() {
      return new ChangesWithoutALock();
    }

    @Override
    long begin() {
      return 0;
    }

    @Override
    void end(long stamp) {}
  }
}
