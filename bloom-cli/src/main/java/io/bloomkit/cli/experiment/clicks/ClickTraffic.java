package io.bloomkit.cli.experiment.clicks;

import java.util.SplittableRandom;

/**
 * The properties of a stream of clicks: the message rate, the share of repeats, and the delays of
 * the repeats. Times are in milliseconds.
 *
 * <p>Every message, whether a first click or a repeat, is followed by at most one repeat. With the
 * planned probability, this is an accidental repeat. Its delay is {@value #MIN_DELAY_MILLIS} ms
 * plus an exponentially distributed time with a mean of {@value #MEAN_EXTRA_MILLIS} ms (half of
 * these repeats come within 0.4 seconds, 99 % within 2.4 seconds). With a tenth of that
 * probability, it is a late repeat, whose delay is uniform between one and two windows. A window
 * therefore forgets the clicks of late repeats, and a repeat always repeats the previous message
 * with its id. A repeat that is due replaces a new click, so the message rate is constant.
 *
 * @param rate the number of messages per second, at least 1
 * @param doubleClick the probability that a message is followed by an accidental repeat, from 0 to
 *     {@link #MAX_DOUBLE_CLICK}
 * @param windowMillis the time for which a click is remembered, at least 1
 */
public record ClickTraffic(long rate, double doubleClick, long windowMillis) {

  /**
   * The highest probability of an accidental repeat. Above it, repeats that are due would delay
   * each other.
   */
  static final double MAX_DOUBLE_CLICK = 0.5;

  private static final double LATE_PER_ACCIDENTAL = 0.1;
  private static final double MIN_DELAY_MILLIS = 50;
  private static final double MEAN_EXTRA_MILLIS = 500;
  private static final double MILLIS_PER_SECOND = 1000;

  /** The delay of a message that is not repeated. */
  static final double NEVER = Double.POSITIVE_INFINITY;

  private double late() {
    return LATE_PER_ACCIDENTAL * doubleClick;
  }

  /** Draws the delay of the repeat of a message, or {@link #NEVER}. */
  double repeatAfter(SplittableRandom random) {
    double kind = uniform(random);
    if (kind < doubleClick) {
      return MIN_DELAY_MILLIS - MEAN_EXTRA_MILLIS * StrictMath.log1p(-uniform(random));
    }
    return kind < doubleClick + late() ? windowMillis * (1 + uniform(random)) : NEVER;
  }

  /** Returns a uniform number in [0, 1), the same on every Java version. */
  private static double uniform(SplittableRandom random) {
    return (random.nextLong() >>> 11) * 0x1.0p-53;
  }

  /** Returns the time of a message, rounded down; the first message of a stream is at 0. */
  long millisOf(long message) {
    return message * (long) MILLIS_PER_SECOND / rate;
  }

  /** Returns the duration of a number of messages, not rounded. */
  double durationOf(long messages) {
    return messages * MILLIS_PER_SECOND / rate;
  }

  /** Returns the number of messages in a duration. */
  double messagesWithin(double millis) {
    return rate * (millis / MILLIS_PER_SECOND);
  }

  /** Returns the planned number of messages in a window. */
  long messagesInWindow() {
    return (long) Math.ceil(messagesWithin((double) windowMillis));
  }

  /** Returns the share of first clicks among the messages at a time of a stream. */
  double firstShare(double millis) {
    double excess = Math.max(0, millis - MIN_DELAY_MILLIS);
    double accidental = -Math.expm1(-excess / MEAN_EXTRA_MILLIS);
    double late = Math.min(1, Math.max(0, (millis - windowMillis) / windowMillis));
    return 1 - doubleClick * accidental - late() * late;
  }

  /** Returns the time after which {@link #firstShare} is constant, up to a negligible change. */
  double steadyAfterMillis() {
    return Math.max(2.0 * windowMillis, MIN_DELAY_MILLIS + 20 * MEAN_EXTRA_MILLIS);
  }

  /**
   * Returns the mean number of distinct ids within a duration, which does not count messages that
   * repeat a message of the same duration. This is the integral of {@link #firstShare}, whenever
   * the duration begins.
   */
  double idsWithin(double millis) {
    double excess = Math.max(0, millis - MIN_DELAY_MILLIS);
    double accidental = excess + MEAN_EXTRA_MILLIS * Math.expm1(-excess / MEAN_EXTRA_MILLIS);
    double second = Math.min((double) windowMillis, Math.max(0, millis - windowMillis));
    double late = second * second / (2 * windowMillis) + Math.max(0, millis - 2.0 * windowMillis);
    return messagesWithin(millis - doubleClick * accidental - late() * late);
  }

  /** Returns the mean number of pending repeats of the messages within a duration. */
  double pendingRepeats(double millis) {
    double lateMillis = Math.min(1.5 * windowMillis, millis);
    return messagesWithin(
        doubleClick * (MIN_DELAY_MILLIS + MEAN_EXTRA_MILLIS) + late() * lateMillis);
  }
}
