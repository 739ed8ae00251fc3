package io.bloomkit.stress;

/** Incorrect concurrent filters, which the races must detect. */
final class BrokenFilters {

  private BrokenFilters() {}

  /** Adds by a separate read and write of a word. One of two additions may be lost. */
  static final class LosesAdditions extends SoundFilter {
    @Override
    SoundFilter newFilter() {
      return new LosesAdditions();
    }

    @Override
    boolean increment(int position) {
      long before = word.get();
      int fourBits = fourBits(before, position);
      if (fourBits == FULL) {
        return incrementFull(position);
      }
      word.set(before + one(position));
      return fourBits == 0;
    }
  }

  /**
   * Adds atomically but determines the result afterwards. Two first additions may both return
   * false.
   */
  static final class LooksAfterwards extends SoundFilter {
    @Override
    SoundFilter newFilter() {
      return new LooksAfterwards();
    }

    @Override
    public boolean add(long hash) {
      increment(lower(hash));
      increment(upper(hash));
      return count(hash) == 1;
    }
  }

  /** Removes without a lock, and restores the counters if it finds one at zero. */
  static final class TakesAndRollsBack extends SoundFilter {
    @Override
    SoundFilter newFilter() {
      return new TakesAndRollsBack();
    }

    @Override
    public boolean remove(long hash) {
      if (!take(lower(hash))) {
        return false;
      }
      if (!take(upper(hash))) {
        increment(lower(hash));
        return false;
      }
      return true;
    }

    private boolean take(int position) {
      while (true) {
        long before = word.get();
        if (fourBits(before, position) == 0) {
          return false;
        }
        if (word.compareAndSet(before, before - one(position))) {
          return true;
        }
      }
    }
  }

  /** Checks without a lock and then removes. Two removals may find the same occurrence. */
  static final class LooksThenTakes extends SoundFilter {
    @Override
    SoundFilter newFilter() {
      return new LooksThenTakes();
    }

    @Override
    public boolean remove(long hash) {
      return lookAndTake(hash);
    }
  }

  /** Waits for the lock of a full counter and does not check again whether it is still full. */
  static final class DoesNotLookAgain extends SoundFilter {
    @Override
    SoundFilter newFilter() {
      return new DoesNotLookAgain();
    }

    @Override
    synchronized boolean incrementFull(int position) {
      overflow[position]++;
      return false;
    }
  }

  /** Does not validate its reads, although another thread may have moved elements. */
  static final class ReadsWithoutLookingAgain extends SoundGrowingFilter {
    @Override
    SoundGrowingFilter newFilter() {
      return new ReadsWithoutLookingAgain();
    }

    @Override
    boolean isValid(Table table, long stamp) {
      return true;
    }
  }

  /** Waits for the lock of a table and does not check whether the table was replaced. */
  static final class ChangesWhatWasReplaced extends SoundGrowingFilter {
    @Override
    SoundGrowingFilter newFilter() {
      return new ChangesWhatWasReplaced();
    }

    @Override
    Table locked(long hash) {
      Table table = tableOf(hash);
      table.lock.writeLock();
      return table;
    }
  }

  /** Joins a table with its neighbour without locking the neighbour. */
  static final class JoinsWithoutTheOtherLock extends SoundGrowingFilter {
    @Override
    SoundGrowingFilter newFilter() {
      return new JoinsWithoutTheOtherLock();
    }

    @Override
    boolean tryLock(Table other) {
      return true;
    }

    @Override
    void unlock(Table other) {}
  }
}
