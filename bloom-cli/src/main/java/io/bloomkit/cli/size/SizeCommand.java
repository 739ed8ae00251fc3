package io.bloomkit.cli.size;

import io.bloomkit.cli.text.Arguments;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints how large filters are, without building them. */
@Command(
    name = "size",
    description = {
      "Prints the size of a filter of each kind, the cost of its operations, and what it supports.",
      "",
      "Each is sized for N elements at the rate P. A scalable filter begins with room for N; it"
          + " stays below P however far it grows, so its first layer uses only a part of P. An"
          + " aging filter remembers the last N additions.",
      "",
      "Bytes are the memory of an empty filter.",
      "",
      "Lines are the 64-byte cache lines that an operation touches. Queries: of a stored element,"
          + " and of an absent one, on average in a filter of N elements. Additions to a cuckoo"
          + " filter: on average while it fills up to N; 2 at first, 20 near the end, 502 at most."
          + " Scalable: with one layer; each further layer adds its own."
    })
public final class SizeCommand implements Runnable {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--items",
      required = true,
      paramLabel = "N",
      converter = Arguments.WholeNumber.class,
      description = "The number of distinct elements; 20000000 and 20_000_000 are the same.")
  private long items;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      defaultValue = "0.01",
      converter = Arguments.RealNumber.class,
      description = "The false-positive probability, between 0 and 1 (default: ${DEFAULT-VALUE}).")
  private double fpp;

  @Option(
      names = "--json",
      description =
          "Prints an array of objects: kind, positions, hashes (both null for filters of fingerprints), buckets,"
              + " fingerprintBits (both null for others), bytes, bitsPerElement, expectedFpp (null"
              + " for aging), linesAdd, linesAddAtMost, linesQuery, linesQueryAbsent (null for"
              + " aging), linesRemove (null if nothing can be removed), concurrent, deletable. If"
              + " there is no such filter of a kind, all but its name are null and reason says"
              + " why.")
  private boolean json;

  @Override
  public void run() {
    Arguments.checkRange("--items", items, 1, Long.MAX_VALUE);
    Arguments.checkFpp(fpp);
    SizeReport report = SizeReport.of(items, fpp);
    spec.commandLine().getOut().println(json ? report.json() : report.table());
  }
}
