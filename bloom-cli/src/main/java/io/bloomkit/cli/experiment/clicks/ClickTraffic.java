package io.bloomkit.cli.experiment.clicks;

import java.util.SplittableRandom;

/**
 * What a stream of clicks is like: how many messages come a second, and how many of them are
 * repeats, after how long. Times are in milliseconds.
 *
 * <p>Every message, be it a first click or a repeat itself, is followed by at most one repeat: with
 * the planned probability by an accidental one, {@value #SHORTEST_MILLIS} ms and an exponentially
 * distributed time of {@value #MEAN_FURTHER_MILLIS} ms on average later (half of them within 0.4
 * seconds, 99 % within 2.4), and with a tenth of that probability by a late one, after one to two
 * windows, each as likely. So a window forgets the late ones, and the latest message with the same
 * id is always the one that was repeated. A message that is due takes the place of a new click, so
 * that the rate of all messages is even.
 *
 * @param rate messages a second, at least 1
 * @param doubleClick the probability that a message is followed by an accidental repeat, from 0 to
 *     {@link #MOST_DOUBLE_CLICK}
 * @param windowMillis how long a click is to be remembered, at least 1
 */
public record ClickTraffic(long rate, double doubleClick, long windowMillis) {

  /** With more, messages that are due would wait for each other. */
  static final double MOST_DOUBLE_CLICK = 0.5;

  private static final double LATE_PER_ACCIDENTAL = 0.1;
  private static final double SHORTEST_MILLIS = 50;
  private static final double MEAN_FURTHER_MILLIS = 500;
  private static final double MILLIS_PER_SECOND = 1000;

  /** No message is repeated. */
  static final double NEVER = Double.POSITIVE_INFINITY;

  private double late() {
    return LATE_PER_ACCIDENTAL * doubleClick;
  }

  /** Draws how long after a message it is repeated, or {@link #NEVER}. */
  double repeatAfter(SplittableRandom random) {
    double kind = uniform(random);
    if (kind < doubleClick) {
      return SHORTEST_MILLIS - MEAN_FURTHER_MILLIS * StrictMath.log1p(-uniform(random));
    }
    return kind < doubleClick + late() ? windowMillis * (1 + uniform(random)) : NEVER;
  }

  /** From 0 to 1, without 1; the same on every Java version. */
  private static double uniform(SplittableRandom random) {
    return (random.nextLong() >>> 11) * 0x1.0p-53;
  }

  /** Returns when a message comes, the first of a stream at 0, rounded down. */
  long millisOf(long message) {
    return message * (long) MILLIS_PER_SECOND / rate;
  }

  /** Returns how long a number of messages take, not rounded. */
  double durationOf(long messages) {
    return messages * MILLIS_PER_SECOND / rate;
  }

  /** Returns how many messages come in a time. */
  double messagesWithin(double millis) {
    return rate * (millis / MILLIS_PER_SECOND);
  }

  /** Returns how many messages a window is planned for. */
  long messagesInWindow() {
    return (long) Math.ceil(messagesWithin((double) windowMillis));
  }

  /** Returns the share of the messages, after so long a time of a stream, that are first clicks. */
  double firstShare(double millis) {
    double further = Math.max(0, millis - SHORTEST_MILLIS);
    double accidental = -Math.expm1(-further / MEAN_FURTHER_MILLIS);
    double late = Math.min(1, Math.max(0, (millis - windowMillis) / windowMillis));
    return 1 - doubleClick * accidental - late() * late;
  }

  /** Returns the time after which {@link #firstShare} is constant, up to a negligible change. */
  double steadyAfterMillis() {
    return Math.max(2.0 * windowMillis, SHORTEST_MILLIS + 20 * MEAN_FURTHER_MILLIS);
  }

  /**
   * Returns how many different ids come within a time, on average: the messages but those that
   * repeat one of the same time. It is the integral of {@link #firstShare}, whenever the time
   * begins.
   */
  double idsWithin(double millis) {
    double further = Math.max(0, millis - SHORTEST_MILLIS);
    double accidental = further + MEAN_FURTHER_MILLIS * Math.expm1(-further / MEAN_FURTHER_MILLIS);
    double second = Math.min((double) windowMillis, Math.max(0, millis - windowMillis));
    double late = second * second / (2 * windowMillis) + Math.max(0, millis - 2.0 * windowMillis);
    return messagesWithin(millis - doubleClick * accidental - late() * late);
  }

  /** Returns how many repeats are to come, of the messages of so long a time. */
  double pendingRepeats(double millis) {
    double lateMillis = Math.min(1.5 * windowMillis, millis);
    return messagesWithin(
        doubleClick * (SHORTEST_MILLIS + MEAN_FURTHER_MILLIS) + late() * lateMillis);
  }
}
