package io.bloomkit.testkit;

import io.bloomkit.BlockedShape;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Faults in the false-positive rates of filters, each with the checks that are to catch it; {@link
 * BrokenFiltersTest} runs them. They are no tests of their own.
 */
final class BrokenRates {

  private BrokenRates() {}

  abstract static class Rate implements FalsePositiveRateContract<Long, BitSetFilter> {
    @Override
    public Long element(long index) {
      return index;
    }

    @Override
    public Optional<Shape> shape(BitSetFilter filter) {
      return Optional.of(filter.shape);
    }

    @Override
    public long setPositions(BitSetFilter filter) {
      return filter.setPositions();
    }
  }

  abstract static class BlockedRate
      implements FalsePositiveRateContract<Long, BlockedBitSetFilter> {
    @Override
    public Long element(long index) {
      return index;
    }

    @Override
    public Optional<Shape> shape(BlockedBitSetFilter filter) {
      return Optional.of(filter.shape);
    }

    @Override
    public long setPositions(BlockedBitSetFilter filter) {
      return filter.setPositions();
    }
  }

  @CaughtBy({
    "absentElementsArePositiveAtTheExpectedRate",
    "manyAbsentElementsArePositiveAtTheExpectedRate"
  })
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

  @CaughtBy("absentElementsArePositiveAtTheExpectedRate")
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

  @CaughtBy("theRateAtTheDesignLoadIsThePlannedOne")
  static class HasAShapeForAFifthMore extends Rate {
    @Override
    public BitSetFilter newFilter(long n, double fpp) {
      return new BitSetFilter(n, Math.min(0.99, fpp * 1.2));
    }
  }

  @CaughtBy("theRateAtTheDesignLoadIsThePlannedOne")
  static class AFifthMorePositivesThanPlanned
      implements FalsePositiveRateContract<Long, BitSetFilter> {
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
  @CaughtBy({
    "asManyPositionsAreSetAsByIndependentChoices",
    "absentElementsArePositiveAtTheExpectedRate"
  })
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
  @CaughtBy("asManyPositionsAreSetAsByIndependentChoices")
  static class TheSecondWordMayBeTheFirst extends BlockedRate {
    @Override
    public BlockedBitSetFilter newFilter(long n, double fpp) {
      return new BlockedBitSetFilter(n, fpp) {
        @Override
        int secondWord(long hash) {
          long distance = new FlatShape(BlockedShape.WORDS_PER_BLOCK, 2).positionOf(hash, 1);
          return firstWord(hash) ^ (int) distance;
        }
      };
    }
  }

  /** One rotation for both words: the number of set positions hides it, the answers do not. */
  @CaughtBy("absentElementsArePositiveAtTheExpectedRate")
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
  @CaughtBy("absentElementsArePositiveAtTheExpectedRate")
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

  @CaughtBy("theRateAtTheDesignLoadIsThePlannedOne")
  static class HasBlocksForAFifthMore extends BlockedRate {
    @Override
    public BlockedBitSetFilter newFilter(long n, double fpp) {
      return new BlockedBitSetFilter(n, Math.min(0.99, fpp * 1.2));
    }
  }
}
