package io.bloomkit.testkit.stat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.testkit.internal.ContractSeeds;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The law of the number of set positions of blocks, against what else is known of it. */
class BlockedFillDistributionTest {

  private static final long SEED = ContractSeeds.HISTORY;

  private static final List<BlockedShape> SHAPES =
      List.of(
          new BlockedShape(2, 512, 6),
          new BlockedShape(2, 128, 4),
          new BlockedShape(2, 128, 16),
          new BlockedShape(4, 128, 2),
          new BlockedShape(6, 512, 8),
          new BlockedShape(1000, 128, 6),
          new BlockedShape(1L << 28, 512, 4));

  @Test
  void oneElementSetsAsManyPositionsAsItHasHashes() {
    for (BlockedShape shape : SHAPES) {
      double[] expected = new double[shape.hashes() + 1];
      expected[shape.hashes()] = 1;
      assertArrayEquals(expected, new BlockedFillDistribution(shape).distribution(1), 1e-15);
    }
  }

  /** Of two elements of one block with a position a word, by pairs that share 2, 1 and 0 words. */
  @Test
  void twoElementsOfOneHashAWordSetTwoToFourPositions() {
    double[] law = new BlockedFillDistribution(new BlockedShape(2, 128, 2)).distribution(2);
    double same = 1 / 16.0;
    double two = same * same / 28 / 2;
    double three = (2 * same * (1 - same) + 12 * same) / 28 / 2;
    assertArrayEquals(new double[] {0, 0, two, three, 1 - two - three}, law, 1e-15);
  }

  /** Of the 120 pairs of positions of a word 1 shares two with a given one, and 28 share one. */
  @Test
  void twoElementsOfTwoHashesAWordSetFourToEightPositions() {
    double[] law = new BlockedFillDistribution(new BlockedShape(2, 128, 4)).distribution(2);
    double both = 1 / 120.0;
    double one = 28 / 120.0;
    double none = 91 / 120.0;
    double four = both * both / 56;
    double five = 2 * both * one / 56;
    double six = (2 * both * none + one * one + 12 * both) / 56;
    double seven = (2 * one * none + 12 * one) / 56;
    double eight = 1 - four - five - six - seven;
    assertArrayEquals(new double[] {0, 0, 0, 0, four, five, six, seven, eight}, law, 1e-15);
  }

  @Test
  void noElementSetsNone() {
    assertArrayEquals(
        new double[] {1}, new BlockedFillDistribution(new BlockedShape(4, 512, 6)).distribution(0));
  }

  /** The mean exactly; the variance except for what the law leaves out. */
  @Test
  void meanAndVarianceAreThoseOfTheFormulas() {
    for (BlockedShape shape : SHAPES) {
      BlockedFillDistribution law = new BlockedFillDistribution(shape);
      for (int n = 1; n <= 10; n++) {
        double[] distribution = law.distribution(n);
        double mean = 0;
        for (int x = 0; x < distribution.length; x++) {
          mean += x * distribution[x];
        }
        double variance = 0;
        for (int x = 0; x < distribution.length; x++) {
          variance += (x - mean) * (x - mean) * distribution[x];
        }
        assertEquals(1, Arrays.stream(distribution).sum(), 1e-12);
        assertEquals(law.mean(n), mean, 1e-12 * mean, shape + " with " + n);
        assertEquals(law.variance(n), variance, 0.01 * variance + 1e-12, shape + " with " + n);
      }
    }
  }

  /** The positions of random hashes pass; α and power are those of the check. */
  @Test
  void positionsOfRandomHashesAreAccepted() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (BlockedShape shape : SHAPES.subList(0, 6)) {
      BlockedFillDistribution law = new BlockedFillDistribution(shape);
      for (int n : new int[] {1, 2, 3, 10}) {
        int filters = FillTest.filtersForLaw(law, n);
        StatisticalResult result = FillTest.ofLaw(law, n, setPositions(random, shape, n, filters));
        result.assertHolds();
        assertTrue(result.power() > 0.98, result.toString());
      }
      int filters = FillTest.filtersForTotals(law, 100);
      FillTest.ofTotals(law, 100, setPositions(random, shape, 100, filters)).assertHolds();
    }
  }

  /** No pair has a word of either half of the block: the mean stays the same, the law does not. */
  @Tag("deep")
  @Test
  void pairsOfWordsThatNeverComeAreRejected() {
    SplittableRandom random = new SplittableRandom(SEED);
    BlockedShape shape = new BlockedShape(2, 128, 4);
    BlockedFillDistribution law = new BlockedFillDistribution(shape);
    LongPredicate comes = hash -> (shape.positionOf(hash, 0) ^ shape.positionOf(hash, 2)) / 16 < 4;
    LongSupplier hashes = () -> random.longs().filter(comes).findFirst().orElseThrow();
    long[] set = setPositions(hashes, shape::positionOf, shape.hashes(), 10, 400_000);
    assertTrue(FillTest.ofLaw(law, 10, set).isRejected());
  }

  /** Positions drawn with repetition, as of a filter that hashes each of them. */
  @Test
  void positionsThatRepeatAreRejected() {
    SplittableRandom random = new SplittableRandom(SEED);
    BlockedShape shape = new BlockedShape(12, 512, 6);
    BlockedFillDistribution law = new BlockedFillDistribution(shape);
    PositionOf repeating =
        (hash, index) -> shape.positionOf(hash, index) / 64 * 64 + random.nextInt(64);
    for (int n : new int[] {1, 10}) {
      int filters = FillTest.filtersForLaw(law, n);
      long[] set = setPositions(random::nextLong, repeating, shape.hashes(), n, filters);
      assertTrue(FillTest.ofLaw(law, n, set).isRejected());
    }
  }

  @Test
  void oneHashMoreOrLessAWordIsRejected() {
    SplittableRandom random = new SplittableRandom(SEED);
    BlockedFillDistribution law = new BlockedFillDistribution(new BlockedShape(12, 128, 6));
    for (int hashes : new int[] {4, 8}) {
      BlockedShape other = new BlockedShape(12, 128, hashes);
      for (int n : new int[] {1, 10}) {
        int filters = FillTest.filtersForLaw(law, n);
        long[] set = setPositions(random, other, n, filters);
        assertTrue(FillTest.ofLaw(law, n, set).isRejected());
      }
      int filters = FillTest.filtersForTotals(law, 100);
      long[] set = setPositions(random, other, 100, filters);
      assertTrue(FillTest.ofTotals(law, 100, set).isRejected());
    }
  }

  private interface PositionOf {
    long of(long hash, int index);
  }

  /** X of filters that random hashes fill as the shape says. */
  private static long[] setPositions(
      SplittableRandom random, BlockedShape shape, int elements, int filters) {
    return setPositions(random::nextLong, shape::positionOf, shape.hashes(), elements, filters);
  }

  private static long[] setPositions(
      LongSupplier hashes, PositionOf position, int hashesPerElement, int elements, int filters) {
    long[] setPositions = new long[filters];
    BitSet bits = new BitSet();
    for (int i = 0; i < filters; i++) {
      bits.clear();
      for (int element = 0; element < elements; element++) {
        long hash = hashes.getAsLong();
        for (int j = 0; j < hashesPerElement; j++) {
          bits.set((int) position.of(hash, j));
        }
      }
      setPositions[i] = bits.cardinality();
    }
    return setPositions;
  }
}
