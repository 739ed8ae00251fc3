package io.bloomkit.counting;

import io.bloomkit.internal.IndexDerivation;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The simplest filter that keeps the promise of a concurrent one: four bits an atomic integer, what
 * exceeds them in an array of its own. {@link BrokenRacingFilters} break one of its methods each.
 */
class AtomicCountersFilter implements RacingFilter {

  static final int FULL = 15;

  final AtomicIntegerArray fourBits = new AtomicIntegerArray(POSITIONS);
  final int[] overflow = new int[POSITIONS];

  /** Holds X of {@link CountingRaces} once and Y so often that counter 1 has a value. */
  final AtomicCountersFilter filledTo(int value) {
    fourBits.set(0, 1);
    fourBits.set(1, Math.min(FULL, value));
    fourBits.set(2, Math.min(FULL, value - 1));
    overflow[1] = Math.max(0, value - FULL);
    overflow[2] = Math.max(0, value - 1 - FULL);
    return this;
  }

  static int first(long hash) {
    return (int) IndexDerivation.position(IndexDerivation.start(hash), POSITIONS);
  }

  static int second(long hash) {
    long state = IndexDerivation.next(IndexDerivation.start(hash));
    return (int) IndexDerivation.position(state, POSITIONS);
  }

  /** Adds one and returns whether the counter was zero. */
  boolean increment(int position) {
    while (true) {
      int before = fourBits.get(position);
      if (before == FULL) {
        return incrementFull(position);
      }
      if (fourBits.compareAndSet(position, before, before + 1)) {
        return before == 0;
      }
    }
  }

  synchronized boolean incrementFull(int position) {
    while (true) {
      int before = fourBits.get(position);
      if (before == FULL) {
        overflow[position]++;
        return false;
      }
      if (fourBits.compareAndSet(position, before, before + 1)) {
        return before == 0;
      }
    }
  }

  synchronized void decrement(int position) {
    if (fourBits.get(position) == FULL && overflow[position] > 0) {
      overflow[position]--;
    } else {
      fourBits.getAndDecrement(position);
    }
  }

  @Override
  public boolean add(long hash) {
    boolean firstWasZero = increment(first(hash));
    return increment(second(hash)) || firstWasZero;
  }

  @Override
  public boolean remove(long hash) {
    synchronized (this) {
      return lookAndTake(hash);
    }
  }

  boolean lookAndTake(long hash) {
    if (!mightContain(hash) || (first(hash) == second(hash) && counter(first(hash)) < 2)) {
      return false;
    }
    decrement(first(hash));
    decrement(second(hash));
    return true;
  }

  @Override
  public boolean mightContain(long hash) {
    return fourBits.get(first(hash)) != 0 && fourBits.get(second(hash)) != 0;
  }

  @Override
  public long count(long hash) {
    return Math.min(counter(first(hash)), counter(second(hash)));
  }

  @Override
  public synchronized long counter(int position) {
    return (long) fourBits.get(position) + overflow[position];
  }

  @Override
  public void checkFigures(long elements, long nonZeroCounters) {}
}
