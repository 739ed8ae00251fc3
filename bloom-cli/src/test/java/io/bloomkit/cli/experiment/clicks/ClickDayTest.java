package io.bloomkit.cli.experiment.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomkit.cli.experiment.MeasuredRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClickDayTest {

  private static final double FPP = 0.01;

  /** Neither the rate nor the length of a day. */
  private static final ClicksExperiment.Settings SETTINGS =
      new ClicksExperiment.Settings(new ClickTraffic(1000, 0.1, 5000), 30_000, FPP, 1);

  private static ClickResult result(ClickPlan plan, double messagesPerSecond) {
    MeasuredRate none = new MeasuredRate(0, 1);
    return new ClickResult(plan, 30_000, messagesPerSecond, 1, none, 0, 0, 0, none, 0, List.of());
  }

  @Test
  void aDayHasItsOwnRateAndTheWindowAndRepeatsOfTheExperiment() {
    ClickTraffic traffic = new ClickTraffic(10_000, 0.1, 5000);
    List<ClickPlan> plans = ClickPlan.ofExperiment(traffic, FPP);
    List<ClickResult> results = new ArrayList<>();
    for (ClickPlan plan : ClickPlan.ofExperiment(SETTINGS.traffic(), FPP)) {
      results.add(result(plan, 40_000 * (results.size() + 1)));
    }
    List<ClickDay> days = ClickDay.of(SETTINGS, results, ClickPlan::ofExperiment);
    assertEquals(plans.size(), days.size());
    for (int i = 0; i < plans.size(); i++) {
      assertEquals(plans.get(i).bytes().applyAsLong(864_000_000), days.get(i).bytes());
      assertEquals(0.25 / (i + 1), days.get(i).cores(), 1e-12);
      assertEquals(plans.get(i).forecast().expectedLost(traffic, 86_400_000.0), days.get(i).lost());
    }
  }
}
