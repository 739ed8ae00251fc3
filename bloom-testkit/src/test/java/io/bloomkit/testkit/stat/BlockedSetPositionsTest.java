package io.bloomkit.testkit.stat;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.testkit.ContractSeeds;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The law of the number of set positions of blocks, against what else is known of it. */
class BlockedSetPositionsTest {

  private static final long SEED = ContractSeeds.HISTORY;

  private static final List<BlockedShape> SHAPES =
      List.of(
          new BlockedShape(1, 512, 6),
          new BlockedShape(1, 128, 4),
          new BlockedShape(1, 128, 16),
          new BlockedShape(2, 128, 2),
          new BlockedShape(3, 512, 8),
          new BlockedShape(1000, 128, 6),
          new BlockedShape(1L << 28, 512, 4));

  /** Two words, each with as many of its 16 counters as two throws hit: counted by hand. */
  @Test
  void oneElementOfTwoHashesAWordSetsTwoToFourPositions() {
    for (long blocks : new long[] {1, 5, 1L << 30}) {
      double[] law = new BlockedSetPositions(new BlockedShape(blocks, 128, 4)).distribution(1);
      double[] expected = {0, 0, 1 / 256.0, 30 / 256.0, 225 / 256.0};
      assertArrayEquals(expected, law, 1e-15);
    }
  }

  /** Of two elements of one block with a position a word, by pairs that share 2, 1 and 0 words. */
  @Test
  void twoElementsOfOneHashAWordSetTwoToFourPositions() {
    double[] law = new BlockedSetPositions(new BlockedShape(1, 128, 2)).distribution(2);
    double same = 1 / 16.0;
    double two = same * same / 28;
    double three = 2 * same * (1 - same) / 28 + 12 * same / 28;
    assertArrayEquals(new double[] {0, 0, two, three, 1 - two - three}, law, 1e-15);
  }

  @Test
  void noElementSetsNone() {
    assertArrayEquals(
        new double[] {1}, new BlockedSetPositions(new BlockedShape(3, 512, 6)).distribution(0));
  }

  @Test
  void meanAndVarianceAreThoseOfTheFormulas() {
    for (BlockedShape shape : SHAPES) {
      BlockedSetPositions law = new BlockedSetPositions(shape);
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
        assertEquals(law.variance(n), variance, 1e-9 * variance + 1e-12, shape + " with " + n);
      }
    }
  }

  /** What is thrown by the rules of the layout passes; α and power are those of the check. */
  @Test
  void independentChoicesAreAccepted() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (BlockedShape shape : SHAPES.subList(0, 6)) {
      BlockedSetPositions law = new BlockedSetPositions(shape);
      for (int n : new int[] {1, 2, 3, 10}) {
        long[] thrown = thrown(random, shape, n, SetPositionsCheck.filtersForLaw(law, n), 28);
        StatisticalResult result = SetPositionsCheck.ofLaw(law, n, thrown);
        result.assertHolds();
        assertTrue(result.power() > 0.98, result.toString());
      }
      long[] thrown = thrown(random, shape, 100, SetPositionsCheck.filtersForTotals(law, 100), 28);
      SetPositionsCheck.ofTotals(law, 100, thrown).assertHolds();
    }
  }

  /** A pair of words that never comes: the mean hardly changes, the law does. */
  @Test
  void pairsOfWordsThatNeverComeAreRejected() {
    SplittableRandom random = new SplittableRandom(SEED);
    BlockedShape shape = new BlockedShape(1, 128, 4);
    BlockedSetPositions law = new BlockedSetPositions(shape);
    long[] thrown = thrown(random, shape, 10, 400_000, 24);
    assertTrue(SetPositionsCheck.ofLaw(law, 10, thrown).isRejected());
  }

  @Test
  void oneHashMoreOrLessAWordIsRejected() {
    SplittableRandom random = new SplittableRandom(SEED);
    BlockedSetPositions law = new BlockedSetPositions(new BlockedShape(12, 128, 6));
    for (int hashes : new int[] {4, 8}) {
      BlockedShape other = new BlockedShape(12, 128, hashes);
      for (int n : new int[] {1, 10}) {
        long[] thrown = thrown(random, other, n, SetPositionsCheck.filtersForLaw(law, n), 28);
        assertTrue(SetPositionsCheck.ofLaw(law, n, thrown).isRejected());
      }
      long[] thrown = thrown(random, other, 100, SetPositionsCheck.filtersForTotals(law, 100), 28);
      assertTrue(SetPositionsCheck.ofTotals(law, 100, thrown).isRejected());
    }
  }

  /** X of filters that a random generator fills by the rules of the layout, with so many pairs. */
  private static long[] thrown(
      SplittableRandom random, BlockedShape shape, int elements, int filters, int pairs) {
    long[] setPositions = new long[filters];
    BitSet bits = new BitSet();
    for (int i = 0; i < filters; i++) {
      bits.clear();
      for (int element = 0; element < elements; element++) {
        int block = (int) random.nextLong(shape.blocks());
        int pair = random.nextInt(pairs);
        int larger = 1;
        while (pair >= larger) {
          pair -= larger;
          larger++;
        }
        for (int j = 0; j < shape.hashes(); j++) {
          int word = 8 * block + (j % 2 == 0 ? larger : pair);
          bits.set(word * shape.positionsPerWord() + random.nextInt(shape.positionsPerWord()));
        }
      }
      setPositions[i] = bits.cardinality();
    }
    return setPositions;
  }
}
