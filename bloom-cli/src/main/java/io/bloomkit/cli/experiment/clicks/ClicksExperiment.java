package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.experiment.ViolationException;
import io.bloomkit.cli.io.Progress;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes a stream of clicks with repeats to each filter. All times are those of the stream; the
 * real clock affects only the throughput.
 */
final class ClicksExperiment {

  /** The number of moments at which memory and loss are recorded. */
  private static final int MOMENTS = 20;

  private ClicksExperiment() {}

  /**
   * The settings of a run. Two runs with the same settings differ only in their speed.
   *
   * @param traffic the properties of the stream
   * @param messages the number of messages
   * @param fpp the planned false-positive rate of the filters
   * @param seed the seed of the stream
   */
  record Settings(ClickTraffic traffic, long messages, double fpp, long seed) {

    /** Returns the duration of the stream in milliseconds. */
    long millis() {
      return traffic.millisOf(messages);
    }
  }

  /**
   * Runs the filters one after another. Each filter is released before the next is created.
   *
   * @throws ViolationException at the end of a filter's stream, if the filter violated its
   *     guarantee; the filters after it are not run
   */
  static List<ClickResult> run(Settings settings, List<ClickPlan> plans, Progress progress) {
    List<ClickResult> results = new ArrayList<>();
    for (ClickPlan plan : plans) {
      results.add(new ClickTrial(plan, settings, progress).run(MOMENTS));
    }
    return results;
  }
}
