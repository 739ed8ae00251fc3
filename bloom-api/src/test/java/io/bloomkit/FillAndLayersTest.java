package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rate of a known state, and how the rates of layers add up. */
class FillAndLayersTest {

  @Property(tries = 2000, seed = "7")
  void fillAtFppIsTheInverseOfFppAtFillToTheLastPosition(
      @ForAll @LongRange(min = 1, max = 1L << 37) long m,
      @ForAll @IntRange(min = 1, max = 64) int k,
      @ForAll @DoubleRange(min = -18, max = -0.00001) @Scale(5) double log10OfFpp) {
    assertIsLastFillWithin(m, k, Math.pow(10, log10OfFpp));
  }

  @Property(tries = 2000, seed = "8")
  void fillAtFppFindsTheVeryFillThatARateCameFrom(
      @ForAll @LongRange(min = 2, max = 1L << 37) long m,
      @ForAll @IntRange(min = 1, max = 64) int k,
      @ForAll @DoubleRange(min = 0.3, max = 0.999) @Scale(5) double fill) {
    long set = Math.max(1, (long) (m * fill));
    double fpp = BloomFormulas.fppAtFill(set, m, k);
    if (fpp > 0 && fpp < 1 && BloomFormulas.fppAtFill(set + 1, m, k) > fpp) {
      assertEquals(set, BloomFormulas.fillAtFpp(m, k, fpp));
    }
  }

  @Test
  void aRateJustBelowOneFillsAllPositionsButOne() {
    double fpp = Math.nextDown(1.0); // its 64th root is rounded to 1
    assertEquals(9, BloomFormulas.fillAtFpp(10, 64, fpp));
    assertIsLastFillWithin(10, 64, fpp);
  }

  private static void assertIsLastFillWithin(long m, int k, double fpp) {
    long set = BloomFormulas.fillAtFpp(m, k, fpp);
    assertTrue(set >= 0 && set < m);
    assertTrue(BloomFormulas.fppAtFill(set, m, k) <= fpp);
    assertTrue(BloomFormulas.fppAtFill(set + 1, m, k) > fpp);
  }

  @Test
  void fppAtFillIsZeroWhenEmptyAndOneWhenFull() {
    assertEquals(0, BloomFormulas.fppAtFill(0, 100, 7));
    assertEquals(1, BloomFormulas.fppAtFill(100, 100, 7));
    assertEquals(1 / 128.0, BloomFormulas.fppAtFill(50, 100, 7));
  }

  @Property(tries = 300, seed = "9")
  void theLayersOfAScalableFilterAddUpToItsRate(
      @ForAll @DoubleRange(min = -9, max = -0.01) @Scale(5) double log10OfFpp,
      @ForAll @DoubleRange(min = 0.1, max = 0.95) double ratio) {
    double fpp = Math.pow(10, log10OfFpp);
    int layers = 1000;
    double[] rates = new double[layers];
    double sum = 0;
    for (int i = 0; i < layers; i++) {
      rates[i] = BloomFormulas.layerFpp(fpp, ratio, i);
      assertTrue(i == 0 || rates[i] < Double.MIN_NORMAL || rates[i] < rates[i - 1]);
      sum += rates[i];
    }
    assertEquals(fpp, sum, fpp * 1e-12);
    assertTrue(BloomFormulas.compoundFpp(rates) <= fpp * (1 + 1e-12));
  }

  @Test
  void theFirstLayerGetsTheRateTimesOneLessTheRatio() {
    assertEquals(0.005, BloomFormulas.layerFpp(0.01, 0.5, 0), 1e-18);
    assertEquals(0.01 * 0.1 * 0.81, BloomFormulas.layerFpp(0.01, 0.9, 2), 1e-18);
  }

  @Test
  void layersArePositiveIfAnyOfThemIs() {
    assertEquals(0.75, BloomFormulas.compoundFpp(0.5, 0.5), 1e-15);
    assertEquals(0.3, BloomFormulas.compoundFpp(0.3), 1e-15);
    assertEquals(1 - 0.9 * 0.8 * 0.7, BloomFormulas.compoundFpp(0.1, 0.2, 0.3), 1e-15);
    assertEquals(1, BloomFormulas.compoundFpp(0.1, 1));
    // Summed as 1 - (1 - p) these would be lost.
    assertEquals(3e-20, BloomFormulas.compoundFpp(1e-20, 2e-20), 1e-34);
  }

  @Test
  void noLayerOrEmptyLayersAreNeverPositive() {
    // A negative zero would show as "-0.0".
    assertEquals("0.0", Double.toString(BloomFormulas.compoundFpp()));
    assertEquals("0.0", Double.toString(BloomFormulas.compoundFpp(0, 0)));
  }

  @Test
  void theHashFloorIsThreeTimesTheElementsOver63Bits() {
    assertEquals(0, BloomFormulas.hashFloor(0));
    assertEquals(3 / Math.pow(2, 63), BloomFormulas.hashFloor(1));
    assertEquals(3e-13, SignificantDigits.round(BloomFormulas.hashFloor(1_000_000), 1));
  }

  @Test
  void roundingUpToAPowerOfTwoKeepsPowersOfTwo() {
    for (int i = 0; i <= 62; i++) {
      assertEquals(1L << i, BloomFormulas.roundUpToPowerOfTwo(1L << i));
      if (i > 1) {
        assertEquals(1L << i, BloomFormulas.roundUpToPowerOfTwo((1L << i) - 1));
        assertEquals(1L << i, BloomFormulas.roundUpToPowerOfTwo((1L << (i - 1)) + 1));
      }
    }
  }

  @Test
  void bestHashesIsTheBestOfAll() {
    for (int n = 1; n <= 9; n += 2) {
      for (int m = 1; m <= 100; m += 7) {
        int best = BloomFormulas.bestHashes(n, m);
        double rate = BloomFormulas.exactFpp(n, m, best);
        for (int k = 1; k <= 24; k++) {
          double other = BloomFormulas.exactFpp(n, m, k);
          assertTrue(other >= rate, "n=" + n + " m=" + m + ": " + k + " beats " + best);
        }
      }
    }
  }

  /** Ten thousand times the square of the hashes. */
  @ParameterizedTest
  @CsvSource({"1, 10000", "2, 40000", "3, 90000", "5, 250000", "64, 40960000"})
  void sizesAreFoundByTheExactRateUntilTheClassicOneHasFourDigitsOfIt(int k, long m) {
    long n = Math.round(m * Math.log(2) / k);
    assertEquals(BloomFormulas.exactFpp(n, m, k), BloomFormulas.sizingFpp(n, m, k));
    double classic = BloomFormulas.classicFpp(n, m + 1, k);
    assertEquals(classic, BloomFormulas.sizingFpp(n, m + 1, k));
    double exact = BloomFormulas.exactFpp(n, m + 1, k);
    assertEquals(exact, classic, 1e-4 * exact);
  }

  @Test
  void ofTwoNumbersOfHashesThatAreAsGoodTheSmallerIsBest() {
    // One element in three positions: 1/3 with one hash, 1/3 · 1/9 + 2/3 · 4/9 with two.
    assertEquals(BloomFormulas.exactFpp(1, 3, 1), BloomFormulas.exactFpp(1, 3, 2));
    assertEquals(1, BloomFormulas.bestHashes(1, 3));
  }
}
