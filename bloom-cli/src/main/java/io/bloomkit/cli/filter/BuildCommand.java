package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.io.StandardStreams;
import io.bloomkit.cli.io.Subcommand;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.cli.text.FppOption;
import io.bloomkit.cli.text.ItemsOption;
import io.bloomkit.cli.text.Window;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Builds a filter of lines and writes its file. */
@Command(
    name = "build",
    description = {
      "Writes a new filter file with the lines of a file or a pipe.",
      "",
      "Lines are bytes in any encoding and end with a line feed; a carriage return belongs to the"
          + " line. Any program with the same strategy can read the file: docs/format.md.",
      "",
      "The default kind, dynamic-cuckoo, grows with its lines and needs no --items. Filters of a"
          + " file and of a pipe are therefore of one kind and merge, and lines can be removed.",
      "",
      "For other kinds without --items, a file is read twice, the first time to count its lines,"
          + " repeats included. A pipe can be read only once, so its filter must be of a kind that"
          + " grows.",
      "",
      "N is the expected number of distinct lines, later additions included, or the number in a"
          + " window of time. With more lines, the false-positive rate exceeds P, or a cuckoo filter"
          + " is full."
    })
public final class BuildCommand extends Subcommand implements Runnable {

  /** The capacity of the first layer if the number of lines is unknown. */
  private static final long INITIAL_ITEMS = 1 << 16;

  /**
   * The planned number of lines of an elastic filter, the same for all inputs, so that the filters
   * merge. Each line takes log2(planned / actual) bits more than in a filter of the actual number.
   */
  private static final long ELASTIC_ITEMS = 100_000_000;

  private final StandardStreams streams;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      converter = FileKind.Converter.class,
      completionCandidates = FileKind.Names.class,
      description =
          "The kind of filter: ${COMPLETION-CANDIDATES} (default: dynamic-cuckoo, or"
              + " expiring-cuckoo with --window). With --items, classic and blocked filters are"
              + " smaller, but without removal. Guava reads a guava file with byteArrayFunnel()"
              + " or, if the lines are UTF-8, with stringFunnel(UTF_8). bloomkit-guava is the"
              + " same filter in this library's format. DCSO's bloom and forensic tools read a dcso"
              + " file.")
  private @Nullable FileKind kind;

  @Option(
      names = "--window",
      paramLabel = "N|TIME",
      converter = Window.Converter.class,
      description =
          "Builds an expiring-cuckoo filter, which forgets lines that were added more than N"
              + " additions ago, or longer ago than a time: 30s, 15m, 1h, 7d. The time passes"
              + " while the filter is in its file.")
  private @Nullable Window window;

  @Mixin
  private final ItemsOption items =
      new ItemsOption(
          "100000000 for dynamic-cuckoo and expiring-cuckoo, which take the memory of the lines"
              + " that they hold; otherwise the number of lines in the file, repeats included");

  @Mixin private final FppOption fpp = new FppOption("0.01");

  @Option(
      names = "--strategy",
      paramLabel = "S",
      defaultValue = "bytes",
      converter = LineStrategy.Converter.class,
      completionCandidates = LineStrategy.Names.class,
      description =
          "The hash strategy by which Java reads the file: bytes for HashStrategies.bytes(), utf8"
              + " for HashStrategies.utf8() if all lines are UTF-8, or longs for"
              + " HashStrategies.longs() if the lines are decimal integers of 64 bits (default:"
              + " ${DEFAULT-VALUE}). The other commands take all of them. Java reads a"
              + " bloomkit-guava file with GuavaFunnel.byteArrays(), GuavaFunnel.strings(UTF_8) or"
              + " GuavaFunnel.longs() instead.")
  private LineStrategy strategy = LineStrategy.BYTES;

  @Mixin private final UncompressedOption uncompressed = new UncompressedOption();
  @Mixin private final OutputOption output = new OutputOption();
  @Mixin private final LineOptions lineOptions = new LineOptions();

  public BuildCommand(StandardStreams streams) {
    this.streams = streams;
  }

  @Override
  public void run() {
    fpp.check();
    items.check();
    checkWindow();
    uncompressed.check(kind(), output);
    lineOptions.check();
    for (Path input : lineOptions.files()) {
      LineFilterFile.requireOther(input, output.file());
    }
    lineOptions.requireExisting();
    FileKind.requireLines(lineOptions, "to unite filters, use bloom merge");
    output.runLocked(this::build);
  }

  private void checkWindow() {
    if (window == null) {
      if (kind != null && kind.isExpiring()) {
        throw new IllegalArgumentException(
            "--kind " + kind + " requires a window, such as --window 1h");
      }
      return;
    }
    if (kind != null && !kind.isExpiring()) {
      throw new IllegalArgumentException(
          "--window requires --kind "
              + FileKind.EXPIRING
              + ", since "
              + kind
              + " filters do not forget lines; leave out --kind or --window");
    }
    items.checkNoneWith(window);
  }

  private void build() {
    long expected = expectedItems();
    LineFilter filter =
        window == null
            ? kind().create(strategy, expected, fpp.value())
            : HashedLineFilter.create(kind(), strategy, expected, fpp.value(), window);
    LineAddition addition = new LineAddition(filter);
    addition.run(lineOptions.elements(streams.in()), err());
    output.write(uncompressed.writer(filter));
    addition.report(output.file(), err());
    boolean isFarAbove = addition.added() > expected && filter.expectedFpp() > 2 * fpp.value();
    if (isFarAbove || filter.isOverfull()) {
      err()
          .println(
              "bloom: warning: there were more lines than expected, and the false-positive rate is "
                  + Figures.percent(filter.expectedFpp())
                  + ", not "
                  + Figures.percent(fpp.value())
                  + "; raise --items");
    }
    long distinct = Math.max(1, addition.newLines());
    if (!items.isSet()
        && lineOptions.isReadableAgain(streams)
        && !kind().isElastic()
        && 2 * distinct <= expected) {
      printErr(
          "bloom: note: the filter is sized for %s of the file, and only %s of them %s new;"
              + " --items %d makes it smaller",
          Figures.counted(expected, "line"),
          Figures.whole(addition.newLines()),
          addition.newLines() == 1 ? "was" : "were",
          distinct);
    }
  }

  private FileKind kind() {
    if (kind != null) {
      return kind;
    }
    return window == null ? new FileKind(DynamicCuckooFilter.KIND) : FileKind.EXPIRING;
  }

  private long expectedItems() {
    if (items.isSet()) {
      return items.value();
    }
    if (window != null && window.duration() == null) {
      return window.lines();
    }
    if (kind().isElastic()) {
      return ELASTIC_ITEMS;
    }
    if (!lineOptions.isReadableAgain(streams)) {
      if (!kind().isGrowing()) {
        throw new IllegalArgumentException(
            "the lines of a pipe cannot be counted in advance, and "
                + kind()
                + " filters do not grow: give --items, or a FILE, or leave out --kind");
      }
      return INITIAL_ITEMS;
    }
    LineElements elements = lineOptions.elements(streams.in());
    elements.forEach((bytes, from, to) -> {}, err());
    printErr(
        "counted %s of %s; reading it again",
        Figures.counted(elements.elements(), "line"), elements.name());
    return Math.max(1, elements.elements());
  }
}
