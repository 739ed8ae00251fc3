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
    return BlockedIndexDerivation.wordIndex(
        BlockedIndexDerivation.offset(hash, 8 * blocks), 8 * blocks);
  }

  private static long second(long hash, long blocks) {
    long distance = BlockedIndexDerivation.distance(hash);
    return first(hash, blocks) ^ distance;
  }

  @Test
  void blocksAreUniformInASmallFilterAndInTheLargest() {
    assertIsUniform(hash -> first(hash, 1024) / 8);
    assertIsUniform(hash -> first(hash, 1L << 28) >>> 21);
  }

  @Test
  void wordsWithinABlockAreUniformAndIndependentOfIt() {
    assertIsUniform(hash -> first(hash, 128));
    assertIsUniform(hash -> second(hash, 128));
    assertIsUniform(hash -> first(hash, 1L << 28) & 1023);
    assertIsUniform(hash -> second(hash, 1L << 28) & 1023);
  }

  /**
   * The upper 10<sup>-8</sup> quantile of the chi-square law with 27 degrees of freedom is 90.16.
   * At a million hashes a root mean square deviation of 1.5 % adds 225 to the statistic and gives
   * it a standard deviation of 31: found with power above 0.99.
   */
  @Test
  void pairsOfWordsAreAsLikelyAsTheirDistances() {
    for (long blocks : new long[] {2, 6, 1000, 1L << 28}) {
      double statistic = statisticOfPairs(HASHED, blocks);
      assertTrue(statistic < 90.16, () -> "statistic " + statistic + " with blocks " + blocks);
    }
    // Numbers that nobody hashed are found out.
    assertFalse(statisticOfPairs(LongUnaryOperator.identity(), 2) < 90.16);
  }

  private static double statisticOfPairs(LongUnaryOperator strategy, long blocks) {
    long[] counts = new long[64];
    for (long number = 0; number < NUMBERS; number++) {
      long hash = strategy.applyAsLong(number);
      long a = first(hash, blocks) & 7;
      long b = second(hash, blocks) & 7;
      counts[(int) (8 * Math.max(a, b) + Math.min(a, b))]++;
    }
    double statistic = 0;
    for (int larger = 1; larger < 8; larger++) {
      for (int smaller = 0; smaller < larger; smaller++) {
        int distance = larger ^ smaller;
        double expected = NUMBERS * BlockedIndexDerivation.weightOfDistance(distance) / 64.0 / 4;
        double deviation = counts[8 * larger + smaller] - expected;
        statistic += deviation * deviation / expected;
      }
    }
    return statistic;
  }

  /** Some bits of a hash, as its masks are chosen and rotated by them. */
  private static long bits(long hash, int lowest, int count) {
    return hash >>> lowest & ((1L << count) - 1);
  }

  /** The index of the mask of the second word, where it is one of its own. */
  private static long secondIndex(long hash) {
    return IndexDerivation.next(hash) >>> 56;
  }

  private static int place(long mask) {
    return Long.numberOfTrailingZeros(mask);
  }

  private static int first(long hash) {
    return place(BlockedIndexDerivation.firstMask(hash, BlockedIndexDerivation.maskTable(1)));
  }

  private static int second(long hash) {
    return place(BlockedIndexDerivation.secondMask(hash, BlockedIndexDerivation.maskTable(1)));
  }

  /** Of one position a word: what else is chosen rotates with it. */
  @Test
  void positionsAreUniformAndIndependentOfBothWords() {
    assertIsUniform(hash -> first(hash, 2) * 64 + first(hash));
    assertIsUniform(hash -> second(hash, 2) * 64 + first(hash));
    assertIsUniform(hash -> first(hash, 2) * 64 + second(hash));
    assertIsUniform(hash -> second(hash, 2) * 64 + second(hash));
  }

  /** Distance, masks and rotations, by the bits that choose them. */
  @Test
  void masksAreUniformAndIndependentOfRotationsDistanceAndBlock() {
    assertIsUniform(hash -> bits(hash, 18, 8) * 4 + first(hash, 4) / 8);
    assertIsUniform(hash -> bits(hash, 18, 8) * 4 + bits(hash, 30, 2));
    assertIsUniform(hash -> bits(hash, 21, 5) * 32 + bits(hash, 26, 5));
    assertIsUniform(hash -> bits(hash, 18, 5) * 32 + bits(hash, 1, 5));
    assertIsUniform(hash -> bits(hash, 18, 5) * 32 + bits(hash, 7, 5));
    assertIsUniform(hash -> bits(hash, 1, 5) * 32 + bits(hash, 7, 5));
    assertIsUniform(hash -> secondIndex(hash) * 4 + bits(hash, 7, 2));
    assertIsUniform(hash -> secondIndex(hash) / 8 * 32 + bits(hash, 18, 5));
    assertIsUniform(hash -> secondIndex(hash) * 4 + first(hash, 1L << 28) % 4);
  }

  /** The tests can fail: numbers that nobody hashed, and positions that depend on each other. */
  @Test
  void nonUniformPositionsAreDetected() {
    LongUnaryOperator plain = LongUnaryOperator.identity();
    assertFalse(count(plain, hash -> first(hash, 1024) / 8).isUniform());
    assertFalse(count(plain, hash -> second(hash, 128)).isUniform());
    assertFalse(count(HASHED, hash -> bits(hash, 1, 5) * 32 + bits(hash, 3, 5)).isUniform());
    assertFalse(count(HASHED, hash -> first(hash, 2) * 64 + (hash >>> 58)).isUniform());
  }
}
