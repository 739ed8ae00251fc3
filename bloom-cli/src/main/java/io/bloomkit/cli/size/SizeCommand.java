package io.bloomkit.cli.size;

import io.bloomkit.cli.filter.FileKind;
import io.bloomkit.cli.io.Subcommand;
import io.bloomkit.cli.text.Arguments;
import io.bloomkit.cli.text.FppOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the sizes of filters without building them. */
@Command(
    name = "size",
    description = {
      "Prints the size of a filter of each kind, the cost of its operations, and what it supports.",
      "",
      "Each filter is sized for N elements at the false-positive rate P. A scalable filter"
          + " begins with room for N. Its rate stays below P however large it grows, so its"
          + " first layer uses only a part of P. An expiring-cuckoo filter is sized for N"
          + " elements per window.",
      "",
      "Bytes are the memory of an empty filter; for dynamic-cuckoo and expiring-cuckoo, of a"
          + " filter of N elements.",
      "",
      "The second table counts the 64-byte cache lines that an operation touches. \"query\" is for a"
          + " stored element, \"absent\" the average for an absent element in a filter of N"
          + " elements. For cuckoo and dynamic-cuckoo filters, \"add\" is the average while"
          + " the filter fills up to N, and single additions touch more lines"
          + " (linesAddAtMost of --json). A scalable filter has one layer here, and each"
          + " further layer adds its own lines. Filters without \"remove\" support no removal."
    })
public final class SizeCommand extends Subcommand implements Runnable {

  @Option(
      names = "--items",
      required = true,
      paramLabel = "N",
      converter = Arguments.WholeNumber.class,
      description = "The number of distinct elements, such as 10M, 1e7, 10000000 or 10_000_000.")
  private long items;

  @Mixin private final FppOption fpp = new FppOption("0.01");

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      split = ",",
      converter = FileKind.Converter.class,
      completionCandidates = FileKind.Names.class,
      description = "Only these kinds, separated by commas: ${COMPLETION-CANDIDATES}.")
  private @Nullable List<FileKind> kinds;

  @Option(
      names = "--json",
      description =
          "Prints an array of objects: kind, positions, hashes (both null for filters of"
              + " fingerprints), buckets, fingerprintBits (both only for cuckoo, otherwise"
              + " null), bytes, bitsPerElement, expectedFpp, linesAdd,"
              + " linesAddAtMost, linesQuery, linesQueryAbsent, linesRemove"
              + " (null if nothing can be removed), concurrent, deletable, reason (null). If"
              + " there is no such filter of a kind, all members except kind and reason are"
              + " null, and reason says why.")
  private boolean json;

  @Override
  public void run() {
    Arguments.checkRange("--items", items, 1, Long.MAX_VALUE);
    fpp.check();
    SizeReport report = SizeReport.of(kinds == null ? FileKind.all() : kinds, items, fpp.value());
    out().println(json ? report.json() : report.table());
  }
}
