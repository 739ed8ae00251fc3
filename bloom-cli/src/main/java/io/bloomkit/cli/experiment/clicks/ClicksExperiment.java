package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream of clicks with accidental repeats through each way to tell them apart. All times are
 * those of the stream; no clock decides anything but the throughput.
 */
final class ClicksExperiment {

  /** How often the memory and the loss are looked at. */
  private static final int MOMENTS = 20;

  private ClicksExperiment() {}

  /**
   * The settings of a run. Two runs with the same settings differ in nothing but times.
   *
   * @param traffic what the stream is like
   * @param messages how many messages it has
   * @param fpp the false-positive probability that filters are made for
   * @param seed what the stream follows from
   */
  record Settings(ClickTraffic traffic, long messages, double fpp, long seed) {

    /** Returns how long the stream is. */
    long millis() {
      return traffic.millisOf(messages);
    }
  }

  /**
   * Runs one filter after another and lets each go before the next.
   *
   * @throws ViolationException if a filter has broken its promise; told at the end of its stream,
   *     and the filters after it are not tried
   */
  static List<ClickResult> run(Settings settings, List<ClickPlan> plans, Progress progress) {
    List<ClickResult> results = new ArrayList<>();
    for (ClickPlan plan : plans) {
      results.add(new ClickTrial(plan, settings, progress).run(MOMENTS));
    }
    return results;
  }
}
