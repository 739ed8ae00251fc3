package io.bloomkit.cli.experiment.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.Shape;
import io.bloomkit.scalable.aging.AgingShape;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClickForecastTest {

  private static final long WINDOW = 13_000;
  private static final ClickTraffic DISTINCT = new ClickTraffic(10_000, 0, WINDOW);
  private static final ClickTraffic TRAFFIC = new ClickTraffic(10_000, 0.1, WINDOW);

  /** (k, l) = (7, 13). */
  private static final AgingShape SHAPE = AgingShape.of(Duration.ofMillis(WINDOW), 130_000, 0.01);

  private static ClickForecast aging(ClickTraffic traffic) {
    return new ClickForecast.Aging(SHAPE, 1000, traffic);
  }

  private static ClickForecast counting(ClickTraffic traffic) {
    return new ClickForecast.Counting(Shape.of(130_000, 0.01), traffic);
  }

  @Test
  void fullAgingFilterErrsAsItsShapeSays() {
    ClickForecast forecast = aging(DISTINCT);
    assertEquals(SHAPE.fpp(), forecast.lossAt(20_999.999), 1e-6);
    assertEquals(SHAPE.fpp(), forecast.lossAt(50_999.999), 1e-6);
    // The generation that follows begins with an empty slice.
    assertTrue(forecast.lossAt(51_000) < 0.99 * SHAPE.fpp());
    assertEquals(forecast.lossAt(50_300), forecast.lossAt(90_300), 1e-12);
    assertEquals(1000, forecast.cycleMillis());
    assertEquals(20_000, forecast.steadyAfterMillis());
  }

  @Test
  void filterThatIsNotFullErrsLess() {
    for (ClickForecast forecast : List.of(aging(TRAFFIC), counting(TRAFFIC))) {
      double before = 0;
      assertEquals(0, forecast.lossAt(0));
      for (double millis = 999; millis < WINDOW; millis += 1000) { // the ends of generations
        double loss = forecast.lossAt(millis);
        assertTrue(loss > before, forecast + " at " + millis);
        before = loss;
      }
    }
  }

  @Test
  void repeatsWithinTheWindowFillNothing() {
    for (double millis : new double[] {5500, 14_500, 60_500}) {
      assertTrue(aging(TRAFFIC).lossAt(millis) < 0.95 * aging(DISTINCT).lossAt(millis));
      assertTrue(counting(TRAFFIC).lossAt(millis) < 0.95 * counting(DISTINCT).lossAt(millis));
    }
  }

  @Test
  void fullCountingFilterErrsAsItsShapeSays() {
    assertEquals(Shape.of(130_000, 0.01).fpp(130_000), counting(DISTINCT).lossAt(13_000), 1e-6);
    assertEquals(counting(TRAFFIC).lossAt(13_000), counting(TRAFFIC).lossAt(1e9));
  }

  @Test
  void agingFilterRecognizesTheWindowAndForgetsInSteps() {
    ClickForecast forecast = aging(DISTINCT);
    double now = 60_999.999;
    assertEquals(1, forecast.recognitionAt(now, now));
    assertEquals(1, forecast.recognitionAt(now, now - 13_999));
    // What the comment of AgingBloomFilter says.
    double[] steps = {0.40, 0.16, 0.07, 0.03, 0.02};
    for (int i = 0; i < steps.length; i++) {
      assertEquals(steps[i], forecast.recognitionAt(now, now - 14_000 - 1000 * i), 0.006);
    }
    assertEquals(forecast.lossAt(now), forecast.recognitionAt(now, now - 20_000), 1e-15);
    assertEquals(forecast.lossAt(now), forecast.recognitionAt(now, 0), 1e-15);
  }

  @Test
  void countingFilterKnowsNothingOfOlderClicks() {
    ClickForecast forecast = counting(TRAFFIC);
    assertEquals(1, forecast.recognitionAt(20_000, 7000));
    assertEquals(forecast.lossAt(20_000), forecast.recognitionAt(20_000, 6999));
  }

  /** The sum over a fine grid, without what is said of cycles. */
  @ParameterizedTest
  @ValueSource(doubles = {300, 4000, 12_345, 26_000, 44_444, 130_000})
  void lostClicksAreTheIntegralOfTheLoss(double millis) {
    for (ClickForecast forecast : List.of(aging(TRAFFIC), counting(TRAFFIC))) {
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
