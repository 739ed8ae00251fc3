package io.bloomkit.testkit;

import io.bloomkit.BlockedShape;
import io.bloomkit.Shape;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Faults that filters have had, each with the contract that is to catch it; {@link GalleryTest}
 * runs them. They are no tests of their own.
 */
final class BrokenFilters {

  private BrokenFilters() {}

  abstract static class Insertable implements InsertableFilterContract<Long> {
    @Override
    public Long element(long index) {
      return index;
    }
  }

  abstract static class Counting implements FlatCountingFilterContract<Long> {
    @Override
    public boolean removesEveryPositive() {
      return false;
    }

    @Override
    public Long element(long index) {
      return index;
    }
  }

  abstract static class Rate implements FlatFalsePositiveRateContract<Long, BitSetFilter> {
    @Override
    public Long element(long index) {
      return index;
    }

    @Override
    public Shape shape(BitSetFilter filter) {
      return filter.shape;
    }

    @Override
    public long setPositions(BitSetFilter filter) {
      return filter.setPositions();
    }
  }

  abstract static class BlockedRate
      implements BlockedFalsePositiveRateContract<Long, BlockedBitSetFilter> {
    @Override
    public Long element(long index) {
      return index;
    }

    @Override
    public BlockedShape shape(BlockedBitSetFilter filter) {
      return filter.shape;
    }

    @Override
    public long setPositions(BlockedBitSetFilter filter) {
      return filter.setPositions();
    }
  }

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

  static class AddAllAddsUntilItMeetsTheNull extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public long addAll(Iterable<? extends Long> elements) {
          long added = 0;
          for (Long element : elements) {
            added += add(element) ? 1 : 0;
          }
          return added;
        }
      };
    }
  }

  /** The default of the interface, which a filter with a capacity has to override. */
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

  static class RangesStartAtZero extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public long addHashes(long[] hashes, int offset, int length) {
          Objects.checkFromIndexSize(offset, length, hashes.length);
          return super.addHashes(Arrays.copyOf(hashes, length));
        }

        @Override
        public int mightContainHashes(long[] hashes, int offset, int length, boolean[] answers) {
          return super.mightContainHashes(hashes, 0, length, answers);
        }
      };
    }
  }

  static class RangesAreCutToTheArray extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public long addHashes(long[] hashes, int offset, int length) {
          long added = 0;
          for (int i = Math.max(0, offset); i < hashes.length && i - offset < length; i++) {
            added += addHash(hashes[i]) ? 1 : 0;
          }
          return added;
        }
      };
    }
  }

  static class SizesAreNotChecked extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(Math.max(1, n), fpp > 0 && fpp < 1 ? fpp : 0.01);
    }
  }

  static class RefusalsNameNoValue extends Insertable {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      if (n < 1 || !(fpp > 0 && fpp < 1)) {
        throw new IllegalArgumentException("bad size");
      }
      return new BitSetFilter(n, fpp);
    }
  }

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

  static class AllocatesOnceInAThousand implements AllocationContract<Long> {
    @Override
    public Long element(long index) {
      return index;
    }

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

  static class BoxesLongs implements AllocationContract<Long> {
    @Override
    public Long element(long index) {
      return index;
    }

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

  static class ListsPositionsAnew implements AllocationContract<Long> {
    @Override
    public Long element(long index) {
      return index;
    }

    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp);
    }
  }

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

  static class RemoveHashesIgnoresItsOffset extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public long removeHashes(long[] hashes, int offset, int length) {
          Objects.checkFromIndexSize(offset, length, hashes.length);
          return super.removeHashes(hashes, 0, length);
        }
      };
    }
  }

  static class RemoveAllRemovesUntilItMeetsTheNull extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public long removeAll(Iterable<? extends Long> elements) {
          long removed = 0;
          for (Long element : elements) {
            removed += remove(element) ? 1 : 0;
          }
          return removed;
        }
      };
    }
  }

  static class RemoveAllTakesRepeatsForOne extends Counting {
    @Override
    public IntCountersFilter newFilter(long n, double fpp) {
      return new IntCountersFilter(n, fpp) {
        @Override
        public long removeAll(Iterable<? extends Long> elements) {
          Set<Long> distinct = new LinkedHashSet<>();
          elements.forEach(distinct::add);
          return super.removeAll(distinct);
        }
      };
    }
  }

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

  static class AFifthTooManyPositives extends Rate {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public boolean mightContainHash(long hash) {
          double coin = new SplittableRandom(hash).nextDouble();
          return super.mightContainHash(hash) || coin < 0.2 * fpp;
        }
      };
    }
  }

  static class SaysATenthTooLittle extends Rate {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public double expectedFpp() {
          return super.expectedFpp() * 0.9;
        }
      };
    }
  }

  static class HasAShapeForAFifthMore extends Rate {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, Math.min(0.99, fpp * 1.2));
    }
  }

  static class AFifthMorePositivesThanPlanned implements FalsePositiveRateContract<Long> {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, Math.min(0.99, fpp * 1.2));
    }

    @Override
    public Long element(long index) {
      return index;
    }
  }

  /** Double hashing: g(i) = h1 + i · h2 (A. Kirsch, M. Mitzenmacher, 2006). */
  static class HashesDouble extends Rate {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, fpp) {
        @Override
        public boolean addHash(long hash) {
          boolean absent = !mightContainHash(hash);
          for (int i = 0; i < shape.hashes(); i++) {
            bits.set(position(hash, i));
          }
          return absent;
        }

        @Override
        public boolean mightContainHash(long hash) {
          for (int i = 0; i < shape.hashes(); i++) {
            if (!bits.get(position(hash, i))) {
              return false;
            }
          }
          return true;
        }

        private int position(long hash, int i) {
          long sum = (hash >>> 33) + i * (hash & 0x7fff_ffffL);
          return (int) (sum % shape.positions());
        }
      };
    }
  }

  /** One element in eight has all of its positions in one word. */
  static class TheSecondWordMayBeTheFirst extends BlockedRate {
    @Override
    public BlockedBitSetFilter newFilter(long n, double fpp) {
      return new BlockedBitSetFilter(n, fpp) {
        @Override
        int secondWord(long hash) {
          long distance = new Shape(BlockedShape.WORDS_PER_BLOCK, 2).positionOf(hash, 1);
          return firstWord(hash) ^ (int) distance;
        }
      };
    }
  }

  /** One rotation for both words: the number of set positions hides it, the answers do not. */
  static class BothWordsHaveTheSamePositions extends BlockedRate {
    @Override
    public BlockedBitSetFilter newFilter(long n, double fpp) {
      return new BlockedBitSetFilter(n, fpp) {
        @Override
        long secondMask(long hash) {
          return firstMask(hash);
        }
      };
    }
  }

  /**
   * Each word is taken as often as it should be, but in four of the 28 pairs only. The number of
   * set positions hardly shows it; the answers do.
   */
  static class WordsComeInFixedPairs extends BlockedRate {
    @Override
    public BlockedBitSetFilter newFilter(long n, double fpp) {
      return new BlockedBitSetFilter(n, fpp) {
        @Override
        int secondWord(long hash) {
          return firstWord(hash) ^ 1;
        }
      };
    }
  }

  static class HasBlocksForAFifthMore extends BlockedRate {
    @Override
    public BlockedBitSetFilter newFilter(long n, double fpp) {
      return new BlockedBitSetFilter(n, Math.min(0.99, fpp * 1.2));
    }
  }
}
