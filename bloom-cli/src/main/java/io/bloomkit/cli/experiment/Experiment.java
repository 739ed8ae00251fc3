package io.bloomkit.cli.experiment;

import io.bloomkit.cli.chart.PlotOption;
import io.bloomkit.cli.io.ExitCode;
import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.io.Subcommand;
import io.bloomkit.cli.text.SeedOption;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A command that measures filters beside their formulas: what all experiments share, from the
 * options to the output.
 */
@Command(
    footer = {"", "--plot draws the measured and the predicted rates."},
    exitCodeList = {
      "0:success",
      "1:a filter violated its guarantees, for example by a false negative",
      ExitCode.FAILURE_HELP,
      ExitCode.OUTPUT_CLOSED_HELP
    })
public abstract class Experiment extends Subcommand implements Runnable {
  private static final int CHECKPOINTS = 20;

  /** The heap for everything that a run does not count. */
  private static final long RESERVE_BYTES = 32 << 20;

  @Mixin private final SeedOption seed = new SeedOption();

  @Option(
      names = "--json",
      description =
          "Prints an array of objects, one a filter, in place of tables. A rate is"
              + " measured…, its interval of 99.9 %% measured…Low and measured…High, its formula"
              + " expected…, and expected…InInterval; they are null without queries.")
  private boolean json;

  @Mixin private final PlotOption plot = new PlotOption();

  /** A run whose options were checked. */
  @FunctionalInterface
  protected interface Run {

    /**
     * Measures the filters one after another.
     *
     * @throws ViolationException as soon as a filter violates its guarantees
     */
    Results measure(Progress progress);
  }

  /**
   * Checks the options and the heap.
   *
   * @throws IllegalArgumentException if the run cannot be; the message says what to change
   */
  protected abstract Run prepare();

  /** Returns the seed of the input. */
  protected final long seed() {
    return seed.value();
  }

  /**
   * Returns how often the rate is measured while a filter is filled, which only a picture shows.
   */
  protected final int checkpoints() {
    return plot.isSet() ? CHECKPOINTS : 0;
  }

  /**
   * Refuses a run that would run out of memory after some minutes.
   *
   * @param what the data that needs the memory, in the plural, for the message
   * @param bytes the size of all data that is live at the same time
   * @throws IllegalArgumentException if the data might not fit; the message proposes a value of
   *     -Xmx
   */
  protected static void requireHeap(String what, long bytes) {
    // Collectors reserve a part of the heap for young objects, and large arrays need contiguous
    // memory.
    long needed = 2 * bytes + RESERVE_BYTES;
    long available = Runtime.getRuntime().maxMemory();
    if (needed > available) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s need a heap of %,d MiB but Java may use only %,d MiB: try java -Xmx%dm -jar",
              what,
              needed >> 20,
              available >> 20,
              (needed >> 20) + 64));
    }
  }

  /** Returns a line that says that other programs have made times longer, or an empty text. */
  static String loadNote(double load, int processors) {
    return load <= processors // and negative if it is unknown
        ? ""
        : String.format(
            Locale.ROOT,
            "bloom: note: times are too long, as other programs were running: load average %.1f on"
                + " %d processors%n",
            load,
            processors);
  }

  @Override
  public final void run() {
    Run run = prepare();
    plot.requireWritable();
    CommandLine commandLine = spec().commandLine();
    Results results;
    try (Progress progress = Progress.to(commandLine.getErr())) {
      results = run.measure(progress);
    }
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    commandLine.getErr().print(loadNote(load, Runtime.getRuntime().availableProcessors()));
    commandLine.getErr().flush();
    commandLine.getOut().println(json ? results.json() : results);
    plot.write(results::png);
  }
}
