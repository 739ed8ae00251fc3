package io.bloomkit.testkit;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Faults of filters with removals, each with the checks that are to catch it; {@link
 * BrokenFiltersTest} runs them. They are no tests of their own.
 */
final class BrokenCountingFilters {

  private BrokenCountingFilters() {}

  abstract static class Counting implements FlatCountingFilterContract<Long> {
    @Override
    public Long element(long index) {
      return index;
    }
  }

  @CaughtBy({
    "anyHistoryKeepsWhatIsHeldAndForgetsTheRest",
    "aThousandCopiesAreCountedAndRemoved",
    "aFilterFarOverItsDesignLoadForgetsExactly",
    "aLongHistoryKeepsWhatIsHeldAndForgetsTheRest",
    "anyHistoryLeavesTheFilterOfWhatIsLeft",
    "aLongHistoryLeavesTheFilterOfWhatIsLeft",
    "aFilterFarOverItsDesignLoadLeavesTheFilterOfWhatIsLeft",
    "aThousandRemovedCopiesLeaveNoTrace"
  })
  static class CountersStickAt15 extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        void increment(int position) {
          counters[position] = Math.min(15, counters[position] + 1);
        }

        @Override
        void decrement(int position) {
          counters[position] -= counters[position] < 15 ? 1 : 0;
        }
      };
    }
  }

  @CaughtBy({"aFilterFarOverItsDesignLoadForgetsExactly", "aThousandCopiesAreCountedAndRemoved"})
  static class SaturatedCountersAreDecremented extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        void increment(int position) {
          counters[position] = Math.min(15, counters[position] + 1);
        }
      };
    }
  }

  @CaughtBy({"anyHistoryKeepsWhatIsHeldAndForgetsTheRest", "aThousandCopiesAreCountedAndRemoved"})
  static class CountersWrapAt16 extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        void increment(int position) {
          counters[position] = (counters[position] + 1) & 15;
        }

        @Override
        void decrement(int position) {
          counters[position] = (counters[position] - 1) & 15;
        }
      };
    }
  }

  @CaughtBy({"removeFromAnEmptyFilterIsRefused", "removalOfANegativeElementChangesNothing"})
  static class RemoveDoesNotLook extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public boolean removeHash(long hash) {
          for (int position : positions(hash)) {
            counters[position] = Math.max(0, counters[position] - 1);
          }
          return true;
        }
      };
    }
  }

  /** Knows what was added, and removes nothing else. */
  private static class CountersAndElements extends IntCountersFilter {
    final Set<Long> added = new LinkedHashSet<>();

    CountersAndElements(long n, double fpp) {
      super(n, fpp);
    }

    @Override
    public boolean addHash(long hash) {
      added.add(hash);
      return super.addHash(hash);
    }

    @Override
    public boolean removeHash(long hash) {
      return added.contains(hash) && super.removeHash(hash);
    }
  }

  @CaughtBy("removalOfAFalsePositiveTakesAnOccurrenceOrIsRefused")
  static class RefusesFalsePositives extends Counting {
    @Override
    public boolean removesEveryPositive() {
      return true;
    }

    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new CountersAndElements(n, fpp);
    }
  }

  @CaughtBy("removalOfAFalsePositiveTakesAnOccurrenceOrIsRefused")
  static class TakesNothingForAFalsePositive extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new CountersAndElements(n, fpp) {
        @Override
        public boolean removeHash(long hash) {
          return added.contains(hash) ? super.removeHash(hash) : mightContainHash(hash);
        }
      };
    }
  }

  @CaughtBy({
    "removalOfANegativeElementChangesNothing",
    "anyHistoryKeepsWhatIsHeldAndForgetsTheRest"
  })
  static class RefusedRemoveTakesWhatItCan extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public boolean removeHash(long hash) {
          boolean held = mightContainHash(hash);
          for (int position : positions(hash)) {
            counters[position] = Math.max(0, counters[position] - 1);
          }
          return held;
        }
      };
    }
  }

  @CaughtBy({
    "copiesAtOnceEqualCopiesOneByOne",
    "aMillionCopiesAreAddedAndRemovedAtOnce",
    "anyHistoryKeepsWhatIsHeldAndForgetsTheRest"
  })
  static class AddsOneCopyTooFew extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public boolean addHash(long hash, long copies) {
          return super.addHash(hash, copies > 1 ? copies - 1 : copies);
        }
      };
    }
  }

  @CaughtBy({
    "copiesAtOnceEqualCopiesOneByOne",
    "aMillionCopiesAreAddedAndRemovedAtOnce",
    "anyHistoryKeepsWhatIsHeldAndForgetsTheRest"
  })
  static class RefusedRemoveOfCopiesTakesThoseThatThereAre extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public boolean removeHash(long hash, long copies) {
          boolean areAll = true;
          for (long i = 0; i < copies; i++) {
            areAll &= removeHash(hash);
          }
          return areAll;
        }
      };
    }
  }

  @CaughtBy("lessThanOneCopyIsRefused")
  static class CopiesAreNotChecked extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public boolean addHash(long hash, long copies) {
          return super.addHash(hash, Math.max(1, copies));
        }
      };
    }
  }

  @CaughtBy("aThousandCopiesAreCountedAndRemoved")
  static class CountStopsAt15 extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public long countHash(long hash) {
          return Math.min(15, super.countHash(hash));
        }
      };
    }
  }

  @CaughtBy("removingAndCountingByHashIsTheSame")
  static class CountIgnoresItsHashForm extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public boolean mightContainHash(long hash) {
          return super.countHash(hash) > 0;
        }

        @Override
        public long count(Long element) {
          return super.countHash(strategy().hashLong(element));
        }

        @Override
        public long countHash(long hash) {
          return super.countHash(hash) + 1;
        }
      };
    }
  }

  @CaughtBy("removingManyEqualsRemovingOneByOne")
  static class RemoveHashesIgnoresItsOffset extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public long removeHashes(
            long[] hashes, int offset, int length, boolean @Nullable [] wasRemoved) {
          Objects.checkFromIndexSize(offset, length, hashes.length);
          return super.removeHashes(hashes, 0, length, wasRemoved);
        }
      };
    }
  }

  @CaughtBy({"clearForgetsCopies", "aClearedFilterEqualsANewOne"})
  static class ClearLeavesOneCopy extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public void clear() {
          Arrays.setAll(counters, i -> Math.min(1, counters[i]));
        }
      };
    }
  }

  @CaughtBy("aLongHistoryLeavesTheFilterOfWhatIsLeft")
  static class EqualsLooksAtTheFillOnly extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public boolean equals(@Nullable Object other) {
          return other instanceof IntCountersFilter that && setPositions() == that.setPositions();
        }

        @Override
        public int hashCode() {
          return 0;
        }
      };
    }
  }

  @CaughtBy({"anyHistoryLeavesTheFilterOfWhatIsLeft", "aThousandRemovedCopiesLeaveNoTrace"})
  static class EqualsRemembersHowItCameThere extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        private int history;

        @Override
        void increment(int position) {
          super.increment(position);
          history = 31 * history + position;
        }

        @Override
        public boolean equals(@Nullable Object other) {
          return super.equals(other) && hashCode() == Objects.hashCode(other);
        }

        @Override
        public int hashCode() {
          return history;
        }
      };
    }
  }
}
