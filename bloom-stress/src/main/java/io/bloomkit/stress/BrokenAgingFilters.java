package io.bloomkit.stress;

import java.util.concurrent.atomic.AtomicLong;

/** Filters that end a generation incorrectly, which the races must detect. */
final class BrokenAgingFilters {

  private BrokenAgingFilters() {}

  /**
   * Ends a generation without a lock. Two threads may each create the next generation, and one of
   * the two is lost.
   */
  static final class EndsWithoutALock extends SoundAgingFilter {
    @Override
    void end(Generation over) {
      if (current == over) {
        current = over.next(new AtomicLong());
      }
    }
  }

  /**
   * Waits for the lock and does not check again whether the generation is still the current one.
   */
  static final class DoesNotLookAgain extends SoundAgingFilter {
    @Override
    synchronized void end(Generation over) {
      current = current.next(new AtomicLong());
    }
  }

  /** Reuses the oldest slice, and clears it when other threads may already have set bits in it. */
  static final class ClearsTooLate extends SoundAgingFilter {
    @Override
    synchronized void end(Generation over) {
      if (current == over) {
        Generation next = over.next(over.oldest());
        current = next;
        next.slices[0].set(0);
      }
    }
  }

  /** Checks for room and then joins, not atomically: two threads may take the same place. */
  static final class LooksThenJoins extends SoundAgingFilter {
    @Override
    boolean join(Generation generation) {
      int before = generation.additions.get();
      if (before >= Generations.ADDITIONS_OF_EACH) {
        return false;
      }
      generation.additions.set(before + 1);
      return true;
    }
  }

  /** Reads the number of the generation and its slices separately, not atomically. */
  static final class LooksTwice extends SoundAgingFilter {
    @Override
    public boolean mightContain(long hash) {
      int number = current.number;
      return contains(new Generation(number, current.slices), hash, 0);
    }
  }
}
