package io.bloomkit.testkit.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RateTestTest {

  @Test
  void theExpectedNumberIsAccepted() {
    StatisticalResult result = new RateTest().record(671_381, 6714, 0.01).result("claim");
    assertFalse(result.isRejected());
    assertEquals(671_381, result.sampleSize());
    assertEquals(6713.81, result.expected(), 1e-6);
    assertEquals(0.9902, result.power(), 0.0001);
    result.assertHolds();
  }

  @Test
  void aRateTenPercentOffIsRejectedInEitherDirection() {
    for (long claimed : new long[] {6713 * 9 / 10, 6713 * 11 / 10}) {
      StatisticalResult result =
          new RateTest().record(671_381, claimed, 0.01).result("claimed in the test");
      AssertionError failure = assertThrows(AssertionError.class, result::assertHolds);
      String message = failure.toString();
      assertTrue(message.contains("claimed in the test"), message);
      assertTrue(message.contains("observed " + claimed), message);
      assertTrue(message.contains("alpha 1e-08, power 0.990"), message);
    }
  }

  @Test
  void anyPositiveOfAnEmptyFilterIsRejected() {
    assertFalse(new RateTest().record(1000, 0, 0).result("empty").isRejected());
    assertTrue(new RateTest().record(1000, 1, 0).result("empty").isRejected());
  }

  @Test
  void noQueriesSayNothing() {
    StatisticalResult result = new RateTest().result("nothing");
    assertEquals(1, result.pValue());
    assertEquals(0, result.power());
  }

  /** Hoeffding 1956: beyond one of the mean, the tails of the sum are at most the binomial's. */
  @Test
  void poolingUnequalRatesRejectsMoreRarelyThanAlphaSays() {
    double[] exact = convolve(probabilities(40, 0.02), probabilities(40, 0.3));
    Binomial pooled = new Binomial(80, 0.16);
    double below = 0;
    for (int x = 0; x <= 80; x++) {
      double above = 1 - below;
      below += exact[x];
      if (x <= pooled.mean() - 1) {
        assertTrue(below <= pooled.lowerTail(x), "lower tail of " + x);
      }
      if (x >= pooled.mean() + 1) {
        assertTrue(above <= pooled.upperTail(x) + 1e-12, "upper tail of " + x);
      }
    }
    StatisticalResult result =
        new RateTest().record(40, 1, 0.02).record(40, 12, 0.3).result("pooled");
    assertEquals(12.8, result.expected(), 1e-9);
    assertEquals(pooled.twoSidedPValue(13), result.pValue(), 1e-9);
  }

  private static double[] probabilities(int n, double p) {
    double[] probabilities = new double[n + 1];
    for (int x = 0; x <= n; x++) {
      Binomial law = new Binomial(n, p);
      probabilities[x] = law.upperTail(x) - law.upperTail(x + 1);
    }
    return probabilities;
  }

  private static double[] convolve(double[] a, double[] b) {
    double[] sum = new double[a.length + b.length - 1];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b.length; j++) {
        sum[i + j] += a[i] * b[j];
      }
    }
    return sum;
  }
}
