package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToIntBiFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many four-bit counters are exceeded: by whole numbers, by simulation, and as published. */
class OverflowedCountersTest {

  private static final long TEN_MILLION = 10_000_000;
  private static final MathContext DIGITS = new MathContext(60);

  @Property(tries = 300, seed = "18")
  void isTheTailInWholeNumbers(
      @ForAll @IntRange(min = 0, max = 120) int n,
      @ForAll @IntRange(min = 1, max = 60) int m,
      @ForAll @IntRange(min = 1, max = 8) int k,
      @ForAll @IntRange(min = 1, max = 17) int copies) {
    double expected = m * tail(k * n, BigInteger.ONE, BigInteger.valueOf(m), copies);
    double actual = new FlatShape(m, k).expectedOverflowedCounters(n, copies);
    assertEquals(expected, actual, expected * 1e-12);
  }

  @Property(tries = 300, seed = "19")
  void isTheTailInWholeNumbersForBlocksToo(
      @ForAll @IntRange(min = 0, max = 120) int n,
      @ForAll @IntRange(min = 1, max = 5) int b,
      @ForAll @IntRange(min = 1, max = 8) int half,
      @ForAll @IntRange(min = 1, max = 17) int copies) {
    // Of the eight words of each block an element takes two, and half of its positions in either.
    BigInteger hit = BigInteger.valueOf(half);
    double expected = 256 * b * tail(n, hit, BigInteger.valueOf(16 * 4 * 2L * b), copies);
    double actual = new BlockedShape(2L * b, 128, 2 * half).expectedOverflowedCounters(n, copies);
    assertEquals(expected, actual, expected * 1e-12);
  }

  /** All ways in which the positions of a few elements can fall, each as likely as any other. */
  @ParameterizedTest
  @CsvSource({"2, 3, 5, 2", "3, 2, 3, 4", "1, 4, 9, 4", "4, 3, 2, 3", "2, 3, 3, 6", "5, 1, 16, 1"})
  void isTheMeanOverAllWays(int n, int m, int k, int copies) {
    long ways = Math.round(Math.pow(m, n * k));
    long overflowed = 0;
    for (long way = 0; way < ways; way++) {
      int[] counters = new int[m];
      long rest = way;
      for (int i = 0; i < n * k; i++) {
        counters[(int) (rest % m)] += copies;
        rest /= m;
      }
      overflowed += Arrays.stream(counters).filter(counter -> counter > 15).count();
    }
    assertTrue(overflowed > 0);
    double expected = (double) overflowed / ways;
    assertEquals(
        expected, new FlatShape(m, k).expectedOverflowedCounters(n, copies), expected * 1e-13);
  }

  /** P(Binomial(n, hit/all) · copies ≥ 16), from its definition. */
  private static double tail(int n, BigInteger hit, BigInteger all, int copies) {
    BigInteger sum = BigInteger.ZERO;
    BigInteger ways = BigInteger.ONE;
    for (int j = 0; j <= n; j++) {
      if (j * copies >= 16) {
        sum = sum.add(ways.multiply(hit.pow(j)).multiply(all.subtract(hit).pow(n - j)));
      }
      ways = ways.multiply(BigInteger.valueOf(n - j)).divide(BigInteger.valueOf(j + 1));
    }
    return new BigDecimal(sum).divide(new BigDecimal(all.pow(n)), DIGITS).doubleValue();
  }

  /**
   * Counts in 2,000 filters filled at random, each position as often as an element derives it, or
   * in blocks each distinct position once. The mean is that of the formula within 5.73 standard
   * errors, taken from the sample: α = 10<sup>-8</sup>. These are checked to be a fifth of the mean
   * at most, so that an error of two fifths is found with a power above 0.99.
   */
  @ParameterizedTest
  @CsvSource({"60, 40, 8, 1", "40, 100, 8, 4", "30, 64, 6, 8", "300, 200, 10, 1"})
  void isThatOfFiltersFilledAtRandom(int n, int m, int k, int copies) {
    double expected = new FlatShape(m, k).expectedOverflowedCounters(n, copies);
    assertMeanOfRandomFilters(expected, n, m, k, copies, false, (random, i) -> random.nextInt(m));
  }

  @ParameterizedTest
  @CsvSource({"200, 2, 16, 1", "80, 2, 8, 4", "60, 2, 6, 8"})
  void isThatOfBlocksFilledAtRandom(int n, int b, int k, int copies) {
    long[] hash = new long[1];
    BlockedShape shape = new BlockedShape(b, 128, k);
    double expected = shape.expectedOverflowedCounters(n, copies);
    ToIntBiFunction<SplittableRandom, Integer> split =
        (random, i) -> {
          if (i == 0) {
            hash[0] = random.nextLong();
          }
          return (int) shape.positionOf(hash[0], i);
        };
    assertMeanOfRandomFilters(expected, n, 128 * b, k, copies, true, split);
  }

  private static void assertMeanOfRandomFilters(
      double expected,
      int n,
      int m,
      int k,
      int copies,
      boolean distinct,
      ToIntBiFunction<SplittableRandom, Integer> position) {
    int filters = 2000;
    SplittableRandom random = new SplittableRandom(20_260_102);
    double sum = 0;
    double sumOfSquares = 0;
    for (int f = 0; f < filters; f++) {
      int[] counts = new int[m];
      int[] lastElement = new int[m];
      for (int element = 1; element <= n; element++) {
        for (int i = 0; i < k; i++) {
          int p = position.applyAsInt(random, i);
          if (!distinct || lastElement[p] != element) {
            lastElement[p] = element;
            counts[p] += copies;
          }
        }
      }
      int overflowed = 0;
      for (int count : counts) {
        overflowed += count > 15 ? 1 : 0;
      }
      sum += overflowed;
      sumOfSquares += (double) overflowed * overflowed;
    }
    double mean = sum / filters;
    double standardError = Math.sqrt((sumOfSquares / filters - mean * mean) / filters);
    assertTrue(5.73 * standardError < expected / 5, "too few filters: " + standardError);
    assertEquals(expected, mean, 5.73 * standardError);
  }

  /** L. Fan et al., 2000, section V.C: (e · ln 2 / 16)^16 a counter, where half are set. */
  @Test
  void liesBelowTheBoundOfFanAndOthers() {
    double bound = Math.pow(Math.E * Math.log(2) / 16, 16);
    assertEquals(1.37e-15, bound, 0.005e-15);
    for (int k = 1; k <= 20; k++) {
      long m = Math.round(TEN_MILLION * k / Math.log(2));
      double aCounter = new FlatShape(m, k).expectedOverflowedCounters(TEN_MILLION, 1) / m;
      assertTrue(aCounter < bound);
      assertEquals(7.0728e-17, aCounter, 0.0005e-17); // Poisson's tail from 16 at ln 2
      double atFourTimesTheLoad =
          new FlatShape(m, k).expectedOverflowedCounters(4 * TEN_MILLION, 1);
      assertEquals(4.3438e-8, atFourTimesTheLoad / m, 0.0005e-8);
    }
    for (long n = 1; n <= TEN_MILLION; n *= 10) {
      for (double fpp : new double[] {0.1, 0.01, 0.001, 1e-6}) {
        FlatShape flat = Shape.of(n, fpp);
        assertTrue(flat.expectedOverflowedCounters(n, 1) < bound * flat.positions());
        BlockedShape blocked = BlockedShape.ofCounters(n, fpp);
        assertTrue(blocked.expectedOverflowedCounters(n, 1) < bound * blocked.positions());
      }
    }
  }

  /** The figures of the two comments. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1.6e-16, 1.1e-21",
    "1, 2, 1.1e-6, 3.2e-9",
    "1, 4, 6.7e-3, 4.2e-4",
    "1, 8, 0.17, 0.046",
    "4, 1, 8.7e-8, 1.7e-12",
  })
  void isAsPublishedAtOnePercent(int load, int copies, double ofFlat, double ofBlocks) {
    FlatShape flat = Shape.of(TEN_MILLION, 0.01);
    BlockedShape blocked = BlockedShape.ofCounters(TEN_MILLION, 0.01);
    double flatTail = flat.expectedOverflowedCounters(load * TEN_MILLION, copies);
    double blockedTail = blocked.expectedOverflowedCounters(load * TEN_MILLION, copies);
    assertEquals(ofFlat, SignificantDigits.round(flatTail / flat.positions(), 2));
    assertEquals(ofBlocks, SignificantDigits.round(blockedTail / blocked.positions(), 2));
  }

  @Test
  void sixteenCopiesExceedEveryCounterThatIsSet() {
    for (long copies : new long[] {16, 17, Long.MAX_VALUE}) {
      double set = BloomFormulas.expectedSetPositions(1000, 9585, 7);
      assertEquals(
          set, new FlatShape(9585, 7).expectedOverflowedCounters(1000, copies), set * 1e-12);
      double inBlocks = BlockedFormulas.expectedSetPositions(1000, 98, 128, 4);
      assertEquals(
          inBlocks,
          new BlockedShape(98, 128, 4).expectedOverflowedCounters(1000, copies),
          inBlocks * 1e-12);
    }
  }

  @Property(tries = 300, seed = "20")
  void risesWithTheElementsAndTheCopies(
      @ForAll @IntRange(min = 0, max = 3000) int n,
      @ForAll @IntRange(min = 1, max = 3000) int m,
      @ForAll @IntRange(min = 1, max = 20) int k,
      @ForAll @IntRange(min = 1, max = 15) int copies) {
    FlatShape shape = new FlatShape(m, k);
    double overflowed = shape.expectedOverflowedCounters(n, copies);
    assertTrue(overflowed >= 0 && overflowed <= m);
    double slack = 1e-12 * m;
    assertTrue(shape.expectedOverflowedCounters(n + 1, copies) >= overflowed - slack);
    assertTrue(shape.expectedOverflowedCounters(n, copies + 1) >= overflowed - slack);
  }

  @Test
  void theExtremesEqualTheManualResults() {
    assertEquals(0, new FlatShape(1, 1).expectedOverflowedCounters(15, 1));
    assertEquals(1, new FlatShape(1, 1).expectedOverflowedCounters(16, 1));
    assertEquals(0, new FlatShape(1, 3).expectedOverflowedCounters(5, 1));
    assertEquals(1, new FlatShape(1, 3).expectedOverflowedCounters(6, 1));
    assertEquals(0, new FlatShape(1, 7).expectedOverflowedCounters(1, 2));
    assertEquals(1, new FlatShape(1, 8).expectedOverflowedCounters(1, 2));
    assertEquals(1, new FlatShape(1, 64).expectedOverflowedCounters(1, 1));
    assertEquals(0, new FlatShape(100, 7).expectedOverflowedCounters(0, Long.MAX_VALUE));
    double max = Shape.MAX_POSITIONS;
    assertEquals(max, new FlatShape(1L << 37, 64).expectedOverflowedCounters(Long.MAX_VALUE, 1));
    assertEquals(
        max / 2, new BlockedShape(1L << 29, 128, 2).expectedOverflowedCounters(Long.MAX_VALUE, 1));
  }
}
