package io.bloomkit.cli.filter;

import io.bloomkit.cli.chart.PlotFile;
import io.bloomkit.cli.io.Subcommand;
import io.bloomkit.cli.text.Arguments;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the contents of a filter's file. */
@Command(
    name = "inspect",
    description = {
      "Prints the contents of a filter's file: kind, strategy, size, elements, fill, false-positive"
          + " rate, and whether the checksums are right.",
      "",
      "\"elements\" is the number of additions minus removals, as the file records it."
          + " \"approximate elements\" is an estimate of the number of distinct elements from"
          + " the fill. \"expected fpp\" is the present false-positive rate.",
      "",
      "If a file is damaged after its header, the header is printed, and the exit code is 2.",
      "",
      "Of a delta, the kind of filter is printed, and the fingerprints of the contents that it"
          + " applies to and that it leads to."
    })
public final class InspectCommand extends Subcommand implements Runnable {

  @Parameters(paramLabel = "FILTER", description = "The file of the filter.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(
      names = "--json",
      description =
          "Prints an object: file, kind, formatVersion, strategy, fingerprint, elements (null"
              + " if unknown), fileBytes, checksum (right, damaged, not checked, or none for"
              + " guava, dcso, parquet, spark-v1, spark-v2), damage (null, or what is wrong). If the"
              + " filter could be read, also approximateElements, expectedFpp,"
              + " plannedElements, plannedFpp, overfull (the last three are null if the file"
              + " does not record the plan), memoryBytes, positions, hashes, setPositions,"
              + " fill, layers, blocks, buckets, fingerprintBits, capacity (each is null if"
              + " the kind has no such figure), for dynamic-cuckoo and expiring-cuckoo"
              + " maxElements, possibleFingerprints, distinctFingerprints, and for expiring-cuckoo"
              + " timeToLiveMillis or windowInsertions. For a delta, in place of these filterKind,"
              + " baseFingerprint and resultFingerprint, those of the contents before and after it.")
  private boolean json;

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      converter = Arguments.NewFile.class,
      description =
          "Draws the false-positive rate by the number of elements, and the present state of"
              + " the filter, as a PNG picture. Not for scalable filters.")
  private @Nullable Path plot;

  @Option(names = "--force", description = "Replaces the file of --plot if it exists.")
  private boolean force;

  @Override
  public void run() {
    if (plot != null) {
      PlotFile.requireWritable(plot, force);
    }
    FilterInspection inspection = FilterInspection.of(file);
    out().println(json ? inspection.json() : inspection.table());
    if (inspection.damage() != null) {
      throw inspection.damage();
    }
    if (plot != null) {
      if (inspection.filter() == null) {
        throw new IllegalArgumentException("--plot draws a filter, and " + file + " is a delta");
      }
      PlotFile.write(plot, FillPlot.png(file.toString(), inspection.filter()));
    }
  }
}
