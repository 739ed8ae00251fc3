package io.bloomkit.cli.filter;

import io.bloomkit.cli.chart.PlotOption;
import io.bloomkit.cli.io.Subcommand;
import java.nio.file.Path;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the contents of a filter's file. */
@Command(
    name = "inspect",
    description = {
      "Prints the contents of a filter's file: kind, strategy, size, insertions, fill,"
          + " false-positive rate, and whether the checksums are right.",
      "",
      "\"net insertions\" is the number of insertions less removals, repeats included, as the file"
          + " records it; unknown after intersect. \"approximate elements\" is an estimate of the"
          + " number of distinct elements from the fill, too high after intersect. \"expected fpp\""
          + " is the present false-positive rate.",
      "",
      "If a file is damaged after its header, the header is printed, and the exit code is 2.",
      "",
      "Of a delta, the kind of filter is printed, and the fingerprints of the contents that it"
          + " applies to and that it leads to.",
      "",
      "--plot draws the false-positive rate by the number of elements, and the present state of"
          + " the filter. Not for scalable filters."
    })
public final class InspectCommand extends Subcommand implements Runnable {

  @Parameters(
      paramLabel = "FILTER",
      description = "The file of the filter, or the folder of a durable one.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(
      names = "--json",
      description =
          "Prints an object: file, kind, formatVersion, strategy, fingerprint, netInsertions (null"
              + " if unknown), fileBytes, checksum (right, damaged, not checked, or none for guava,"
              + " dcso, parquet, spark-v1, spark-v2), damage (null, or what is wrong). If the"
              + " filter could be read, also approximateElements (null if the filter is full),"
              + " expectedFpp, plannedElements, plannedFpp, overfull (the last three are null if"
              + " the file does not record the plan), memoryBytes, positions, hashes, setPositions,"
              + " fill, layers, blocks, buckets, fingerprintBits, capacity (each is null if the"
              + " kind has no such figure), for dynamic-cuckoo and expiring-cuckoo maxElements,"
              + " possibleFingerprints, distinctFingerprints, and for expiring-cuckoo"
              + " timeToLiveMillis or windowInsertions. For a delta, in place of these filterKind,"
              + " baseFingerprint and resultFingerprint, those of the contents before and after it."
              + " For the folder of a durable filter, logBytes, logUpdates and logBytesCut in place"
              + " of fileBytes.")
  private boolean json;

  @Mixin private final PlotOption plot = new PlotOption();

  @Override
  public void run() {
    plot.requireWritable();
    FilterInspection inspection = FilterInspection.of(file);
    out().println(json ? inspection.json() : inspection.table());
    if (inspection.damage() != null) {
      throw inspection.damage();
    }
    LineFilter filter = inspection.filter();
    if (plot.isSet() && filter == null) {
      throw new IllegalArgumentException("--plot draws a filter, and " + file + " is a delta");
    }
    plot.write(() -> FillPlot.png(file.toString(), Objects.requireNonNull(filter)));
  }
}
