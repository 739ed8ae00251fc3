package io.bloomkit.cli.experiment.clicks;

import java.util.ArrayList;
import java.util.List;

/**
 * What a day of clicks would take. Their ids of 36 characters alone fill 31 GB.
 *
 * @param bytes memory at the end of the day
 * @param cores how many cores are busy, as fast as they were in the experiment
 * @param lost how many first clicks are taken for repeats, on average
 */
record ClickDay(long bytes, double cores, double lost) {

  static final long RATE = 10_000;
  static final long MILLIS = 24 * 60 * 60 * 1000;
  static final long MESSAGES = RATE * (MILLIS / 1000);

  /**
   * Extrapolates results to a day of the same window and share of repeats.
   *
   * @return a day for each of them
   * @throws IllegalArgumentException if there are no such filters for that number of messages
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
