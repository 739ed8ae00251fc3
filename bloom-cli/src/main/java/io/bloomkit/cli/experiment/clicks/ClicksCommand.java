package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.experiment.Experiment;
import io.bloomkit.cli.experiment.RatePlot;
import io.bloomkit.cli.experiment.Results;
import io.bloomkit.cli.experiment.Results.Column;
import io.bloomkit.cli.experiment.Row;
import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.FppOption;
import io.bloomkit.cli.text.Window;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the experiment with clicks. */
@Command(
    name = "clicks",
    description = {
      "Finds repeats within a window of time in a synthetic stream of clicks.",
      "",
      "Every message is a UUID. With the probability D, an accidental repeat follows at least"
          + " 50 ms and on average 0.55 s later. With a tenth of that probability, a late"
          + " repeat follows after one to two windows. Times are those of the stream; only the"
          + " throughput depends on the real clock.",
      "",
      "Filters: expiring, without a queue; counting, with a queue of hashes for the removal of"
          + " messages older than the window. Both are sized for the messages of a window at"
          + " the rate P. An exact set, which forgets nothing, receives the first 2000000"
          + " messages.",
      "",
      "A repeat within the window that is mistaken for a first click is a violation and stops"
          + " the run. A first click that is mistaken for a repeat, at the rate P, is lost. The"
          + " number of lost clicks is compared with the formula of each filter, and extrapolated"
          + " to a day of 864000000 messages.",
      "",
      "The defaults need a heap of 1.4 GiB. They give a stream of 2000 seconds, which"
          + " is shorter than the window, so the filters do not become full. --window 10s"
          + " shows many windows."
    })
public final class ClicksCommand extends Experiment {

  static final long DAY_RATE = 10_000;
  static final long DAY_MILLIS = 24 * 60 * 60 * 1000;
  private static final long MILLIS_PER_SECOND = 1000;
  static final long DAY_MESSAGES = DAY_RATE * (DAY_MILLIS / MILLIS_PER_SECOND);

  /** An upper limit on the duration of a run. */
  private static final long MAX_MESSAGES = 1_000_000_000_000L;

  private static final long MAX_RATE = 1_000_000_000;
  private static final long MIN_MESSAGES_IN_WINDOW = 1000;
  private static final Duration MIN_WINDOW = Duration.ofSeconds(1);

  /** The queue stores ages as 31 bits of milliseconds. */
  private static final Duration MAX_WINDOW = Duration.ofDays(24);

  @Option(
      names = "--messages",
      paramLabel = "N",
      defaultValue = "20000000",
      converter = Arguments.WholeNumber.class,
      description = "The number of messages of the stream (default: ${DEFAULT-VALUE}).")
  private long messages;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "10000",
      converter = Arguments.WholeNumber.class,
      description = "The number of messages per second of the stream (default: ${DEFAULT-VALUE}).")
  private long rate;

  @Option(
      names = "--double-click",
      paramLabel = "D",
      defaultValue = "0.02",
      converter = Arguments.RealNumber.class,
      description =
          "The probability that a message is followed by an accidental repeat, from 0 to 0.5"
              + " (default: ${DEFAULT-VALUE}).")
  private double doubleClick;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      defaultValue = "1h",
      converter = Window.Converter.class,
      description =
          "The time for which a click is remembered, from 1s to 24d: 10s, 15m, 1h"
              + " (default: ${DEFAULT-VALUE}).")
  private Window window = new Window("1h", 0, Duration.ofHours(1));

  @Mixin private final FppOption fpp = new FppOption("0.001");

  private final ClickPlan.Factory factory;

  public ClicksCommand(ClickPlan.Factory factory) {
    this.factory = factory;
  }

  @Override
  protected Run prepare() {
    Arguments.checkRange("--messages", messages, 1, MAX_MESSAGES);
    Arguments.checkRange("--rate", rate, 1, MAX_RATE);
    if (!(doubleClick >= 0 && doubleClick <= ClickTraffic.MAX_DOUBLE_CLICK)) { // also refuses NaN
      throw new IllegalArgumentException(
          "--double-click must be in [0, "
              + ClickTraffic.MAX_DOUBLE_CLICK
              + "], got "
              + doubleClick);
    }
    fpp.check();
    ClickTraffic traffic = new ClickTraffic(rate, doubleClick, windowMillis());
    if (traffic.messagesInWindow() < MIN_MESSAGES_IN_WINDOW) {
      throw new IllegalArgumentException(
          "a window must have at least "
              + MIN_MESSAGES_IN_WINDOW
              + " messages, but --window "
              + window.text()
              + " has "
              + traffic.messagesInWindow()
              + " at --rate "
              + rate);
    }
    List<ClickPlan> plans = factory.plans(traffic, fpp.value());
    long largest = 0;
    for (ClickPlan plan : plans) {
      long passed = Math.min(messages, plan.maxMessages());
      largest = Math.max(largest, plan.bytes().applyAsLong(passed));
    }
    double pending = traffic.pendingRepeats(traffic.durationOf(messages));
    requireHeap(
        "filters for " + Figures.whole(traffic.messagesInWindow()) + " messages",
        largest + (long) (pending * ClickStream.BYTES_PER_PENDING));
    return progress -> measure(plans, traffic, progress);
  }

  private Results measure(List<ClickPlan> plans, ClickTraffic traffic, Progress progress) {
    List<ClickPlan> dayPlans = dayPlans();
    List<Row> rows = new ArrayList<>();
    for (ClickPlan plan : plans) { // each filter is released before the next is created
      Row row = new ClickTrial(plan, traffic, messages, seed(), progress).run();
      if (row.number("messages").longValue() < messages) {
        row.note(
            String.format(
                Locale.ROOT,
                "only the first %,d messages; all messages would take %,d bytes",
                row.number("messages").longValue(),
                plan.bytes().applyAsLong(messages)));
      }
      putDay(row, dayPlans.isEmpty() ? null : dayPlans.get(rows.size()));
      rows.add(row);
    }
    return results(traffic, rows);
  }

  private long windowMillis() {
    Duration duration = window.duration();
    if (duration == null
        || duration.compareTo(MIN_WINDOW) < 0
        || duration.compareTo(MAX_WINDOW) > 0) {
      throw new IllegalArgumentException(
          "--window must be a time from 1s to 24d, got " + window.text());
    }
    return duration.toMillis();
  }

  /**
   * Returns the plans for a day with the same window and share of repeats, or an empty list if a
   * filter does not support a day. The measured results remain valid.
   */
  private List<ClickPlan> dayPlans() {
    try {
      return factory.plans(dayTraffic(), fpp.value());
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }

  private ClickTraffic dayTraffic() {
    return new ClickTraffic(DAY_RATE, doubleClick, windowMillis());
  }

  /** Extrapolates to a day of clicks, whose ids of 36 characters alone take 31 GB. */
  private void putDay(Row row, @Nullable ClickPlan plan) {
    double cores = DAY_RATE / row.number("messagesPerSecond").doubleValue();
    row.put("dayBytes", plan == null ? null : plan.bytes().applyAsLong(DAY_MESSAGES));
    row.put("dayCores", plan == null ? null : cores);
    row.put(
        "dayFirstClicksLost",
        plan == null ? null : plan.forecast().expectedLost(dayTraffic(), (double) DAY_MILLIS));
  }

  private Results results(ClickTraffic traffic, List<Row> rows) {
    RatePlot plot =
        new RatePlot(
            "First clicks mistaken for repeats", "time of the stream (s)", "first clicks lost (%)");
    Row whole = rows.get(0);
    Results results =
        new Results(rows, plot)
            .text(
                "%,d messages, %,d a second: %s s; a window of %s s; filters for %,d messages at"
                    + " fpp %s; seed %d%n",
                messages,
                rate,
                seconds(traffic.millisOf(messages)),
                seconds(traffic.windowMillis()),
                traffic.messagesInWindow(),
                Figures.percent(fpp.value()),
                seed())
            .text(
                "%,d first clicks, %,d repeats within the window, %,d older ones%n",
                whole.number("firstClicks").longValue(),
                whole.number("repeats").longValue(),
                whole.number("oldRepeats").longValue());
    if (traffic.millisOf(messages) < traffic.windowMillis()) {
      results.text(
          "The stream is shorter than the window: nothing is forgotten yet, and the filters are"
              + " not full.%nThe formulas take that into account. Use a shorter --window to fill"
              + " the filters.%n");
    }
    results
        .text("%n")
        .table(
            rows,
            "filter",
            Column.withRate(
                "Loss",
                Column.whole("bytes", "bytes"),
                Column.whole("messages/s", "messagesPerSecond"),
                Column.whole("repeats", "repeats"),
                Column.whole("caught", "repeatsCaught"),
                Column.whole("first clicks", "firstClicks"),
                Column.whole("lost", "firstClicksLost")));
    rows.forEach(results::notes);
    if (rows.stream().anyMatch(row -> row.rate("OldRecognition").queries() > 0)) {
      results
          .text(
              "%nRepeats of clicks older than the window, and the share of them that is"
                  + " recognized:%n")
          .table(
              rows,
              "filter",
              Column.withRate(
                  "OldRecognition",
                  Column.whole("older repeats", "oldRepeats"),
                  Column.whole("recognized", "oldRepeatsRecognized")));
    }
    results.text(
        "%nA day of %,d messages, %,d a second, with this window, fpp and share of repeats",
        DAY_MESSAGES, DAY_RATE);
    if (whole.members().get("dayBytes") == null) {
      return results.text(" is not supported by one of the filters.");
    }
    return results
        .text(":%n")
        .table(
            rows,
            "filter",
            List.of(
                Column.whole("bytes", "dayBytes"),
                new Column(
                    "cores at this speed",
                    row ->
                        String.format(Locale.ROOT, "%.4f", row.number("dayCores").doubleValue())),
                Column.whole("first clicks lost", "dayFirstClicksLost")));
  }

  private static String seconds(long millis) {
    return millis % MILLIS_PER_SECOND == 0
        ? Figures.whole(millis / MILLIS_PER_SECOND)
        : Figures.oneDecimal((double) millis / MILLIS_PER_SECOND);
  }
}
