package io.bloomkit.testkit;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Faults of filters that only insert, each with the checks that are to catch it; {@link
 * BrokenFiltersTest} runs them. They are no tests of their own.
 */
final class BrokenInsertableFilters {

  private BrokenInsertableFilters() {}

  abstract static class Insertable implements InsertableFilterContract<Long> {
    @Override
    public Long element(long index) {
      return index;
    }
  }

  abstract static class Allocating implements AllocationContract<Long> {
    @Override
    public Long element(long index) {
      return index;
    }
  }

  @CaughtBy({"addedElementsAreAlwaysPositive", "addedElementsArePositiveAtTenTimesTheDesignLoad"})
  static class ForgetsOneInTen extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public boolean addHash(long hash) {
          return Math.floorMod(hash, 10) == 0 ? !mightContainHash(hash) : super.addHash(hash);
        }
      };
    }
  }

  @CaughtBy("addReturnsTrueExactlyIfTheElementWasCertainlyAbsent")
  static class AddReturnsWhetherItIsNowPositive extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public boolean addHash(long hash) {
          super.addHash(hash);
          return mightContainHash(hash);
        }
      };
    }
  }

  @CaughtBy("anElementAndItsHashAreTheSameToTheFilter")
  static class ElementsAreHashedTwice extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public boolean add(Long element) {
          return addHash(strategy().hashLong(strategy().hashLong(element)));
        }

        @Override
        public boolean mightContain(Long element) {
          return mightContainHash(strategy().hashLong(strategy().hashLong(element)));
        }
      };
    }
  }

  @CaughtBy("aClearedFilterIsANewOne")
  static class ClearKeepsElements extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public void clear() {
          bits.clear(0, bits.length() / 2);
        }
      };
    }
  }

  @CaughtBy("anEmptyFilterIsNegative")
  static class SaysItsDesignRateAlways extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public double expectedFpp() {
          return fpp;
        }
      };
    }
  }

  @CaughtBy("expectedFppIsAProbabilityAndNeverFallsWhileAdding")
  static class RateFallsWhenFull extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public double expectedFpp() {
          return super.expectedFpp() * (2 * setPositions() > shape.positions() ? 0.5 : 1);
        }
      };
    }
  }

  @CaughtBy("approximateElementCountIsCloseAtTheDesignLoad")
  static class EstimatesATenthTooMany extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public long approximateElementCount() {
          return super.approximateElementCount() * 11 / 10;
        }
      };
    }
  }

  /** The default of the interface, which a filter with a capacity has to override. */
  @CaughtBy("aRefusedAdditionOfManyAddsNothing")
  static class AddsManyUntilItIsFull extends Insertable {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        private int room = 1000;

        @Override
        public boolean addHash(long hash) {
          if (room == 0) {
            throw new IllegalStateException("the filter is full");
          }
          room--;
          return super.addHash(hash);
        }
      };
    }
  }

  @CaughtBy("nullElementsAreRefusedAndChangeNothing")
  static class NullsAreIgnored extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public boolean mightContain(@Nullable Long element) {
          return element != null && super.mightContain(element);
        }
      };
    }
  }

  @CaughtBy({"addingManyEqualsAddingOneByOne", "bulkQueriesEqualSingleQueries"})
  static class RangesStartAtZero extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
          Objects.checkFromIndexSize(offset, length, hashes.length);
          return super.addHashes(hashes, 0, length, wasNew);
        }

        @Override
        public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
          return super.mightContainHashes(hashes, 0, length, answers);
        }
      };
    }
  }

  @CaughtBy("aRangeOutsideTheArrayIsRefusedAndChangesNothing")
  static class RangesAreCutToTheArray extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public long addHashes(long[] hashes, int offset, int length, boolean @Nullable [] wasNew) {
          long added = 0;
          for (int i = Math.max(0, offset); i < hashes.length && i - offset < length; i++) {
            added += addHash(hashes[i]) ? 1 : 0;
          }
          return added;
        }
      };
    }
  }

  @CaughtBy("badSizesAreRefusedByTheirValue")
  static class SizesAreNotChecked extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(Math.max(1, n), fpp > 0 && fpp < 1 ? fpp : 0.01);
    }
  }

  @CaughtBy("badSizesAreRefusedByTheirValue")
  static class RefusalsNameNoValue extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      if (n < 1 || !(fpp > 0 && fpp < 1)) {
        throw new IllegalArgumentException("bad size");
      }
      return new BitSetFilter(n, fpp);
    }
  }

  @CaughtBy("memoryIsTaken")
  static class TakesNoMemory extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public long memoryBytes() {
          return 0;
        }
      };
    }
  }

  @CaughtBy("operationsTakeNoMemory")
  static class AllocatesOnceInAThousand extends Allocating {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        private long queries;
        private long[] kept = new long[0];

        @Override
        public boolean mightContainHash(long hash) {
          if (++queries % 1000 == 0) {
            kept = new long[100];
          }
          return super.mightContainHash(hash | kept.length >> 10);
        }
      };
    }
  }

  @CaughtBy("operationsTakeNoMemory")
  static class BoxesLongs extends Allocating {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        private Long last = 0L;

        @Override
        public boolean mightContainLong(long element) {
          last = element;
          return mightContain(last);
        }
      };
    }
  }

  @CaughtBy("operationsTakeNoMemory")
  static class ListsPositionsAnew extends Allocating {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp);
    }
  }
}
