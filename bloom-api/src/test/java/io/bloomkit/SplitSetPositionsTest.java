package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of set positions of split blocks: mean, variance, and the estimate taken from it. */
class SplitSetPositionsTest {

  @ParameterizedTest
  @CsvSource({"64, 1", "64, 3", "64, 4", "64, 8", "16, 2", "16, 5", "16, 8"})
  void theVarianceIsThatOfAllMasksForTwoElements(int perWord, int r) {
    SplitLayoutByMasks oracle = new SplitLayoutByMasks(perWord, r);
    for (long b : new long[] {1, 2, 1000}) {
      double expected = oracle.varianceOfTwo(b);
      double actual = BlockedFormulas.varianceOfSetPositions(2, b, 8 * perWord, 2 * r);
      assertEquals(expected, actual, expected * 1e-9, () -> "blocks " + b);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 6, 8, 10, 12, 14, 16})
  void oneElementSetsAsManyPositionsAsItHasHashes(int k) {
    for (long b : new long[] {1, 3, 1000, 1L << 28}) {
      assertEquals(k, BlockedFormulas.expectedSetPositions(1, b, 512, k), 1e-13 * k);
      assertEquals(0, BlockedFormulas.varianceOfSetPositions(1, b, 512, k), 1e-60);
      assertEquals(1, BlockedFormulas.estimatedElements(k, b, 512, k), 1e-8);
    }
  }

  /**
   * Fills 4,000 filters by random hashes. The mean is that of the formula within 5.73 standard
   * errors, a normal tail of α = 10<sup>-8</sup>; so is the sample variance, whose standard error
   * is about √(2/N) of it. An error of a fifth of the variance, or of an eighth of a standard
   * deviation in the mean, is found with a power above 0.98.
   */
  @ParameterizedTest
  @CsvSource({"300, 6, 64, 6", "300, 24, 16, 4", "12, 2, 64, 16", "40, 2, 16, 2"})
  void isThatOfFiltersFilledAtRandom(int n, int b, int perWord, int k) {
    int filters = 4000;
    SplittableRandom random = new SplittableRandom(20_260_101);
    double mean = BlockedFormulas.expectedSetPositions(n, b, 8 * perWord, k);
    double variance = BlockedFormulas.varianceOfSetPositions(n, b, 8 * perWord, k);
    double sum = 0;
    double sumOfSquares = 0;
    for (int i = 0; i < filters; i++) {
      double deviation = setPositions(random, n, b, perWord, k) - mean;
      sum += deviation;
      sumOfSquares += deviation * deviation;
    }
    assertEquals(0, sum / filters, 5.73 * Math.sqrt(variance / filters));
    assertEquals(variance, sumOfSquares / filters, 5.73 * variance * Math.sqrt(2.0 / filters));
  }

  private static int setPositions(SplittableRandom random, int n, int b, int perWord, int k) {
    BlockedShape shape = new BlockedShape(b, 8 * perWord, k);
    boolean[] set = new boolean[b * 8 * perWord];
    for (int i = 0; i < n; i++) {
      long hash = random.nextLong();
      for (int j = 0; j < k; j++) {
        set[(int) shape.positionOf(hash, j)] = true;
      }
    }
    int count = 0;
    for (boolean position : set) {
      count += position ? 1 : 0;
    }
    return count;
  }

  @Property(tries = 300, seed = "14")
  void theMeanRisesWithTheElementsUpToAllPositions(
      @ForAll @LongRange(min = 0, max = 1_000_000_000) long n,
      @ForAll @LongRange(min = 1, max = 1L << 28) long b,
      @ForAll @IntRange(min = 1, max = 8) int half) {
    double mean = BlockedFormulas.expectedSetPositions(n, b, 512, 2 * half);
    assertTrue(mean <= b * 512);
    assertTrue(mean <= 2.0 * half * n * (1 + 1e-12));
    assertTrue(mean <= BlockedFormulas.expectedSetPositions(n + 1, b, 512, 2 * half));
  }

  @Property(tries = 500, seed = "15")
  void theEstimateInvertsTheMean(
      @ForAll @LongRange(min = 1, max = 1_000_000_000) long n,
      @ForAll @LongRange(min = 1, max = 1L << 28) long b,
      @ForAll boolean bits,
      @ForAll @IntRange(min = 1, max = 8) int half) {
    int block = bits ? BlockedShape.BITS_PER_BLOCK : BlockedShape.COUNTERS_PER_BLOCK;
    int k = 2 * half;
    long set = Math.round(BlockedFormulas.expectedSetPositions(n, b, block, k));
    if (set == b * block) {
      return;
    }
    double estimate = BlockedFormulas.estimatedElements(set, b, block, k);
    double below =
        BlockedFormulas.expectedSetPositions((long) (estimate * (1 - 1e-9)), b, block, k);
    double above =
        BlockedFormulas.expectedSetPositions((long) Math.ceil(estimate * (1 + 1e-9)), b, block, k);
    assertTrue(below <= set * (1 + 1e-12) && above >= set * (1 - 1e-12));
  }

  @Test
  void anEmptyFilterIsEstimatedAtPlainZeroAndAFullOneAtInfinity() {
    // A negative zero would show as "-0.0".
    assertEquals("0.0", Double.toString(BlockedFormulas.estimatedElements(0, 3, 512, 6)));
    assertEquals(Double.POSITIVE_INFINITY, BlockedFormulas.estimatedElements(1536, 3, 512, 6));
  }
}
