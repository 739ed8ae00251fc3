package io.bloomkit.cli.experiment.clicks;

import io.bloomkit.cli.chart.PlotFile;
import io.bloomkit.cli.experiment.Heap;
import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.Window;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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
      "Filters: aging, without a queue; counting, with a queue of hashes for the removal of"
          + " messages older than the window. Both are sized for the messages of a window at"
          + " the rate P. An exact set, which forgets nothing, receives the first 2000000"
          + " messages.",
      "",
      "A repeat within the window that is mistaken for a first click is a violation and stops"
          + " the run. A first click that is mistaken for a repeat is lost. The number of lost"
          + " clicks is compared with the formula of each filter, and extrapolated to a day of"
          + " 864000000 messages.",
      "",
      "The defaults need a heap of 1.4 GiB. They give a stream of 2000 seconds, which"
          + " is shorter than the window, so the filters do not become full. --window 10s"
          + " shows many windows."
    })
public final class ClicksCommand implements Runnable {

  /** An upper limit on the duration of a run. */
  private static final long MOST_MESSAGES = 1_000_000_000_000L;

  private static final long MOST_RATE = 1_000_000_000;
  private static final long FEWEST_IN_WINDOW = 1000;
  private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);

  /** The queue stores ages as 31 bits of milliseconds. */
  private static final Duration LONGEST_WINDOW = Duration.ofDays(24);

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

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

  @Option(
      names = "--fpp",
      paramLabel = "P",
      defaultValue = "0.001",
      converter = Arguments.RealNumber.class,
      description =
          "The probability that a first click is mistaken for a repeat, between 0 and 1 (default:"
              + " ${DEFAULT-VALUE}).")
  private double fpp;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      converter = Arguments.WholeNumber.class,
      description =
          "The seed of the stream: the same seed gives the same figures, except for the"
              + " throughput (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--json",
      description =
          "Prints an array of objects: filter, messages, bytes, bytesAsPlanned (null for the exact"
              + " set), messagesPerSecond, repeats, repeatsCaught, firstClicks, firstClicksLost,"
              + " measuredLoss, expectedLoss, expectedLossInInterval (of 99.9 %%), oldRepeats,"
              + " those older than the window, oldRepeatsRecognized, measuredOldRecognition,"
              + " expectedOldRecognition, expectedOldRecognitionInInterval (null if there are"
              + " none), dayBytes, dayCores, dayFirstClicksLost (null if there are no filters for a"
              + " window of 10000 messages a second), and the ends of the intervals.")
  private boolean json;

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      description = "Draws memory and lost clicks over the time of the stream, as a PNG picture.")
  private @Nullable Path plot;

  private final ClickPlan.Factory factory;

  public ClicksCommand(ClickPlan.Factory factory) {
    this.factory = factory;
  }

  @Override
  public void run() {
    Arguments.checkRange("--messages", messages, 1, MOST_MESSAGES);
    Arguments.checkRange("--rate", rate, 1, MOST_RATE);
    if (!(doubleClick >= 0 && doubleClick <= ClickTraffic.MOST_DOUBLE_CLICK)) { // also refuses NaN
      throw new IllegalArgumentException(
          "--double-click must be in [0, "
              + ClickTraffic.MOST_DOUBLE_CLICK
              + "], got "
              + doubleClick);
    }
    Arguments.checkFpp(fpp);
    ClickTraffic traffic = new ClickTraffic(rate, doubleClick, windowMillis());
    if (traffic.messagesInWindow() < FEWEST_IN_WINDOW) {
      throw new IllegalArgumentException(
          "a window must have at least "
              + FEWEST_IN_WINDOW
              + " messages, but --window "
              + window.text()
              + " has "
              + traffic.messagesInWindow()
              + " at --rate "
              + rate);
    }
    ClicksExperiment.Settings settings =
        new ClicksExperiment.Settings(traffic, messages, fpp, seed);
    List<ClickPlan> plans = factory.plans(traffic, fpp);
    requireHeap(settings, plans);
    if (plot != null) {
      PlotFile.requireWritable(plot);
    }

    CommandLine commandLine = spec.commandLine();
    List<ClickResult> results;
    try (Progress progress = Progress.to(commandLine.getErr())) {
      results = ClicksExperiment.run(settings, plans, progress);
    }
    ClicksReport report = new ClicksReport(settings, results, days(settings, results));
    commandLine.getOut().println(json ? report.json() : report.table());
    if (plot != null) {
      PlotFile.write(plot, ClickPlot.png(settings, results));
    }
  }

  private long windowMillis() {
    Duration duration = window.duration();
    if (duration == null
        || duration.compareTo(SHORTEST_WINDOW) < 0
        || duration.compareTo(LONGEST_WINDOW) > 0) {
      throw new IllegalArgumentException(
          "--window must be a time from 1s to 24d, got " + window.text());
    }
    return duration.toMillis();
  }

  private static void requireHeap(ClicksExperiment.Settings settings, List<ClickPlan> plans) {
    long largest = 0;
    for (ClickPlan plan : plans) {
      long shown = Math.min(settings.messages(), plan.mostMessages());
      largest = Math.max(largest, plan.bytes().applyAsLong(shown));
    }
    double pending = settings.traffic().pendingRepeats((double) settings.millis());
    Heap.require(
        "filters for " + Figures.whole(settings.traffic().messagesInWindow()) + " messages",
        largest + (long) (pending * ClickStream.BYTES_PER_PENDING));
  }

  /**
   * Returns the extrapolation to a day, or an empty list if a filter does not support a day. The
   * measured results remain valid.
   */
  private List<ClickDay> days(ClicksExperiment.Settings settings, List<ClickResult> results) {
    try {
      return ClickDay.of(settings, results, factory);
    } catch (IllegalArgumentException e) {
      return List.of();
    }
  }
}
