package io.bloomkit.testkit.hash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.testkit.internal.ContractSeeds;
import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.ChiSquares;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.UniformRealDistribution;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The p-values of the examination's tests over 10<sup>3</sup> seeds of an ideal hash, which is
 * random numbers; the campaign takes 10<sup>4</sup>.
 *
 * <p>One p-value of a continuous statistic is uniform: two-sided Kolmogorov-Smirnov. One of a whole
 * number cannot be, and the smallest of several times their number must not be: these are to be
 * <i>valid</i>, that is, below α no more often than α, for every α. The one-sided statistic of
 * Kolmogorov and Smirnov, sup (F(p) − p), exceeds d with a probability of at most exp(−2Nd²) (P.
 * Massart, <i>The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality</i>, 1990). α is
 * 10<sup>-8</sup> each; with N = 10<sup>4</sup> a shift of 0.05 is found with a power above 0.99.
 */
class ExaminationCalibrationTest {

  private static final int SEEDS = Integer.getInteger("bloomkit.calibrationSeeds", 1_000);
  private static final int HASHES = 1 << 14;

  /** Enough for bits. */
  private static final int FEW = 1 << 12;

  private static final double ALPHA = 1e-8;

  private interface PValue {
    double of(long[] hashes, SplittableRandom random);
  }

  private static double[] pValues(PValue test) {
    double[] pValues = new double[SEEDS];
    for (int seed = 0; seed < SEEDS; seed++) {
      SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY + seed);
      pValues[seed] = test.of(random.longs(HASHES).toArray(), random);
    }
    Arrays.sort(pValues);
    return pValues;
  }

  private static void assertUniform(String name, PValue test) {
    double[] pValues = pValues(test);
    double pValue =
        new KolmogorovSmirnovTest()
            .kolmogorovSmirnovTest(new UniformRealDistribution(null, 0, 1), pValues, false);
    assertTrue(
        pValue >= ALPHA,
        () -> String.format(Locale.ROOT, "%s: the p-values are uniform with %.3g", name, pValue));
  }

  /** How much more often than p a p-value is at most p, at its most. */
  private static double excess(double[] sorted) {
    double excess = 0;
    for (int i = 0; i < sorted.length; i++) {
      excess = Math.max(excess, (i + 1.0) / sorted.length - sorted[i]);
    }
    return excess;
  }

  private static final double MAX_EXCESS = Math.sqrt(Math.log(1 / ALPHA) / (2 * SEEDS));

  private static void assertValid(String name, PValue test) {
    double excess = excess(pValues(test));
    assertTrue(
        excess <= MAX_EXCESS,
        () -> String.format(Locale.ROOT, "%s: too many small p-values by %.3g", name, excess));
  }

  @Test
  void thePValueOfOneChiSquareIsUniform() {
    assertUniform(
        "64 cells",
        (hashes, random) -> {
          ChiSquares one = new ChiSquares();
          int[] counts = PositionTests.counts(hashes, 64, hash -> (int) (hash >>> 58));
          one.add("64 cells", counts, hashes.length);
          return one.pValue();
        });
  }

  /** A whole number takes a random place between its two tails, and is continuous then. */
  @Test
  void thePValueOfOneBitIsUniformOnceTiesAreBroken() {
    assertUniform(
        "one bit",
        (hashes, random) -> {
          int ones = new BitColumns(hashes, hashes.length).ones(17);
          Binomial law = new Binomial(hashes.length, 0.5);
          double above = law.upperTail(ones + 1L);
          return above + random.nextDouble() * (law.upperTail(ones) - above);
        });
  }

  @Test
  void thePValuesOfBitsAndPairsAreValid() {
    assertValid(
        "bits", (hashes, random) -> BitTests.bits(new BitColumns(hashes, FEW), 1e-7).pValue());
    assertValid(
        "pairs of bits",
        (hashes, random) -> BitTests.pairs(new BitColumns(hashes, FEW), 1e-7).pValue());
  }

  @Tag("deep")
  @Test
  void thePValuesOfCollisionsAreValid() {
    int values = 1 << 22;
    assertValid(
        "halves of 22 bits",
        (hashes, random) ->
            Collisions.pValue(
                Collisions.repetitions(hashes, hash -> hash & (values - 1)), HASHES, values));
  }

  @Tag("deep")
  @Test
  void thePValuesOfRatesAreValid() {
    FlatShape shape = Shape.of(HASHES / FilterRates.ADDED, FilterRates.FPP);
    int[] places = IntStream.range(0, HASHES).toArray();
    assertValid(
        "rate",
        (hashes, random) ->
            new FilterRates(hashes, places, 1e-8).ofModel(new FilterModel(shape)).pValue());
  }

  @Tag("deep")
  @Test
  void thePValuesOfPositionsAreValid() {
    assertValid("independence", (hashes, random) -> PositionTests.independence(hashes).pValue());
    assertValid("positions", (hashes, random) -> PositionTests.positions(hashes).pValue());
    assertValid("blocks", (hashes, random) -> PositionTests.places(hashes).pValue());
  }
}
