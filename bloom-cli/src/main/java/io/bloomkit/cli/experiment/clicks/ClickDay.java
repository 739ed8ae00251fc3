package io.bloomkit.cli.experiment.clicks;

import java.util.ArrayList;
import java.util.List;

/**
 * The extrapolated cost of a day of clicks, whose ids of 36 characters alone take 31 GB.
 *
 * @param bytes the memory at the end of the day
 * @param cores the number of busy cores, at the speed of the experiment
 * @param lost the mean number of first clicks that are mistaken for repeats
 */
record ClickDay(long bytes, double cores, double lost) {

  static final long RATE = 10_000;
  static final long MILLIS = 24 * 60 * 60 * 1000;
  static final long MESSAGES = RATE * (MILLIS / 1000);

  /**
   * Extrapolates results to a day with the same window and share of repeats.
   *
   * @return a day for each result
   * @throws IllegalArgumentException if a filter does not support that number of messages
   */
  static List<ClickDay> of(
      ClicksExperiment.Settings settings, List<ClickResult> results, ClickPlan.Factory factory) {
    ClickTraffic traffic =
        new ClickTraffic(RATE, settings.traffic().doubleClick(), settings.traffic().windowMillis());
    List<ClickPlan> plans = factory.plans(traffic, settings.fpp());
    List<ClickDay> days = new ArrayList<>();
    for (int i = 0; i < plans.size(); i++) {
      days.add(
          new ClickDay(
              plans.get(i).bytes().applyAsLong(MESSAGES),
              RATE / results.get(i).messagesPerSecond(),
              plans.get(i).forecast().expectedLost(traffic, (double) MILLIS)));
    }
    return days;
  }
}
