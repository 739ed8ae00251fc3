package io.bloomkit.cli.experiment.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClickForecastTest {

  private static final long WINDOW = 15_000;
  private static final ClickTraffic DISTINCT = new ClickTraffic(10_000, 0, WINDOW);
  private static final ClickTraffic TRAFFIC = new ClickTraffic(10_000, 0.1, WINDOW);

  /** An epoch has a second. */
  private static ClickForecast expiring(ClickTraffic traffic) {
    return new ClickForecast.Expiring(16_000_000, traffic);
  }

  private static ClickForecast counting(ClickTraffic traffic) {
    return new ClickForecast.Counting(Shape.of(150_000, 0.01), traffic);
  }

  @Test
  void fullExpiringFilterErrsAsItIsPlannedFor() {
    ClickForecast forecast = expiring(DISTINCT);
    assertEquals(0.01, forecast.lossAt(20_999.999), 1e-4);
    assertEquals(forecast.lossAt(20_999.999), forecast.lossAt(50_999.999), 1e-12);
    // The next epoch begins without the clicks of the oldest one.
    assertEquals(15.0 / 16 * forecast.lossAt(50_999.999), forecast.lossAt(51_000), 1e-5);
    assertEquals(forecast.lossAt(50_300), forecast.lossAt(90_300), 1e-12);
    assertEquals(1000, forecast.cycleMillis());
    assertEquals(16_000, forecast.steadyAfterMillis());
  }

  @Test
  void filterThatIsNotFullErrsLess() {
    for (ClickForecast forecast : List.of(expiring(TRAFFIC), counting(TRAFFIC))) {
      double before = 0;
      assertEquals(0, forecast.lossAt(0));
      for (double millis = 999; millis < WINDOW; millis += 1000) { // the ends of epochs
        double loss = forecast.lossAt(millis);
        assertTrue(loss > before, forecast + " at " + millis);
        before = loss;
      }
    }
  }

  @Test
  void repeatsWithinTheWindowFillNothing() {
    for (double millis : new double[] {5500, 16_500, 60_500}) {
      assertTrue(expiring(TRAFFIC).lossAt(millis) < 0.95 * expiring(DISTINCT).lossAt(millis));
      assertTrue(counting(TRAFFIC).lossAt(millis) < 0.95 * counting(DISTINCT).lossAt(millis));
    }
  }

  @Test
  void fullCountingFilterErrsAsItsShapeSays() {
    assertEquals(Shape.of(150_000, 0.01).fpp(150_000), counting(DISTINCT).lossAt(WINDOW), 1e-6);
    assertEquals(counting(TRAFFIC).lossAt(WINDOW), counting(TRAFFIC).lossAt(1e9));
  }

  @Test
  void expiringFilterRecognizesTheWindowAndForgetsAtTheEndOfAnEpoch() {
    ClickForecast forecast = expiring(DISTINCT);
    double now = 60_999.999;
    assertEquals(1, forecast.recognitionAt(now, now));
    assertEquals(1, forecast.recognitionAt(now, now - WINDOW));
    assertEquals(1, forecast.recognitionAt(now, 45_000));
    assertEquals(forecast.lossAt(now), forecast.recognitionAt(now, 44_999));
    assertEquals(forecast.lossAt(now), forecast.recognitionAt(now, 0));
  }

  @Test
  void countingFilterKnowsNothingOfOlderClicks() {
    ClickForecast forecast = counting(TRAFFIC);
    assertEquals(1, forecast.recognitionAt(20_000, 5000));
    assertEquals(forecast.lossAt(20_000), forecast.recognitionAt(20_000, 4999));
  }

  /** The sum over a fine grid, without what is said of cycles. */
  @ParameterizedTest
  @ValueSource(doubles = {300, 4000, 12_345, 30_000, 44_444, 150_000})
  void lostClicksAreTheIntegralOfTheLoss(double millis) {
    for (ClickForecast forecast : List.of(expiring(TRAFFIC), counting(TRAFFIC))) {
      int steps = 40_000;
      double sum = 0;
      for (int i = 0; i < steps; i++) {
        double moment = (i + 0.5) * millis / steps;
        sum += forecast.lossAt(moment) * TRAFFIC.firstShare(moment);
      }
      double expected = TRAFFIC.messagesWithin(millis / steps) * sum;
      assertEquals(expected, forecast.expectedLost(TRAFFIC, millis), 2e-3 * expected);
    }
  }

  @Test
  void exactSetLosesAndForgetsNothing() {
    ClickForecast forecast = new ClickForecast.Exact();
    assertEquals(0, forecast.lossAt(1e9));
    assertEquals(0, forecast.expectedLost(TRAFFIC, 1e9));
    assertEquals(1, forecast.recognitionAt(1e9, 0));
  }
}
