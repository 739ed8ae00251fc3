package io.bloomkit.testkit.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.commons.math3.stat.inference.AlternativeHypothesis;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class BinomialTest {

  private static final double ALPHA = StatisticalResult.ALPHA;

  @Test
  void tailsAreTheSumsOfTheProbabilities() {
    for (int n : new int[] {1, 2, 7, 40}) {
      for (double p : new double[] {1e-9, 0.03, 0.5, 0.9}) {
        Binomial law = new Binomial(n, p);
        double below = 0;
        for (int x = 0; x <= n; x++) {
          assertEquals(1 - below, law.upperTail(x), 1e-12);
          below += probability(n, p, x);
          assertEquals(below, law.lowerTail(x), 1e-12);
        }
      }
    }
  }

  private static double probability(int n, double p, int x) {
    return CombinatoricsUtils.binomialCoefficientDouble(n, x)
        * Math.pow(p, x)
        * Math.pow(1 - p, n - x);
  }

  /** The expected values were summed with forty decimal digits. */
  @Test
  void tailsHoldForManyTrialsAndSmallProbabilities() {
    assertClose(0.000154653065966694, new Binomial(100_000_000, 1e-9).upperTail(3));
    assertClose(0.904837417990718, new Binomial(100_000_000, 1e-9).lowerTail(0));
    assertClose(2.50994632355241e-7, new Binomial(100_000_000, 1e-7).upperTail(30));
    assertClose(2.57397905127659e-7, new Binomial(100_000_000, 0.01).upperTail(1_005_000));
    assertClose(2.46939725905928e-7, new Binomial(100_000_000, 0.01).lowerTail(995_000));
    assertClose(0.500265964844362, new Binomial(100_000_000, 0.01).lowerTail(1_000_000));
    assertClose(9.8719435177159e-10, new Binomial(100_000_000, 0.5).upperTail(50_030_000));
    assertClose(9.8719435177159e-10, new Binomial(100_000_000, 0.5).lowerTail(49_970_000));
    assertClose(4.931209680623e-10, new Binomial(218_645, 0.03).upperTail(7053));
    assertClose(0.508409367168611, new Binomial(100_000_000, 0.99999).upperTail(99_999_000));
    assertClose(4.68324962146644e-10, new Binomial(100_000_000, 0.99999).lowerTail(99_998_800));
  }

  private static void assertClose(double expected, double actual) {
    assertEquals(1, actual / expected, 1e-5);
  }

  @Test
  void tailsOfCertaintyAreZeroOrOne() {
    assertEquals(1, new Binomial(10, 0).lowerTail(0));
    assertEquals(0, new Binomial(10, 0).upperTail(1));
    assertEquals(0, new Binomial(10, 1).lowerTail(9));
    assertEquals(1, new Binomial(10, 1).upperTail(10));
    assertEquals(1, new Binomial(10, 0.5).upperTail(0));
    assertEquals(0, new Binomial(10, 0.5).upperTail(11));
    assertEquals(0, new Binomial(10, 0.5).lowerTail(-1));
    assertEquals(1, new Binomial(10, 0.5).lowerTail(10));
    assertEquals(1, new Binomial(0, 0.5).twoSidedPValue(0));
  }

  @Test
  void aTwoSidedPValueIsAtMostOneUnlikeThatOfTheLibrary() {
    double ofTheLibrary =
        new org.apache.commons.math3.stat.inference.BinomialTest()
            .binomialTest(10, 5, 0.5, AlternativeHypothesis.TWO_SIDED);
    assertTrue(ofTheLibrary > 1, "the library was repaired: " + ofTheLibrary);
    assertEquals(1, new Binomial(10, 0.5).twoSidedPValue(5));
  }

  @Test
  void theTestRejectsWhatIsTrueAtMostAsOftenAsAlphaSays() {
    for (long n : new long[] {1, 20, 1000, 218_645}) {
      for (double p : new double[] {0.001, 0.03, 0.5}) {
        for (double alpha : new double[] {0.05, 0.001, ALPHA}) {
          assertTrue(new Binomial(n, p).power(p, alpha) <= alpha);
        }
      }
    }
  }

  @Test
  void powerIsTheProbabilityOfEveryRejectedValue() {
    int n = 60;
    Binomial law = new Binomial(n, 0.3);
    double power = 0;
    for (int x = 0; x <= n; x++) {
      power += law.twoSidedPValue(x) < 0.01 ? probability(n, 0.5, x) : 0;
    }
    assertEquals(power, law.power(0.5, 0.01), 1e-12);
  }

  /** The published sizes for α = 1e-8 and power 0.99: each has it, and no size 1 % smaller has. */
  @Test
  void thePublishedSampleSizesHaveTheirPower() {
    assertPublishedSize(218_645, 0.03);
    assertPublishedSize(671_381, 0.01);
    assertPublishedSize(6_768_580, 0.001);
  }

  private static void assertPublishedSize(long published, double p) {
    assertEquals(0.99, new Binomial(published, p).powerToTell(0.1, ALPHA), 0.0003);
    assertTrue(new Binomial(published * 99 / 100, p).powerToTell(0.1, ALPHA) < 0.99);
    long ours = Binomial.trialsToTell(p, 0.1, ALPHA, 0.99);
    assertEquals(1, (double) ours / published, 0.003);
    assertTrue(new Binomial(ours, p).powerToTell(0.1, ALPHA) >= 0.99);
  }

  @Test
  void ofCertaintyOnlyTheDeviationDownwardsIsPossible() {
    long trials = Binomial.trialsToTell(1, 0.1, ALPHA, 0.99);
    assertEquals(
        1 - Math.pow(0.9, (double) trials), new Binomial(trials, 1).power(0.9, ALPHA), 1e-12);
  }

  /** The expected ends are quantiles of the beta distribution from another library. */
  @Test
  void confidenceIntervalsAreThoseOfClopperAndPearson() {
    assertInterval(0.04900468922148596, 0.17622259774002266, 10, 100, 0.95);
    assertInterval(0.0008935657388266771, 0.0011020220017799185, 994, 1_000_000, 0.999);
    assertInterval(5.0012504168104775e-12, 9.998677044179452e-08, 1, 100_000_000, 0.999);
    assertInterval(0, 0.03621669264517641, 0, 100, 0.95);
    assertInterval(0.9637833073548235, 1, 100, 100, 0.95);
    assertInterval(0.0017557247966887596, 0.0018440288737891332, 17_995, 10_000_000, 0.999);
  }

  private static void assertInterval(
      double lower, double upper, long successes, long trials, double confidence) {
    Interval interval = Binomial.confidenceInterval(successes, trials, confidence);
    assertEquals(lower, interval.lower(), 1e-8 * lower);
    assertEquals(upper, interval.upper(), 1e-8 * upper);
    assertTrue(interval.contains((double) successes / trials));
  }

  @Test
  void confidenceIntervalsCoverTheTruthAsOftenAsTheySay() {
    int n = 40;
    for (double truth : new double[] {0.001, 0.03, 0.2, 0.5, 0.97}) {
      double covered = 0;
      for (int x = 0; x <= n; x++) {
        boolean covers = Binomial.confidenceInterval(x, n, 0.9).contains(truth);
        covered += covers ? probability(n, truth, x) : 0;
      }
      assertTrue(covered >= 0.9 && covered <= 1 + 1e-12, "coverage " + covered + " of " + truth);
    }
  }

  @Test
  void badArgumentsAreRefusedByTheirValue() {
    assertRefused("-1", () -> new Binomial(-1, 0.5));
    assertRefused("NaN", () -> new Binomial(1, Double.NaN));
    assertRefused("1.5", () -> new Binomial(1, 1.5));
    assertRefused("0.0", () -> Binomial.trialsToTell(0, 0.1, ALPHA, 0.99));
    assertRefused("3 of 2", () -> Binomial.confidenceInterval(3, 2, 0.9));
    assertRefused("1.0", () -> Binomial.confidenceInterval(1, 2, 1));
    assertRefused("0.2", () -> new Interval(0.3, 0.2));
    assertRefused("3 of 2", () -> new RateTest().record(2, 3, 0.1));
    assertRefused("NaN", () -> new RateTest().record(2, 1, Double.NaN));
  }

  private static void assertRefused(String value, Executable call) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, call);
    assertTrue(refusal.toString().contains(value), refusal.toString());
  }
}
