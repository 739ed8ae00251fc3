package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The number of set positions: its law, its mean and variance, and the estimate taken from it. */
class SetPositionsTest {

  @ParameterizedTest
  @CsvSource({"0,3,2", "1,1,1", "1,2,1", "3,2,2", "2,3,2", "2,4,3", "4,5,2", "3,6,2"})
  void theDistributionIsTheCountOfAllOutcomes(int n, int m, int k) {
    OccupancyByCounting counted = new OccupancyByCounting(n, m, k);
    double[] distribution = BloomFormulas.distributionOfSetPositions(n, m, k);
    assertEquals(Math.min(m, n * k) + 1, distribution.length);
    for (int x = 0; x < distribution.length; x++) {
      assertEquals(counted.probability(x), distribution[x], 1e-14);
    }
    assertEquals(counted.variance(), BloomFormulas.varianceOfSetPositions(n, m, k), 1e-12);
  }

  @Property(tries = 300, seed = "3")
  void meanAndVarianceAreThoseOfTheDistribution(
      @ForAll @IntRange(min = 0, max = 80) int n,
      @ForAll @IntRange(min = 1, max = 150) int m,
      @ForAll @IntRange(min = 1, max = 12) int k) {
    double[] distribution = BloomFormulas.distributionOfSetPositions(n, m, k);
    double mean = 0;
    for (int x = 0; x < distribution.length; x++) {
      mean += x * distribution[x];
    }
    double variance = 0;
    for (int x = 0; x < distribution.length; x++) {
      variance += (x - mean) * (x - mean) * distribution[x];
    }
    assertEquals(mean, BloomFormulas.expectedSetPositions(n, m, k), 1e-12 * m);
    assertEquals(variance, BloomFormulas.varianceOfSetPositions(n, m, k), 1e-12 * m);
  }

  @Test
  void aQueryOfAnAbsentElementStopsAtTheFirstUnsetPosition() {
    assertEquals(1, BloomFormulas.expectedProbesOfAbsent(0, 8, 5)); // nothing is set
    assertEquals(5, BloomFormulas.expectedProbesOfAbsent(1000, 8, 5)); // everything is
    assertEquals(1, BloomFormulas.expectedProbesOfAbsent(3, 8, 1));
    // One element, two throws of two: 3/4 set on average. 1 + 3/4.
    assertEquals(1.75, BloomFormulas.expectedProbesOfAbsent(1, 2, 2), 1e-15);
    // Two elements at two hashes of four: 1 - (3/4)^4 = 175/256.
    assertEquals(1.68359375, BloomFormulas.expectedProbesOfAbsent(2, 4, 2), 1e-15);
    FlatShape full = Shape.of(1_000_000, 0.001);
    assertEquals(
        2, BloomFormulas.expectedProbesOfAbsent(1_000_000, full.positions(), full.hashes()), 0.03);
  }

  @Test
  void theVarianceOfOneAndTwoPositionsEqualsTheManualResult() {
    assertEquals(0, BloomFormulas.varianceOfSetPositions(5, 1, 3));
    assertEquals(0, BloomFormulas.varianceOfSetPositions(0, 2, 3));
    assertEquals(0, BloomFormulas.varianceOfSetPositions(1, 2, 1));
    assertEquals(0.25, BloomFormulas.varianceOfSetPositions(2, 2, 1), 1e-16);
    assertEquals(0.1875, BloomFormulas.varianceOfSetPositions(3, 2, 1), 1e-16);
  }

  /** Computed in arithmetic of 80 digits; the terms cancel by up to 33 of them. */
  @ParameterizedTest
  @CsvSource({
    "1, 137438953472, 7, 1.5279510988747579037e-10",
    "1000, 137438953472, 7, 0.00017823548056914191946",
    "1000000, 137438953472, 7, 178.24580485122741638",
    "10000000000, 137438953472, 9, 10015569046.266706433",
    "1000000, 9585059, 7, 768408.6591727899079",
  })
  void theVarianceIsRightAtAnySize(long n, long m, int k, double variance) {
    assertEquals(variance, BloomFormulas.varianceOfSetPositions(n, m, k), variance * 1e-14);
    assertTrue(variance < BloomFormulas.expectedSetPositions(n, m, k));
  }

  @Test
  void aSingleHashSetsExactlyOnePosition() {
    for (long m : new long[] {1, 2, 3, 1000, 1L << 37}) {
      assertEquals(1, BloomFormulas.expectedSetPositions(1, m, 1), 1e-15);
      assertEquals(0, BloomFormulas.varianceOfSetPositions(1, m, 1));
    }
    for (long m = 2; m <= 100; m++) {
      assertEquals(0, BloomFormulas.varianceOfSetPositions(1, m, 1));
    }
  }

  @Property(tries = 500, seed = "4")
  void theEstimateInvertsTheMean(
      @ForAll @LongRange(min = 1, max = 1_000_000_000) long n,
      @ForAll @LongRange(min = 1_000, max = 1L << 37) long m,
      @ForAll @IntRange(min = 1, max = 64) int k) {
    long set = Math.round(BloomFormulas.expectedSetPositions(n, m, k));
    if (set == m) {
      return;
    }
    double estimate = BloomFormulas.estimatedElements(set, m, k);
    // Rounding X to a whole number moves the estimate by at most half a position's worth.
    double positionsOfOneMore = k * (double) (m - set) / m;
    assertEquals(
        (double) n, estimate, 0.51 / positionsOfOneMore * (m - set) / (m - set - 0.5) + 1e-9 * n);
  }

  @Test
  void anEmptyFilterIsEstimatedAtPlainZeroAndAFullOneAtInfinity() {
    // A negative zero would show as "-0.0".
    assertEquals("0.0", Double.toString(BloomFormulas.estimatedElements(0, 100, 3)));
    assertEquals("0.0", Double.toString(BloomFormulas.estimatedElements(0, 1, 3)));
    assertEquals(Double.POSITIVE_INFINITY, BloomFormulas.estimatedElements(100, 100, 3));
    assertEquals(Double.POSITIVE_INFINITY, BloomFormulas.estimatedElements(1, 1, 1));
  }
}
