package io.bloomkit.testkit.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.testkit.internal.ContractSeeds;
import java.util.SplittableRandom;
import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.stat.inference.AlternativeHypothesis;
import org.junit.jupiter.api.Test;

class ChiSquaresTest {

  /** With two degrees of freedom the upper tail is exp(−x/2). */
  @Test
  void theUpperTailIsExactHoweverSmall() {
    for (double x : new double[] {0.1, 1, 10, 50, 100, 500, 1400}) {
      assertEquals(1, ChiSquares.upperTail(x, 2) / Math.exp(-x / 2), 1e-12, "x = " + x);
    }
    assertEquals(0, ChiSquares.upperTail(6.6e7, 255));
    assertEquals(1, ChiSquares.upperTail(0, 255));
  }

  /** Why {@link ChiSquares} takes Q and not the distribution of the library. */
  @Test
  void oneMinusTheCumulativeProbabilityIsZeroWhereItMatters() {
    ChiSquaredDistribution law = new ChiSquaredDistribution(null, 2);
    assertEquals(0, 1 - law.cumulativeProbability(80));
    assertEquals(Math.exp(-40), ChiSquares.upperTail(80, 2), 1e-25);
  }

  /**
   * Why {@link Binomial} is there: the library's two-sided test returns a "probability" above 1.
   */
  @Test
  void theLibrarysTwoSidedBinomialTestExceedsOne() {
    double pValue =
        new org.apache.commons.math3.stat.inference.BinomialTest()
            .binomialTest(10, 5, 0.5, AlternativeHypothesis.TWO_SIDED);
    assertTrue(pValue > 1, "p-value " + pValue);
    assertEquals(1, new Binomial(10, 0.5).twoSidedPValue(5));
  }

  @Test
  void countsThatAreTooUnevenOrTooEvenAreFound() {
    double[] quarters = {0.25, 0.25, 0.25, 0.25};
    int[] even = {1000, 1000, 1000, 1000};
    assertEquals(0, ChiSquares.statistic(even, quarters, 4000));
    assertEquals(0, ChiSquares.twoSidedPValue(0, 3));
    int[] uneven = {1100, 900, 1000, 1000};
    assertEquals(20, ChiSquares.statistic(uneven, quarters, 4000));
    // P(X ≥ 20) with three degrees of freedom: erfc(√10) + √(40/π)·exp(−10).
    assertEquals(1.6974e-4, ChiSquares.upperTail(20, 3), 1e-8);
    assertEquals(2 * 1.6974e-4, ChiSquares.twoSidedPValue(20, 3), 2e-8);
  }

  @Test
  void cellsMayBeExpectedToBeUneven() {
    double[] shares = {0.5, 0.3, 0.2};
    assertEquals(0, ChiSquares.statistic(new int[] {500, 300, 200}, shares, 1000), 1e-12);
    assertEquals(17.5, ChiSquares.statistic(new int[] {550, 300, 150}, shares, 1000), 1e-12);
    ChiSquares tests = new ChiSquares();
    tests.add("as expected", new int[] {5050, 2960, 1990}, shares, 10_000);
    assertTrue(tests.pValue() > 0.1, () -> "p-value " + tests.pValue());
    tests.add("equal", new int[] {3333, 3334, 3333}, shares, 10_000);
    assertTrue(tests.pValue() < 1e-100, () -> "p-value " + tests.pValue());
  }

  @Test
  void theSmallestPValueIsMultipliedByTheNumberOfTests() {
    ChiSquares tests = new ChiSquares();
    assertTrue(tests.isEmpty());
    assertEquals(1, tests.pValue(), "without a test");
    tests.add("even", new int[] {1010, 990, 1000, 1000}, 4000);
    tests.add("uneven", new int[] {1100, 900, 1000, 1000}, 4000);
    tests.add("even too", new int[] {1010, 1000, 990, 1000}, 4000);
    assertFalse(tests.isEmpty());
    assertEquals(3 * 2 * 1.6974e-4, tests.pValue(), 1e-7);
    MultipleTestResult result = tests.result(1e-6);
    assertEquals("chi-square of 4 cells, furthest out of 3: uneven", result.measured());
    assertEquals(20, result.statistic());
    assertEquals(3, result.expected());
  }

  @Test
  void withoutCoinsNothingIsRejected() {
    FairCoins coins = new FairCoins(0);
    coins.begin(10);
    assertTrue(coins.isEmpty());
    assertEquals(1, coins.pValue());
    coins.count(10, (first, second) -> "all heads", 0, 0);
    assertEquals(2 * 0x1p-10, coins.pValue(), 1e-15);
  }

  /** Of uneven cells as many are found as the power says, where it is about a half. */
  @Test
  void thePowerIsTheOneStated() {
    double alpha = 1e-6;
    int observed = 7000;
    int trials = 1000;
    int found = 0;
    double stated = 0;
    SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY);
    for (int trial = 0; trial < trials; trial++) {
      int[] counts = new int[64];
      for (int i = 0; i < observed; i++) {
        boolean more = random.nextDouble() < 0.55;
        counts[2 * random.nextInt(32) + (more ? 1 : 0)]++;
      }
      ChiSquares test = new ChiSquares();
      test.add("uneven", counts, observed);
      MultipleTestResult result = test.result(alpha);
      found += result.pValue() < alpha ? 1 : 0;
      stated = result.power();
    }
    assertTrue(stated > 0.1 && stated < 0.9, "power stated: " + stated);
    assertEquals(stated, (double) found / trials, 0.1);
  }
}
