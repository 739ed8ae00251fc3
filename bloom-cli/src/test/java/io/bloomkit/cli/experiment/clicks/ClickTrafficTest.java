package io.bloomkit.cli.experiment.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.testkit.stat.Binomial;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClickTrafficTest {

  private static final ClickTraffic TRAFFIC = new ClickTraffic(10_000, 0.2, 10_000);

  /** Two-sided; the seeds are fixed. */
  private static final double ALPHA = 1e-8;

  @Test
  void repeatsComeSoonOrAfterTheWindow() {
    SplittableRandom random = new SplittableRandom(1);
    int draws = 1_000_000;
    int accidental = 0;
    int within400 = 0;
    int within2400 = 0;
    int late = 0;
    int earlyLate = 0;
    for (int i = 0; i < draws; i++) {
      double after = TRAFFIC.repeatAfter(random);
      if (after == ClickTraffic.NEVER) {
        continue;
      }
      assertTrue(after >= 50, () -> "a repeat after " + after + " ms");
      if (after < 10_000) { // an accidental one is later with probability 2e-9
        accidental++;
        within400 += after < 50 + 500 * Math.log(2) ? 1 : 0;
        within2400 += after < 50 + 500 * Math.log(100) ? 1 : 0;
      } else {
        late++;
        earlyLate += after < 15_000 ? 1 : 0;
        assertTrue(after < 20_000, () -> "a repeat after " + after + " ms");
      }
    }
    assertShare(0.2, accidental, draws);
    assertShare(0.02, late, draws);
    assertShare(0.5, within400, accidental);
    assertShare(0.99, within2400, accidental);
    assertShare(0.5, earlyLate, late);
  }

  private static void assertShare(double expected, long count, long of) {
    double p = new Binomial(of, expected).twoSidedPValue(count);
    assertTrue(p >= ALPHA, () -> count + " of " + of + " are not " + expected + ": p = " + p);
  }

  @ParameterizedTest
  @ValueSource(doubles = {20, 50, 300, 9_999, 12_000, 20_000, 50_000})
  void idsWithinATimeAreTheIntegralOfFirstClicks(double millis) {
    int steps = 100_000;
    double sum = 0;
    for (int i = 0; i < steps; i++) {
      sum += TRAFFIC.firstShare((i + 0.5) * millis / steps);
    }
    double expected = TRAFFIC.messagesWithin(millis) * sum / steps;
    assertEquals(expected, TRAFFIC.idsWithin(millis), 1e-6 * expected);
  }

  @Test
  void firstClicksAreTheMessagesLessAllRepeatsInTheEnd() {
    assertEquals(1, TRAFFIC.firstShare(0));
    assertEquals(1, TRAFFIC.firstShare(50));
    assertEquals(0.8, TRAFFIC.firstShare(9_999), 1e-8);
    assertEquals(0.79, TRAFFIC.firstShare(15_000), 1e-8);
    assertEquals(0.78, TRAFFIC.firstShare(TRAFFIC.steadyAfterMillis()), 1e-8);
    assertEquals(0.78, TRAFFIC.firstShare(1e9), 1e-8);
  }

  @Test
  void messagesComeEvenly() {
    assertEquals(0, TRAFFIC.millisOf(9));
    assertEquals(1, TRAFFIC.millisOf(10));
    assertEquals(1_000_000_000_000L * 1000 / 7, new ClickTraffic(7, 0, 1).millisOf((long) 1e12));
    assertEquals(100_000, TRAFFIC.messagesInWindow());
    assertEquals(4, new ClickTraffic(3, 0, 1001).messagesInWindow());
  }
}
