package io.bloomkit.testkit.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.testkit.internal.ContractSeeds;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FillTestTest {

  private static final long SEED = ContractSeeds.HISTORY;

  @Test
  void independentThrowsAreAccepted() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (long n : new long[] {1, 2, 10}) {
      FlatShape shape = Shape.of(n, 0.01);
      long[] thrown =
          thrown(
              random,
              shape,
              n * shape.hashes(),
              FillTest.filtersForLaw(FillDistribution.of(shape), n));
      StatisticalResult result = FillTest.ofLaw(FillDistribution.of(shape), n, thrown);
      result.assertHolds();
      assertTrue(result.power() > 0.99, result.toString());
    }
    for (long n : new long[] {100, 1000}) {
      FlatShape shape = Shape.of(n, 0.01);
      long[] thrown =
          thrown(
              random,
              shape,
              n * shape.hashes(),
              FillTest.filtersForTotals(FillDistribution.of(shape), n));
      StatisticalResult result = FillTest.ofTotals(FillDistribution.of(shape), n, thrown);
      result.assertHolds();
      assertTrue(result.power() > 0.98, result.toString());
    }
  }

  /** A filter that uses two percent more or fewer positions than its k, or draws them unevenly. */
  @Test
  void anotherNumberOfThrowsIsRejected() {
    SplittableRandom random = new SplittableRandom(SEED);
    FlatShape small = Shape.of(10, 0.01);
    for (int throwsMade : new int[] {10 * small.hashes() - 2, 10 * small.hashes() + 2}) {
      long[] thrown =
          thrown(random, small, throwsMade, FillTest.filtersForLaw(FillDistribution.of(small), 10));
      assertTrue(FillTest.ofLaw(FillDistribution.of(small), 10, thrown).isRejected());
    }
    FlatShape large = Shape.of(1000, 0.01);
    for (int percent : new int[] {97, 103}) {
      long[] thrown =
          thrown(
              random,
              large,
              1000L * large.hashes() * percent / 100,
              FillTest.filtersForTotals(FillDistribution.of(large), 1000));
      assertTrue(FillTest.ofTotals(FillDistribution.of(large), 1000, thrown).isRejected());
    }
  }

  /** X of filters that a random generator fills. */
  private static long[] thrown(
      SplittableRandom random, FlatShape shape, long throwsMade, int filters) {
    long[] setPositions = new long[filters];
    BitSet bits = new BitSet();
    for (int i = 0; i < filters; i++) {
      bits.clear();
      for (long t = 0; t < throwsMade; t++) {
        bits.set((int) random.nextLong(shape.positions()));
      }
      setPositions[i] = bits.cardinality();
    }
    return setPositions;
  }

  /** The mean is right here, and only the law is not. */
  @Test
  void aConstantNumberOfSetPositionsIsRejected() {
    FlatShape shape = Shape.of(10, 0.01);
    long mean =
        Math.round(BloomFormulas.expectedSetPositions(10, shape.positions(), shape.hashes()));
    long[] constant = new long[1000];
    Arrays.fill(constant, mean);
    assertTrue(FillTest.ofLaw(FillDistribution.of(shape), 10, constant).isRejected());
  }

  @Test
  void anImpossibleNumberOfSetPositionsIsRejected() {
    FlatShape shape = new FlatShape(96, 7);
    assertTrue(FillTest.ofLaw(FillDistribution.of(shape), 1, new long[] {8}).isRejected());
    assertTrue(FillTest.ofLaw(FillDistribution.of(shape), 1, new long[] {0}).isRejected());
    assertTrue(FillTest.ofLaw(FillDistribution.of(shape), 1, new long[] {-1}).isRejected());
    assertFalse(FillTest.ofLaw(FillDistribution.of(shape), 1, new long[] {7}).isRejected());
  }

  @Test
  void aNumberThatCannotVaryMustBeExact() {
    FlatShape one = new FlatShape(1, 1);
    assertFalse(FillTest.ofTotals(FillDistribution.of(one), 5, new long[] {1, 1, 1}).isRejected());
    assertTrue(FillTest.ofTotals(FillDistribution.of(one), 5, new long[] {1, 1, 0}).isRejected());
    assertFalse(FillTest.ofLaw(FillDistribution.of(one), 5, new long[] {1, 1, 1}).isRejected());
  }

  /**
   * The rate of one filter varies with its fill by 12 % at n = 100, 3.9 % at 1000 and 0.12 % at a
   * million, at 1 %.
   */
  @Test
  void asManyFiltersAreNeededAsTheSpreadOfTheRateSays() {
    double deviations = 5.7307 + 2.3263;
    assertNeeded(square(deviations * 0.12 / 0.1), 100);
    assertNeeded(square(deviations * 0.039 / 0.1), 1000);
    assertNeeded(1, 1_000_000);
  }

  private static double square(double x) {
    return x * x;
  }

  private static void assertNeeded(double expected, long elements) {
    int needed = FillTest.filtersForTotals(FillDistribution.of(Shape.of(elements, 0.01)), elements);
    assertEquals(1, needed / expected, 0.2, "filters of " + elements + ": " + needed);
  }
}
