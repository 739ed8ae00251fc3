package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.Shape;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.aging.AgingShape;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * A way to tell first clicks from repeats, before anything is built.
 *
 * @param name its name in tables and JSON
 * @param mostMessages how many messages of a stream it is shown at most
 * @param fixedMemory whether it takes as much memory from the beginning as it ever will
 * @param bytes what it takes after a number of messages
 * @param forecast what formulas say of it
 * @param filters makes an empty one, with its clock at 0
 */
public record ClickPlan(
    String name,
    long mostMessages,
    boolean fixedMemory,
    LongUnaryOperator bytes,
    ClickForecast forecast,
    Supplier<ClickFilter> filters) {

  /** Enough to see what the exact set costs. */
  private static final long EXACT_SAMPLE = 2_000_000;

  /** Makes the plans of an experiment. */
  public interface Factory {

    /**
     * Returns the plans for a window of a traffic.
     *
     * @throws IllegalArgumentException if there is no such filter, which it names
     */
    List<ClickPlan> plans(ClickTraffic traffic, double fpp);
  }

  /**
   * Returns an aging filter, a counting filter with a queue, and an exact set.
   *
   * @throws IllegalArgumentException if there is no such filter, which it names
   */
  public static List<ClickPlan> ofExperiment(ClickTraffic traffic, double fpp) {
    return List.of(
        named("aging filter", () -> aging(traffic, fpp)),
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

  static ClickPlan aging(ClickTraffic traffic, double fpp) {
    long window = traffic.windowMillis();
    AgingShape shape = AgingShape.of(Duration.ofMillis(window), traffic.messagesInWindow(), fpp);
    long generation = (window - 1) / shape.historicSlices() + 1; // rounded up: no less than given
    long bytes = shape.positions() / Byte.SIZE;
    return new ClickPlan(
        "aging filter",
        Long.MAX_VALUE,
        /* fixedMemory= */ true,
        messages -> bytes,
        new ClickForecast.Aging(shape, generation, traffic),
        () -> new AgingClicks(shape, generation));
  }

  static ClickPlan counting(ClickTraffic traffic, double fpp) {
    // Ages are counted in whole milliseconds, so a window has the messages of one more, and two at
    // its ends.
    double most = traffic.messagesWithin(traffic.windowMillis() + 1.0) + 2;
    if (most > ExpiryQueue.MOST_ENTRIES) {
      throw new IllegalArgumentException(
          "a window has "
              + Figures.whole((long) most)
              + " messages but its queue has room for "
              + Figures.whole(ExpiryQueue.MOST_ENTRIES)
              + " at most: take a shorter --window");
    }
    int mostInWindow = (int) most;
    Shape shape = Shape.of(traffic.messagesInWindow(), fpp);
    long bytes =
        CountingBloomFilter.builder(HashStrategies.uuids()).shape(shape).memoryBytes()
            + ExpiryQueue.memoryBytes(mostInWindow);
    return new ClickPlan(
        "counting filter, queue",
        Long.MAX_VALUE,
        /* fixedMemory= */ true,
        messages -> bytes,
        new ClickForecast.Counting(shape, traffic),
        () -> new CountedClicks(shape, mostInWindow, traffic.windowMillis()));
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
