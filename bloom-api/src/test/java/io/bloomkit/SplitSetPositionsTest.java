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

/** The number of set positions of split blocks: mean, variance, and the estimate taken from it. */
class SplitSetPositionsTest {

  @ParameterizedTest
  @CsvSource({
    "0, 1, 2, 2", "1, 1, 2, 2", "2, 1, 2, 2", "3, 1, 2, 2", "1, 2, 2, 4", "2, 2, 2, 2",
    "2, 3, 2, 2", "2, 1, 2, 4", "2, 2, 2, 4", "2, 1, 2, 16", "1, 2, 4, 4", "2, 1, 4, 2",
    "2, 2, 4, 2", "1, 1, 4, 8", "1, 1, 8, 4", "1, 1, 4, 16",
  })
  void meanAndVarianceAreThoseOfAllOutcomes(int n, int b, int perWord, int k) {
    SplitBlocksByCounting counted = new SplitBlocksByCounting(n, b, perWord, k);
    double mean = BlockedFormulas.expectedSetPositions(n, b, 8 * perWord, k);
    assertEquals(counted.mean(), mean, counted.mean() * 1e-14);
    double variance = BlockedFormulas.varianceOfSetPositions(n, b, 8 * perWord, k);
    assertEquals(counted.variance(), variance, counted.variance() * 1e-14);
  }

  /** Computed in arithmetic of 120 digits; the terms cancel by up to 33 of them. */
  @ParameterizedTest
  @CsvSource({
    "1, 268435456, 512, 6, 0.089889407157897949219",
    "2, 268435456, 512, 2, 2.916879436315616554e-11",
    "1000000, 19883, 512, 6, 729664.90169665886531",
    "1000000000, 268435456, 512, 10, 637216804.67829376395",
    "10000000000, 1073741824, 128, 4, 4388513111.4460688662",
    "1000, 3, 128, 16, 5.473143400475533491e-13",
  })
  void theVarianceIsRightAtAnySize(long n, long b, int block, int k, double variance) {
    double actual = BlockedFormulas.varianceOfSetPositions(n, b, block, k);
    assertEquals(variance, actual, variance * 1e-14);
  }

  /**
   * Fills 4,000 filters at random by the rules of the layout. The mean is that of the formula
   * within 5.73 standard errors, a normal tail of α = 10<sup>-8</sup>; so is the sample variance,
   * whose standard error is about √(2/N) of it. An error of a fifth of the variance, or of an
   * eighth of a standard deviation in the mean, is found with a power above 0.98.
   */
  @ParameterizedTest
  @CsvSource({"300, 6, 64, 6", "300, 24, 16, 4", "12, 1, 64, 16", "40, 2, 16, 2"})
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
    boolean[] set = new boolean[b * 8 * perWord];
    for (int i = 0; i < n; i++) {
      int block = random.nextInt(b);
      int first = random.nextInt(8);
      int second = (first + 1 + random.nextInt(7)) % 8;
      for (int j = 0; j < k; j++) {
        int word = 8 * block + (j % 2 == 0 ? first : second);
        set[word * perWord + random.nextInt(perWord)] = true;
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
      @ForAll @IntRange(min = 4, max = 9) int log2OfBlock,
      @ForAll @IntRange(min = 1, max = 8) int half) {
    int block = 1 << log2OfBlock;
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

  @Test
  void anElementWithOneHashAWordSetsTwoPositionsForCertain() {
    for (long b : new long[] {1, 3, 1000, 1L << 28}) {
      assertEquals(2, BlockedFormulas.expectedSetPositions(1, b, 512, 2), 1e-14);
      assertEquals(0, BlockedFormulas.varianceOfSetPositions(1, b, 512, 2));
      assertEquals(1, BlockedFormulas.estimatedElements(2, 1L << 28, 512, 2), 1e-8);
    }
  }
}
