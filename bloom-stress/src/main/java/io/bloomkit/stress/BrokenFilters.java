package io.bloomkit.stress;

/** Incorrect concurrent filters, which the races must detect. */
final class BrokenFilters {

  private BrokenFilters() {}

  /** Adds by a separate read and write of a word. One of two additions may be lost. */
  static final class LosesAdditions extends CorrectFilter {
    @Override
    CorrectFilter newFilter() {
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
  static final class ChecksAfterwards extends CorrectFilter {
    @Override
    CorrectFilter newFilter() {
      return new ChecksAfterwards();
    }

    @Override
    public boolean add(long hash) {
      increment(lower(hash));
      increment(upper(hash));
      return count(hash) == 1;
    }
  }

  /** Removes without a lock, and restores the counters if it finds one at zero. */
  static final class DecrementsAndRollsBack extends CorrectFilter {
    @Override
    CorrectFilter newFilter() {
      return new DecrementsAndRollsBack();
    }

    @Override
    public boolean remove(long hash) {
      if (!decrementIfPositive(lower(hash))) {
        return false;
      }
      if (!decrementIfPositive(upper(hash))) {
        increment(lower(hash));
        return false;
      }
      return true;
    }

    private boolean decrementIfPositive(int position) {
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
  static final class ChecksThenDecrements extends CorrectFilter {
    @Override
    CorrectFilter newFilter() {
      return new ChecksThenDecrements();
    }

    @Override
    public boolean remove(long hash) {
      return checkAndDecrement(hash);
    }
  }

  /** Waits for the lock of a full counter and does not check again whether it is still full. */
  static final class DoesNotCheckAgain extends CorrectFilter {
    @Override
    CorrectFilter newFilter() {
      return new DoesNotCheckAgain();
    }

    @Override
    synchronized boolean incrementFull(int position) {
      overflow[position]++;
      return false;
    }
  }

  /** Does not validate its reads, although another thread may have moved elements. */
  static final class ReadsWithoutValidation extends CorrectGrowingFilter {
    @Override
    CorrectGrowingFilter newFilter() {
      return new ReadsWithoutValidation();
    }

    @Override
    boolean isValid(Table table, long stamp) {
      return true;
    }
  }

  /** Waits for the lock of a table and does not check whether the table was replaced. */
  static final class ChangesReplacedTables extends CorrectGrowingFilter {
    @Override
    CorrectGrowingFilter newFilter() {
      return new ChangesReplacedTables();
    }

    @Override
    Table locked(long hash) {
      Table table = tableOf(hash);
      table.lock.writeLock();
      return table;
    }
  }

  /** Merges a table with its neighbour without locking the neighbour. */
  static final class MergesWithoutTheOtherLock extends CorrectGrowingFilter {
    @Override
    CorrectGrowingFilter newFilter() {
      return new MergesWithoutTheOtherLock();
    }

    @Override
    boolean tryLock(Table other) {
      return true;
    }

    @Override
    void unlock(Table other) {}
  }
}
