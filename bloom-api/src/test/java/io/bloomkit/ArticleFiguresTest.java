package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The figures that the source articles print, by the articles' own numbering. */
class ArticleFiguresTest {

  private static final long TWENTY_MILLION = 20_000_000;
  private static final long MILLION = 1_000_000;
  private static final long TWO_TO_28 = 1L << 28;
  private static final double BITS_PER_MEGABYTE = 8e6;

  @Test
  void k1TwentyMillionAtOnePercentTake191701168Positions() {
    assertEquals(191_701_168, BloomFormulas.optimalPositions(TWENTY_MILLION, 0.01));
    assertEquals(191_701_168, Shape.of(TWENTY_MILLION, 0.01).positions());
  }

  @Test
  void k2TheyRoundUpToTwoToThe28() {
    assertEquals(TWO_TO_28, BloomFormulas.roundUpToPowerOfTwo(191_701_168));
    assertEquals(268_435_456, Shape.ofPowerOfTwo(TWENTY_MILLION, 0.01).positions());
  }

  @Test
  void k3TwoToThe28PositionsTakeTenHashes() {
    assertEquals(10, BloomFormulas.optimalHashesRoundedUp(TWENTY_MILLION, TWO_TO_28));
  }

  @Test
  void k3TheOptimalPositionsTakeSevenHashes() {
    assertEquals(7, BloomFormulas.optimalHashesRoundedUp(TWENTY_MILLION, 191_701_168));
    assertEquals(7, BloomFormulas.bestHashes(TWENTY_MILLION, 191_701_168));
    assertEquals(7, Shape.of(TWENTY_MILLION, 0.01).hashes());
  }

  @Test
  void k4TwelveHashesInTwoToThe28PositionsErrAt18InTenThousand() {
    assertEquals(
        0.0018,
        SignificantDigits.round(BloomFormulas.approximateFpp(TWENTY_MILLION, TWO_TO_28, 12), 2));
    assertEquals(
        0.0018, SignificantDigits.round(new FlatShape(TWO_TO_28, 12).fpp(TWENTY_MILLION), 2));
  }

  @Test
  void j1OneHashIsTheBitmapWhoseRateIsItsFill() {
    FlatShape bitmap = new FlatShape(1000, 1);
    assertEquals(BloomFormulas.expectedSetPositions(100, 1000, 1) / 1000, bitmap.fpp(100), 1e-15);
  }

  @Test
  void j2AnElementTakes144TimesTheBinaryLogarithm() {
    double bits = BloomFormulas.optimalPositionsPerElement(0.01);
    assertEquals(9.6, SignificantDigits.round(bits, 2));
    assertEquals(1.44, SignificantDigits.round(bits / (Math.log(100) / Math.log(2)), 3));
  }

  @Test
  void j2OnePercentTakes67Hashes() {
    long m = BloomFormulas.optimalPositions(MILLION, 0.01);
    assertEquals(6.6, BloomFormulas.optimalHashes(MILLION, m), 0.05);
    // The article multiplies the rounded 9.6 bits by ln 2.
    assertEquals(6.7, SignificantDigits.round(9.6 * Math.log(2), 2));
    assertEquals(6.7, SignificantDigits.round(BloomFormulas.optimalHashes(10, 96), 2));
  }

  @Test
  void j2ATenthOfTheErrorCosts48BitsMore() {
    for (double fpp : new double[] {0.1, 0.01, 1e-3, 1e-6}) {
      double more =
          BloomFormulas.optimalPositionsPerElement(fpp / 10)
              - BloomFormulas.optimalPositionsPerElement(fpp);
      assertEquals(4.8, SignificantDigits.round(more, 2));
    }
  }

  @Test
  void j2HalfOfAllPositionsAreSetAtTheOptimum() {
    // The number of positions at which the whole number seven is the optimum.
    long m = Math.round(7 * MILLION / Math.log(2));
    assertEquals(0.5, BloomFormulas.expectedSetPositions(MILLION, m, 7) / m, 1e-6);
  }

  @Test
  void j2TheTwoFormulasAgreeForManyElements() {
    long m = BloomFormulas.optimalPositions(MILLION, 0.01);
    double exactOfTheArticle = BloomFormulas.classicFpp(MILLION, m, 7);
    assertEquals(exactOfTheArticle, BloomFormulas.approximateFpp(MILLION, m, 7), 1e-8);
    assertEquals(Math.pow(1 - Math.pow(1 - 1.0 / m, 7.0 * MILLION), 7), exactOfTheArticle, 1e-10);
  }

  @Test
  void j4TheRateIsComputedForAnyNumberOfElements() {
    FlatShape shape = Shape.of(MILLION, 0.01);
    assertEquals(0, shape.fpp(0));
    double before = 0;
    for (long n = 1; n <= 1L << 30; n *= 2) {
      double rate = shape.fpp(n);
      assertTrue(rate > before || rate == 1, () -> "the rate must rise: " + rate);
      before = rate;
    }
    assertEquals(1, before, 1e-12);
  }

  @Test
  void q1ThePresetsHave48And96And144BitsAnElement() {
    assertEquals(4_800_000, Shape.highError(MILLION).positions());
    assertEquals(9_600_000, Shape.middleError(MILLION).positions());
    assertEquals(14_400_000, Shape.lowError(MILLION).positions());
    assertEquals(0.1, Shape.highError(MILLION).fpp(MILLION), 0.002);
    assertEquals(0.01, Shape.middleError(MILLION).fpp(MILLION), 0.0002);
    assertEquals(0.001, Shape.lowError(MILLION).fpp(MILLION), 0.00002);
  }

  @Test
  void q1BitsAndElementsAndHashesAreSetDirectly() {
    assertEquals(
        new FlatShape(9_600_000, 3), Shape.ofPositionsPerElement(MILLION, 9.6, 3), "c, n and k");
  }

  @Test
  void q4AMillionTextsAt144BitsErrAt99InAHundredThousand() {
    FlatShape shape = Shape.lowError(MILLION);
    assertEquals(10, shape.hashes());
    assertEquals(0.00099, SignificantDigits.round(shape.fpp(MILLION), 2));
    // Measured 994 of a million, well within a binomial standard deviation of 31.
    assertEquals(994, MILLION * shape.fpp(MILLION), 31);
  }

  @Test
  void q5AMillionAccountsTake12MegabytesAtOnePercentAnd18AtATenth() {
    assertEquals(1.2, megabytes(Shape.of(MILLION, 0.01)));
    assertEquals(1.8, megabytes(Shape.of(MILLION, 0.001)));
  }

  private static double megabytes(FlatShape shape) {
    return SignificantDigits.round(shape.positions() / BITS_PER_MEGABYTE, 2);
  }
}
