package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds the exact rate to three independent ways of getting it: the law of the set positions taken
 * throw by throw, every possible outcome counted, and figures from elsewhere for extreme filters.
 */
class ExactFppTest {

  @Property(tries = 300, seed = "1")
  void equalsTheCountOfAllOutcomes(
      @ForAll @IntRange(min = 0, max = 30) int n,
      @ForAll @IntRange(min = 1, max = 90) int m,
      @ForAll @IntRange(min = 1, max = 12) int k) {
    double counted = new OccupancyByCounting(n, m, k).moment(k);
    assertEquals(counted, BloomFormulas.exactFpp(n, m, k), counted * 1e-13);
  }

  /** More throws than are followed one by one, so that the published sum is taken. */
  @ParameterizedTest
  @CsvSource({"25, 60, 16", "40, 90, 10", "300, 80, 1", "120, 100, 3", "5, 140, 33", "9, 200, 64"})
  void equalsTheCountOfAllOutcomesWhereTheSumIsTaken(int n, int m, int k) {
    double counted = new OccupancyByCounting(n, m, k).moment(k);
    assertEquals(counted, BloomFormulas.exactFpp(n, m, k), 2 * Math.ulp(counted));
  }

  @Property(tries = 200, seed = "30")
  void equalsTheMomentOfTheDistributionOfSetPositions(
      @ForAll @IntRange(min = 60, max = 120) int n,
      @ForAll @IntRange(min = 150, max = 300) int m,
      @ForAll @IntRange(min = 1, max = 24) int k) {
    double[] distribution = BloomFormulas.distributionOfSetPositions(n, m, k);
    double expected = 0;
    for (int x = 0; x < distribution.length; x++) {
      expected += distribution[x] * Math.pow((double) x / m, k);
    }
    // The law's own error grows with the number of throws, each of which rounds three times.
    assertEquals(expected, BloomFormulas.exactFpp(n, m, k), expected * 1e-15 * (10 + n * k));
  }

  /** Computed in arithmetic of 1,500 digits from the published sum. */
  @ParameterizedTest
  @CsvSource({
    "10000000000, 137438953472, 64, 0.54290836682957920268",
    "1000000000, 137438953472, 40, 1.2340891904773424544e-24",
    "2, 3, 5, 0.9548640185625288393",
  })
  void isRightToTheLastBitsAtAnySize(long n, long m, int k, double rate) {
    assertEquals(rate, BloomFormulas.exactFpp(n, m, k), 2 * Math.ulp(rate));
  }

  @Test
  void isZeroWhereTheTruthIsTooSmallForADouble() {
    // 5.708e-598
    assertEquals(0, BloomFormulas.exactFpp(1, 1L << 37, 64));
  }

  @Test
  void isOneInASinglePosition() {
    for (int k : new int[] {1, 2, 7, 64}) {
      assertEquals(1, BloomFormulas.exactFpp(1, 1, k));
      assertEquals(1, BloomFormulas.exactFpp(1_000_000, 1, k));
    }
  }

  @Test
  void isZeroWithoutElements() {
    assertEquals(0, BloomFormulas.exactFpp(0, 1, 1));
    assertEquals(0, BloomFormulas.exactFpp(0, 1L << 37, 64));
  }

  @Test
  void isOneInAFilterThatIsCertainlyFull() {
    assertEquals(1, BloomFormulas.exactFpp(1_000_000_000, 512, 6));
  }

  @Test
  void anAlmostFullFilterIsNotRoundedToFull() {
    for (int n = 200; n <= 500; n++) {
      assertEquals(
          new OccupancyDistribution(96, 7L * n).moment(7), BloomFormulas.exactFpp(n, 96, 7), 5e-15);
    }
  }

  @Test
  void totalHashesUpToTheLargestLongAreAccepted() {
    long max = Long.MAX_VALUE / 7;
    assertEquals(1, BloomFormulas.exactFpp(max, 96, 7));
    assertThrows(IllegalArgumentException.class, () -> BloomFormulas.exactFpp(max + 1, 96, 7));
  }

  @Property(tries = 300, seed = "2")
  void isNeverBelowTheClassicFormula(
      @ForAll @IntRange(min = 1, max = 1000) int n,
      @ForAll @IntRange(min = 1, max = 20_000) int m,
      @ForAll @IntRange(min = 1, max = 16) int k) {
    // Jensen's inequality; with one hash they are equal.
    double classic = BloomFormulas.classicFpp(n, m, k);
    assertTrue(BloomFormulas.exactFpp(n, m, k) >= classic * (1 - 1e-12));
  }

  @Test
  void theApproximationsApproachItAsFiltersGrow() {
    double differenceBefore = 1;
    for (long n = 10; n <= 10_000_000; n *= 10) {
      long m = BloomFormulas.optimalPositions(n, 0.01);
      double exact = BloomFormulas.exactFpp(n, m, 7);
      double difference = exact / BloomFormulas.classicFpp(n, m, 7) - 1;
      assertTrue(difference > 0 && difference < differenceBefore / 5, "at n = " + n);
      assertEquals(exact, BloomFormulas.approximateFpp(n, m, 7), exact * 3.0 / n);
      differenceBefore = difference;
    }
  }

  /** The figures of the Javadoc of {@link BloomFormulas#classicFpp}. */
  @Test
  void theClassicFormulaIsTooLowByTheStatedShare() {
    assertEquals(
        0.062, 1 - BloomFormulas.classicFpp(10, 96, 7) / BloomFormulas.exactFpp(10, 96, 7), 5e-4);
    assertEquals(
        0.00065,
        1 - BloomFormulas.classicFpp(1000, 9600, 7) / BloomFormulas.exactFpp(1000, 9600, 7),
        5e-6);
  }
}
