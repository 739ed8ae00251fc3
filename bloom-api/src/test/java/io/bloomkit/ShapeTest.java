package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.internal.IndexDerivation;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shapes by their factories, and their limits. */
class ShapeTest {

  private static final long TWO_TO_37 = 137_438_953_472L;

  @ParameterizedTest
  @CsvSource({
    "20000000, 0.01, 191701168, 7",
    "1000000, 0.01, 9585059, 7",
    "1000000, 0.001, 14377588, 10",
    "10000000, 1e-6, 287551752, 20",
    "1000000000, 0.01, 9585058378, 7",
  })
  void isTheTextbooksWhereThatKeepsThePromise(long n, double fpp, long m, int k) {
    assertEquals(new FlatShape(m, k), Shape.of(n, fpp));
    assertEquals(m, BloomFormulas.optimalPositions(n, fpp));
    assertEquals(0.6931 * m / k, Shape.of(n, fpp).estimatedElements(m / 2), 0.001 * n);
  }

  @Test
  void aRateThatIsMetToTheLastBitIsEnough() {
    int met = 0;
    for (long n : new long[] {1, 2, 3, 5, 9, 100, 1000}) {
      for (long m = 2; m <= 8 * n; m += 1 + n / 20) {
        int k = BloomFormulas.bestHashes(n, m);
        double rate = BloomFormulas.exactFpp(n, m, k);
        double fpp = rate / 1.01;
        if (1.01 * fpp == rate && BloomFormulas.optimalPositions(n, fpp) <= m) {
          assertEquals(new FlatShape(m, k), Shape.of(n, fpp));
          met++;
        }
      }
    }
    assertTrue(met > 100);
  }

  /** One hash instead of a half: a tenth more than the textbook's positions, and no more. */
  @Test
  void aLargeFilterOfAHighRateIsNotRefusedForASizeThatItDoesNotNeed() {
    long n = 160_000_000_000L;
    FlatShape shape = Shape.of(n, 0.7);
    assertEquals(1, shape.hashes());
    assertEquals(1.01 * 0.7, shape.fpp(n), 1e-10);
    assertTrue(shape.positions() < TWO_TO_37);
  }

  @Test
  void aPowerOfTwoIsUsedWithTheHashesThatSuitIt() {
    assertEquals(new FlatShape(1L << 28, 9), Shape.ofPowerOfTwo(20_000_000, 0.01));
    assertTrue(Shape.ofPowerOfTwo(20_000_000, 0.01).fpp(20_000_000) < 0.01);
    for (int k : new int[] {8, 10}) {
      assertTrue(
          new FlatShape(1L << 28, k).fpp(20_000_000) > new FlatShape(1L << 28, 9).fpp(20_000_000));
    }
  }

  @Test
  void positionsPerElementAreRoundedUpToAWholeNumberOfPositions() {
    assertEquals(new FlatShape(10, 3), Shape.ofPositionsPerElement(3, 3.1, 3));
    assertEquals(new FlatShape(1, 1), Shape.ofPositionsPerElement(1, 0.001, 1));
  }

  @Test
  void thePresetsTakeTheBestNumberOfHashes() {
    assertEquals(new FlatShape(4_800_000, 3), Shape.highError(1_000_000));
    assertEquals(new FlatShape(9_600_000, 7), Shape.middleError(1_000_000));
    assertEquals(new FlatShape(14_400_000, 10), Shape.lowError(1_000_000));
  }

  @Test
  void theLimitsThemselvesAreAllowed() {
    assertEquals(TWO_TO_37, Shape.MAX_POSITIONS);
    assertEquals(64, FlatShape.MAX_HASHES);
    assertEquals(TWO_TO_37, new FlatShape(TWO_TO_37, 64).positions());
    assertEquals(1, new FlatShape(1, 1).fpp(1));
    assertEquals(TWO_TO_37, Shape.ofPositionsPerElement(1L << 33, 16, 11).positions());
    assertEquals(TWO_TO_37, Shape.ofPowerOfTwo(10_000_000_000L, 0.01).positions());
  }

  @Test
  void sizeAboveTheLargestIsRefusedByBothFigures() {
    assertRefusedAsTooLarge(() -> Shape.of(20_000_000_000L, 0.01));
    assertRefusedAsTooLarge(() -> Shape.of(1L << 55, 0.99));
    assertRefusedAsTooLarge(() -> Shape.ofPowerOfTwo(20_000_000_000L, 0.01));
    assertRefusedAsTooLarge(() -> Shape.ofPositionsPerElement(1L << 33, 16.01, 11));
    assertRefusedAsTooLarge(() -> Shape.ofPositionsPerElement(1, Double.POSITIVE_INFINITY, 1));
    assertRefusedAsTooLarge(() -> Shape.ofPositionsPerElement(Long.MAX_VALUE, 1e300, 1));
    assertRefusedAsTooLarge(() -> Shape.lowError(1L << 35));
  }

  private static void assertRefusedAsTooLarge(Executable call) {
    Refusals.assertRefused(call, "above the largest number, " + TWO_TO_37);
  }

  @ParameterizedTest
  @CsvSource({"1, 3.2e-19", "1000000, 3e-13", "1000000000, 3e-10", "1, 4.9e-324"})
  void aRateBelowWhat64BitsAllowIsRefused(long n, double fpp) {
    Refusals.assertRefused(
        () -> Shape.of(n, fpp),
        "fpp must be at least " + BloomFormulas.hashFloor(n),
        Double.toString(fpp));
  }

  @Test
  void aRateAtTheFloorIsAllowed() {
    assertTrue(Shape.of(1, BloomFormulas.hashFloor(1)).hashes() <= FlatShape.MAX_HASHES);
    assertTrue(Shape.of(1_000_000, BloomFormulas.hashFloor(1_000_000)).positions() > 59_000_000);
  }

  @Test
  void fppIsTheExactRate() {
    assertEquals(BloomFormulas.exactFpp(10, 96, 7), new FlatShape(96, 7).fpp(10));
  }

  @Test
  void positionsAreThoseOfTheDerivation() {
    SplittableRandom random = new SplittableRandom(1);
    for (FlatShape shape :
        new FlatShape[] {
          new FlatShape(1, 1), new FlatShape(100, 7), new FlatShape(Shape.MAX_POSITIONS, 64)
        }) {
      long[] positions = new long[shape.hashes() + 1];
      for (int i = 0; i < 1000; i++) {
        long hash = i < 2 ? -i : random.nextLong();
        shape.positionsOf(hash, positions);
        long state = IndexDerivation.start(hash);
        for (int j = 0; j < shape.hashes(); j++) {
          assertEquals(IndexDerivation.position(state, shape.positions()), positions[j]);
          assertEquals(positions[j], shape.positionOf(hash, j));
          state = IndexDerivation.next(state);
        }
        assertEquals(0, positions[shape.hashes()]);
      }
    }
    assertThrows(
        IndexOutOfBoundsException.class, () -> new FlatShape(100, 7).positionsOf(1, new long[6]));
    assertThrows(IndexOutOfBoundsException.class, () -> new FlatShape(100, 7).positionOf(1, 7));
    assertThrows(IndexOutOfBoundsException.class, () -> new FlatShape(100, 7).positionOf(1, -1));
  }
}
