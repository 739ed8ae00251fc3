package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * The plan of a {@link ClickFilter}, before the filter is built.
 *
 * @param name the name of the filter in tables and JSON
 * @param maxMessages the maximum number of messages of a stream that the filter receives
 * @param fixedMemory whether the memory is constant from the beginning
 * @param bytes returns the memory in bytes after a number of messages
 * @param forecast the predictions of formulas
 * @param filters creates an empty filter with its clock at 0
 */
public record ClickPlan(
    String name,
    long maxMessages,
    boolean fixedMemory,
    LongUnaryOperator bytes,
    ClickForecast forecast,
    Supplier<ClickFilter> filters) {

  /** The number of messages for the exact set, enough to measure its cost. */
  private static final long EXACT_SAMPLE = 2_000_000;

  /** Creates the plans of an experiment. */
  public interface Factory {

    /**
     * Returns the plans for the window of a traffic.
     *
     * @throws IllegalArgumentException if a filter does not support the traffic or the rate; the
     *     message names the filter
     */
    List<ClickPlan> plans(ClickTraffic traffic, double fpp);
  }

  /**
   * Returns the plans of an expiring filter, a counting filter with a queue, and an exact set.
   *
   * @throws IllegalArgumentException if a filter does not support the traffic or the rate; the
   *     message names the filter
   */
  public static List<ClickPlan> ofExperiment(ClickTraffic traffic, double fpp) {
    return List.of(
        named("expiring filter", () -> expiring(traffic, fpp)),
        named("counting filter", () -> counting(traffic, fpp)),
        exact(traffic));
  }

  private static ClickPlan named(String name, Supplier<ClickPlan> plan) {
    try {
      return plan.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  static ClickPlan expiring(ClickTraffic traffic, double fpp) {
    long messages = traffic.messagesInWindow();
    ExpiringClicks empty = new ExpiringClicks(messages, fpp, traffic.windowMillis());
    long bytes = ExpiringCuckooFilter.KIND.layout(messages, fpp).memoryBytes();
    return new ClickPlan(
        "expiring filter",
        Long.MAX_VALUE,
        /* fixedMemory= */ false,
        passed -> bytes, // of a full window; the filter takes less before
        new ClickForecast.Expiring(empty.possibleFingerprints(), traffic),
        () -> new ExpiringClicks(messages, fpp, traffic.windowMillis()));
  }

  static ClickPlan counting(ClickTraffic traffic, double fpp) {
    // Ages are whole milliseconds, so a window contains the messages of one more millisecond, and
    // two more messages at its ends.
    double messages = traffic.messagesWithin(traffic.windowMillis() + 1.0) + 2;
    if (messages > ExpiryQueue.MAX_ENTRIES) {
      throw new IllegalArgumentException(
          "a window has "
              + Figures.whole((long) messages)
              + " messages, but its queue has room for "
              + Figures.whole(ExpiryQueue.MAX_ENTRIES)
              + " at most: use a shorter --window");
    }
    int maxInWindow = (int) messages;
    FlatShape shape = Shape.of(traffic.messagesInWindow(), fpp);
    long bytes =
        CountingBloomFilter.builder(HashStrategies.uuids()).shape(shape).memoryBytes()
            + ExpiryQueue.memoryBytes(maxInWindow);
    return new ClickPlan(
        "counting filter, queue",
        Long.MAX_VALUE,
        /* fixedMemory= */ true,
        passed -> bytes,
        new ClickForecast.Counting(shape, traffic),
        () -> new CountedClicks(shape, maxInWindow, traffic.windowMillis()));
  }

  static ClickPlan exact(ClickTraffic traffic) {
    return new ClickPlan(
        "exact set",
        EXACT_SAMPLE,
        /* fixedMemory= */ false,
        messages ->
            ExactClicks.memoryBytes(
                Math.round(traffic.idsWithin((double) traffic.millisOf(messages)))),
        new ClickForecast.Exact(),
        ExactClicks::new);
  }
}
