package io.bloomkit.stress;

import io.bloomkit.FlatShape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The simplest filter that satisfies the contract of a concurrent filter. It has four 4-bit
 * counters in one word, two counters per element, and a separate array for the overflow. Each of
 * the {@link BrokenFilters} breaks one of its methods.
 */
class CorrectFilter implements RacedDeletableFilter {

  private static final int POSITIONS = 4;
  private static final FlatShape SHAPE = new FlatShape(POSITIONS, 2);
  static final int FULL = 15;

  final AtomicLong word = new AtomicLong();
  final long[] overflow = new long[POSITIONS];

  /** Returns a new filter of the same kind. */
  CorrectFilter newFilter() {
    return new CorrectFilter();
  }

  /** Returns the lower position of an element, which the {@link Elements} share. */
  static int lower(long hash) {
    return Math.min(first(hash), second(hash));
  }

  static int upper(long hash) {
    return Math.max(first(hash), second(hash));
  }

  private static int first(long hash) {
    return (int) SHAPE.positionOf(hash, 0);
  }

  private static int second(long hash) {
    return (int) SHAPE.positionOf(hash, 1);
  }

  static int fourBits(long word, int position) {
    return (int) (word >>> 4 * position) & FULL;
  }

  static long one(int position) {
    return 1L << 4 * position;
  }

  /** Increments a counter and returns whether it was zero. */
  boolean increment(int position) {
    while (true) {
      long before = word.get();
      int fourBits = fourBits(before, position);
      if (fourBits == FULL) {
        return incrementFull(position);
      }
      if (word.compareAndSet(before, before + one(position))) {
        return fourBits == 0;
      }
    }
  }

  synchronized boolean incrementFull(int position) {
    while (true) {
      long before = word.get();
      int fourBits = fourBits(before, position);
      if (fourBits == FULL) {
        overflow[position]++;
        return false;
      }
      if (word.compareAndSet(before, before + one(position))) {
        return fourBits == 0;
      }
    }
  }

  final void decrement(int position) {
    if (fourBits(word.get(), position) == FULL && overflow[position] > 0) {
      overflow[position]--;
    } else {
      word.getAndAdd(-one(position));
    }
  }

  @Override
  public boolean add(long hash) {
    boolean lowerWasZero = increment(lower(hash));
    return increment(upper(hash)) || lowerWasZero;
  }

  @Override
  public boolean remove(long hash) {
    synchronized (this) {
      return checkAndDecrement(hash);
    }
  }

  final boolean checkAndDecrement(long hash) {
    if (!mightContain(hash)) {
      return false;
    }
    decrement(lower(hash));
    decrement(upper(hash));
    return true;
  }

  @Override
  public final boolean mightContain(long hash) {
    long now = word.get();
    return fourBits(now, lower(hash)) != 0 && fourBits(now, upper(hash)) != 0;
  }

  @Override
  public final synchronized long count(long hash) {
    long now = word.get();
    int lower = lower(hash);
    int upper = upper(hash);
    return Math.min(fourBits(now, lower) + overflow[lower], fourBits(now, upper) + overflow[upper]);
  }

  @Override
  public final RacedDeletableFilter copy() {
    CorrectFilter copy = newFilter();
    copy.word.set(word.get());
    System.arraycopy(overflow, 0, copy.overflow, 0, POSITIONS);
    return copy;
  }

  @Override
  public final long bytes() {
    return Long.BYTES * (1L + POSITIONS);
  }

  @Override
  public final boolean hasSameContents(RacedFilter other) {
    return other instanceof CorrectFilter that
        && word.get() == that.word.get()
        && Arrays.equals(overflow, that.overflow);
  }

  @Override
  public final long positions() {
    return POSITIONS;
  }

  @Override
  public final int hashes() {
    return 2;
  }

  @Override
  public final BitSet occupied() {
    BitSet occupied = new BitSet();
    for (int i = 0; i < POSITIONS; i++) {
      occupied.set(i, fourBits(word.get(), i) != 0);
    }
    return occupied;
  }
}
