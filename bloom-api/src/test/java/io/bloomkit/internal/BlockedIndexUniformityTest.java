package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.ChiSquare;
import io.bloomkit.hash.HashStrategies;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The places of consecutive numbers, hashed, spread evenly over blocks, pairs of words and
 * positions, and what is chosen one after another is independent. {@link ChiSquare} states α and
 * power.
 */
class BlockedIndexUniformityTest {

  private static final int NUMBERS = 1_000_000;
  private static final LongUnaryOperator HASHED = HashStrategies.longs()::hashLong;

  /** What is counted of the place of a hash: a cell of 1,024. */
  private interface Cell {
    long of(long hash);
  }

  private static ChiSquare count(LongUnaryOperator hash, Cell cell) {
    ChiSquare counted = new ChiSquare();
    for (long number = 0; number < NUMBERS; number++) {
      counted.count(cell.of(hash.applyAsLong(number)));
    }
    return counted;
  }

  private static void assertIsUniform(Cell cell) {
    ChiSquare counted = count(HASHED, cell);
    assertTrue(counted.isUniform(), () -> "statistic " + counted.statistic());
  }

  private static long first(long hash, long blocks) {
    return BlockedIndexDerivation.firstWord(hash, 8 * blocks);
  }

  private static long second(long hash, long blocks) {
    return BlockedIndexDerivation.secondWord(hash, 8 * blocks);
  }

  @Test
  void blocksAreUniformInASmallFilterAndInTheLargest() {
    assertIsUniform(hash -> first(hash, 1024) / 8);
    assertIsUniform(hash -> first(hash, 1L << 31) >>> 24);
  }

  @Test
  void wordsWithinABlockAreUniformAndIndependentOfIt() {
    assertIsUniform(hash -> first(hash, 128));
    assertIsUniform(hash -> second(hash, 128));
    assertIsUniform(hash -> first(hash, 1L << 31) & 1023);
    assertIsUniform(hash -> second(hash, 1L << 31) & 1023);
  }

  /**
   * The upper 10<sup>-8</sup> quantile of the chi-square law with 27 degrees of freedom is 90.16.
   * At a million hashes a root mean square deviation of 1.5 % adds 225 to the statistic and gives
   * it a standard deviation of 31: found with power above 0.99.
   */
  @Test
  void everyPairOfWordsIsAsLikely() {
    for (long blocks : new long[] {1, 3, 1000, 1L << 31}) {
      double statistic = statisticOfPairs(HASHED, blocks);
      assertTrue(statistic < 90.16, () -> "statistic " + statistic + " with blocks " + blocks);
    }
    // Numbers that nobody hashed are found out.
    assertFalse(statisticOfPairs(LongUnaryOperator.identity(), 1) < 90.16);
  }

  private static double statisticOfPairs(LongUnaryOperator strategy, long blocks) {
    long[] counts = new long[64];
    for (long number = 0; number < NUMBERS; number++) {
      long hash = strategy.applyAsLong(number);
      long a = first(hash, blocks) & 7;
      long b = second(hash, blocks) & 7;
      counts[(int) (8 * Math.max(a, b) + Math.min(a, b))]++;
    }
    double expected = NUMBERS / 28.0;
    double statistic = 0;
    for (int larger = 1; larger < 8; larger++) {
      for (int smaller = 0; smaller < larger; smaller++) {
        double deviation = counts[8 * larger + smaller] - expected;
        statistic += deviation * deviation / expected;
      }
    }
    return statistic;
  }

  /** The i-th window of a state as the masks take it. */
  private static long window(long state, int width, int i) {
    return (state >>> (64 - width * (i + 1))) & ((1L << width) - 1);
  }

  private static long state(long hash, int which) {
    return which == 0
        ? BlockedIndexDerivation.firstState(hash)
        : BlockedIndexDerivation.secondState(hash);
  }

  /** Windows are read off a state here; that the masks are made of them, see the other test. */
  @Test
  void positionsInAWordAreUniformAndEveryTwoInARowIndependent() {
    for (int i = 0; i + 1 < 8; i++) {
      int at = i;
      for (int state = 0; state < 2; state++) {
        int which = state;
        // Five bits of each of two windows of six: the upper of one, the lower of the other.
        assertIsUniform(
            hash ->
                window(state(hash, which), 6, at) / 2 * 32
                    + window(state(hash, which), 6, at + 1) % 32);
        // Two windows of four, and a quarter of the blocks.
        assertIsUniform(
            hash ->
                window(state(hash, which), 4, at) * 64
                    + window(state(hash, which), 4, at + 1) * 4
                    + first(hash, 4) / 8);
      }
    }
  }

  @Test
  void positionsAreIndependentOfThoseInTheOtherWordAndOfBothWords() {
    for (int i = 0; i < 8; i++) {
      int at = i;
      assertIsUniform(hash -> window(state(hash, 0), 4, at) * 64 + window(state(hash, 1), 6, at));
      for (int state = 0; state < 2; state++) {
        int which = state;
        assertIsUniform(hash -> first(hash, 2) * 64 + window(state(hash, which), 6, at));
        assertIsUniform(hash -> second(hash, 2) * 64 + window(state(hash, which), 6, at));
      }
    }
  }

  /** The tests can fail: numbers that nobody hashed, and positions that depend on each other. */
  @Test
  void whatIsNotUniformIsFoundOut() {
    LongUnaryOperator plain = LongUnaryOperator.identity();
    assertFalse(count(plain, hash -> first(hash, 1024) / 8).isUniform());
    assertFalse(count(plain, hash -> second(hash, 128)).isUniform());
    assertFalse(
        count(HASHED, hash -> window(state(hash, 0), 4, 0) * 64 + window(state(hash, 0), 6, 0))
            .isUniform());
    assertFalse(count(HASHED, hash -> first(hash, 2) * 64 + window(hash, 6, 0)).isUniform());
  }
}
