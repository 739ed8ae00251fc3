package io.bloomkit.counting;

/** The ways to get a concurrent counting filter wrong that Lincheck must find. */
final class BrokenRacingFilters {

  private BrokenRacingFilters() {}

  /** Adds by reading and writing, not at once: of two additions one may be lost. */
  static final class LosesAdditions extends AtomicCountersFilter {
    @Override
    boolean increment(int position) {
      int before = fourBits.get(position);
      fourBits.set(position, before + 1);
      return before == 0;
    }
  }

  /** Adds at once but looks for the answer afterwards: two first additions may both miss it. */
  static final class LooksAfterwards extends AtomicCountersFilter {
    @Override
    boolean increment(int position) {
      super.increment(position);
      return fourBits.get(position) == 1;
    }
  }

  /** Removes without a lock, and restores what it took when it finds a counter at zero. */
  static final class TakesAndRollsBack extends AtomicCountersFilter {
    @Override
    public boolean remove(long hash) {
      if (!take(first(hash))) {
        return false;
      }
      if (!take(second(hash))) {
        increment(first(hash));
        return false;
      }
      return true;
    }

    private boolean take(int position) {
      while (true) {
        int before = fourBits.get(position);
        if (before == 0) {
          return false;
        }
        if (fourBits.compareAndSet(position, before, before - 1)) {
          return true;
        }
      }
    }
  }

  /** Looks without a lock and then takes: two removals may see the same occurrence. */
  static final class LooksThenTakes extends AtomicCountersFilter {
    @Override
    public boolean remove(long hash) {
      return lookAndTake(hash);
    }
  }

  /** Waits for the lock of a full counter and does not look whether it is still full. */
  static final class DoesNotLookAgain extends AtomicCountersFilter {
    @Override
    synchronized boolean incrementFull(int position) {
      overflow[position]++;
      return false;
    }

    @Override
    public synchronized long counter(int position) {
      int bits = fourBits.get(position);
      return bits < FULL ? bits : (long) bits + overflow[position];
    }
  }

  /** Takes twice from a counter that may hold but one. */
  static final class LooksForZerosOnly extends AtomicCountersFilter {
    @Override
    boolean lookAndTake(long hash) {
      if (!mightContain(hash)) {
        return false;
      }
      decrement(first(hash));
      decrement(second(hash));
      return true;
    }
  }
}
