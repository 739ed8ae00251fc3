package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.experiment.MeasuredRate;
import java.util.List;

/**
 * The results of the experiment for one filter.
 *
 * @param plan the plan of the filter
 * @param messages the number of messages that the filter received
 * @param messagesPerSecond the throughput of one thread, in messages per second
 * @param bytes the memory at the end
 * @param lost the rate of first clicks that were mistaken for repeats
 * @param expectedLoss the rate that the formula predicts
 * @param repeats the number of repeats within the window
 * @param missed the number of repeats within the window that were mistaken for first clicks
 * @param old the rate at which repeats of clicks older than the window were recognized
 * @param expectedOld the rate that the formula predicts for the ages of these clicks
 * @param curve the state at several moments of the stream
 */
record ClickResult(
    ClickPlan plan,
    long messages,
    double messagesPerSecond,
    long bytes,
    MeasuredRate lost,
    double expectedLoss,
    long repeats,
    long missed,
    MeasuredRate old,
    double expectedOld,
    List<Moment> curve) {

  /**
   * A moment of the stream.
   *
   * @param millis the time since the beginning of the stream
   * @param bytes the memory at that time
   * @param lost the rate of first clicks since the previous moment that were mistaken for repeats
   */
  record Moment(long millis, long bytes, MeasuredRate lost) {}

  /** Returns whether the memory was as planned at all moments. */
  boolean isMemoryAsPlanned() {
    return curve.stream().allMatch(moment -> moment.bytes() == plan.bytes().applyAsLong(messages));
  }

  boolean isExpectedLossInInterval() {
    return lost.interval().contains(expectedLoss);
  }

  boolean isExpectedOldInInterval() {
    return old.interval().contains(expectedOld);
  }
}
