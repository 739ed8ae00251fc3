package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A shape for n elements at ε errs at 1.01 ε or less, with no position more than that takes. */
class ShapePromiseTest {

  private static final double TOLERANCE = 1.01;

  @Property(tries = 1500, seed = "10")
  void theRateIsAtMostOnePercentAboveThePlannedOne(
      @ForAll @DoubleRange(min = 0, max = 5) @Scale(5) double log10OfElements,
      @ForAll @DoubleRange(min = -9, max = -0.00437) @Scale(5) double log10OfFpp) {
    assertPromiseHolds(Math.round(Math.pow(10, log10OfElements)), Math.pow(10, log10OfFpp));
  }

  /** High rates, where the textbook's positions are raised most often. */
  @Property(tries = 500, seed = "11")
  void theRateIsAtMostOnePercentAboveAHighOneToo(
      @ForAll @DoubleRange(min = 3, max = 6) @Scale(5) double log10OfElements,
      @ForAll @DoubleRange(min = 0.05, max = 0.99) @Scale(5) double fpp) {
    assertPromiseHolds(Math.round(Math.pow(10, log10OfElements)), fpp);
  }

  private static void assertPromiseHolds(long n, double fpp) {
    Assume.that(fpp >= BloomFormulas.hashFloor(n));
    FlatShape shape = Shape.of(n, fpp);
    double max = TOLERANCE * fpp;
    assertTrue(shape.fpp(n) <= max, () -> shape + " errs at " + shape.fpp(n) + ", not " + max);
    long textbook = BloomFormulas.optimalPositions(n, fpp);
    assertTrue(shape.positions() >= textbook);
    if (shape.positions() > textbook) {
      long oneLess = shape.positions() - 1;
      int hashes = BloomFormulas.bestHashes(n, oneLess);
      assertTrue(BloomFormulas.exactFpp(n, oneLess, hashes) > max, () -> shape + " is too large");
    }
  }

  /** The textbook's size alone breaks the promise here, so the properties above can fail. */
  @ParameterizedTest
  @CsvSource({"1, 0.01", "2, 0.01", "10, 1e-6", "100000, 0.35", "1000, 0.9"})
  void theTextbooksSizeWouldNotDo(long n, double fpp) {
    long textbook = BloomFormulas.optimalPositions(n, fpp);
    double rate = BloomFormulas.exactFpp(n, textbook, BloomFormulas.bestHashes(n, textbook));
    assertTrue(rate > TOLERANCE * fpp);
    assertTrue(Shape.of(n, fpp).positions() > textbook);
  }
}
