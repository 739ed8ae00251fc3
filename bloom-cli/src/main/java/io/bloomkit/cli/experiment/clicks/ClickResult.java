package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.experiment.MeasuredRate;
import java.util.List;

/**
 * What the experiment found out about a way to tell first clicks from repeats.
 *
 * @param plan what it was
 * @param messages how many messages it was shown
 * @param messagesPerSecond how many of them one thread got done in a second
 * @param bytes what it took at the end
 * @param lost how many of the first clicks it took for repeats
 * @param expectedLoss what share of them the formula says
 * @param repeats how many repeats came within the window
 * @param missed how many of these it took for first clicks
 * @param old how many of the repeats that were older than the window it recognized
 * @param expectedOld what share of them the formula says, for the ages that they had
 * @param curve how it went
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
   * @param millis when, from the beginning
   * @param bytes what it took then
   * @param lost how many of the first clicks since the moment before it took for repeats
   */
  record Moment(long millis, long bytes, MeasuredRate lost) {}

  /** Returns whether it took as much memory as was planned, from the first moment to the last. */
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
