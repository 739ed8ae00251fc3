package io.bloomkit.stress;

import java.util.concurrent.atomic.AtomicLong;

/** The ways to end a generation wrong that the races must find. */
final class BrokenAgingFilters {

  private BrokenAgingFilters() {}

  /** Two threads that find a generation over may make the next one each: one is lost. */
  static final class EndsWithoutALock extends SoundAgingFilter {
    @Override
    void end(Generation over) {
      if (current == over) {
        current = over.next(new AtomicLong());
      }
    }
  }

  /** Waits for the lock and does not look whether the generation is still the one. */
  static final class DoesNotLookAgain extends SoundAgingFilter {
    @Override
    synchronized void end(Generation over) {
      current = current.next(new AtomicLong());
    }
  }

  /** Uses the oldest slice again, and clears it when others may have set bits in it. */
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

  /** Looks whether there is room and then joins: two may find the same room. */
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

  /** Takes the number of the generation and its slices at two moments. */
  static final class LooksTwice extends SoundAgingFilter {
    @Override
    public boolean mightContain(long hash) {
      int number = current.number;
      return contains(new Generation(number, current.slices), hash, 0);
    }
  }
}
