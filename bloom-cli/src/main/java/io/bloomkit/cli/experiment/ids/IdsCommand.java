package io.bloomkit.cli.experiment.ids;

import io.bloomkit.cli.chart.PlotFile;
import io.bloomkit.cli.experiment.Heap;
import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.text.Arguments;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the experiment with identification numbers. */
@Command(
    name = "ids",
    description = {
      "Fills filters with synthetic identification numbers (IIN) and measures their"
          + " false-positive rates.",
      "",
      "The command generates distinct valid numbers of twelve digits and adds them to"
          + " an exact set and to each filter. It queries all of them, and random texts of"
          + " twelve digits, and compares the false positives with the formula of each"
          + " filter. A false negative stops the run.",
      "",
      "It then removes every second number from each filter that supports removal. After that,"
          + " the filter must equal a new filter of the remaining numbers, or at least give"
          + " the same answers. Otherwise, the run stops.",
      "",
      "Filters: article (SHA-384, 2^28 bits, 12 hashes, independent of the options); classic,"
          + " blocked, counting, blocked-counting, cuckoo and dynamic-cuckoo, sized for N"
          + " elements at the false-positive rate P; scalable, which begins with room for N/10"
          + " elements, grows, and stays below P.",
      "",
      "The defaults need a heap of 1 GiB."
    })
public final class IdsCommand implements Runnable {

  private static final int CHECKPOINTS = 20;

  /** An upper limit on the duration of a run. */
  private static final long MOST_QUERIES = 1_000_000_000_000L;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--items",
      paramLabel = "N",
      defaultValue = "20000000",
      converter = Arguments.WholeNumber.class,
      description = "The number of distinct ids (default: ${DEFAULT-VALUE}).")
  private long items;

  @Option(
      names = "--queries",
      paramLabel = "Q",
      defaultValue = "10000000",
      converter = Arguments.WholeNumber.class,
      description = "The number of random texts to query (default: ${DEFAULT-VALUE}).")
  private long queries;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      defaultValue = "0.01",
      converter = Arguments.RealNumber.class,
      description = "The false-positive rate, between 0 and 1 (default: ${DEFAULT-VALUE}).")
  private double fpp;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      converter = Arguments.WholeNumber.class,
      description =
          "The seed of numbers and texts: the same seed gives the same figures, except"
              + " for the times (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--json",
      description =
          "Prints an array of objects: filter, positions, hashes (both null for filters of"
              + " fingerprints), buckets, fingerprintBits (both only for cuckoo, otherwise"
              + " null), layers, bytes, elements, falseNegatives, queries, falsePositives,"
              + " measuredFpp, expectedFpp, expectedFppInInterval (of 99.9 %%) and more; for"
              + " filters that support removal, also removed, falseNegativesAfterRemoval,"
              + " measuredFppAfterRemoval, expectedFppAfterRemoval, answersAsRebuilt,"
              + " equalsRebuilt. positions is the sum over all layers; hashes is that of the"
              + " newest layer.")
  private boolean json;

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      description =
          "Draws the measured and the predicted false-positive rates while the filters are"
              + " filled, as a PNG picture.")
  private @Nullable Path plot;

  private final CandidateFactory candidateFactory;

  public IdsCommand(CandidateFactory candidateFactory) {
    this.candidateFactory = candidateFactory;
  }

  /** Creates the filters of an experiment. */
  public interface CandidateFactory {
    List<Candidate> candidates(int ids, double fpp);
  }

  @Override
  public void run() {
    Arguments.checkRange("--items", items, 2, IinGenerator.SPACE);
    Arguments.checkRange("--queries", queries, 1, MOST_QUERIES);
    Arguments.checkFpp(fpp);
    int ids = (int) items;
    List<Candidate> candidates = candidateFactory.candidates(ids, fpp);
    requireHeap(ids, candidates);
    if (plot != null) {
      PlotFile.requireWritable(plot);
    }

    CommandLine commandLine = spec.commandLine();
    IdsExperiment.Settings settings =
        new IdsExperiment.Settings(ids, queries, seed, plot == null ? 0 : CHECKPOINTS);
    List<FilterResult> results;
    try (Progress progress = Progress.to(commandLine.getErr())) {
      results = IdsExperiment.run(settings, candidates, progress);
    }
    commandLine
        .getOut()
        .println(json ? IdsReport.json(results) : IdsReport.table(settings, results));
    if (plot != null) {
      PlotFile.write(plot, RatePlot.png(results));
    }
  }

  /** Refuses a run that would run out of memory after some minutes. */
  private static void requireHeap(int ids, List<Candidate> candidates) {
    long largest = IdSample.exactSetBytes(ids);
    for (Candidate candidate : candidates) {
      largest =
          Math.max(
              largest,
              2
                  * candidate
                      .plannedLayout()
                      .memoryBytes()); // deletable filters are built a second time
    }
    Heap.require("this many ids at this rate", (long) Long.BYTES * ids + largest);
  }
}
