package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.Subcommand;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Converts a filter to another kind. */
@Command(
    name = "convert",
    description = {
      "Converts a filter to another kind that answers every query in the same way.",
      "",
      "counting becomes classic, and blocked-counting becomes blocked. The new filter"
          + " takes a quarter of the memory and has no removals.",
      "",
      "guava, the format of Guava's BloomFilter.writeTo, becomes bloomkit-guava: the same"
          + " filter in this library's format, with checksums and the name of its funnel."
          + " bloom delta accepts bloomkit-guava files, but no guava files. bloomkit-guava"
          + " becomes guava, byte for byte as before, for Guava's readFrom.",
      "",
      "With --uncompressed, a classic or blocked filter can also be converted to its own kind.",
      "",
      "There are no other conversions, because elements cannot be recovered from a filter."
          + " Guava's filters cannot become classic, because Guava derives its bits from"
          + " another hash."
    })
public final class ConvertCommand extends Subcommand implements Runnable {

  @Parameters(
      paramLabel = "FILTER",
      description = "The file of the filter, or the folder of a durable one.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "KIND",
      converter = FileKind.Converter.class,
      completionCandidates = FileKind.ConvertedNames.class,
      description = "The kind of the new filter: ${COMPLETION-CANDIDATES}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private FileKind kind;

  @Option(
      names = "--strategy",
      paramLabel = "S",
      converter = LineStrategy.Converter.class,
      completionCandidates = LineStrategy.Names.class,
      description =
          "The funnel of a guava FILTER, which its file does not record: bytes for"
              + " byteArrayFunnel(), utf8 for stringFunnel(UTF_8), longs for longFunnel()"
              + " (default: bytes). Java reads the bloomkit-guava file with"
              + " GuavaFunnel.byteArrays(), GuavaFunnel.strings(UTF_8) or GuavaFunnel.longs().")
  private @Nullable LineStrategy strategy;

  @Mixin private final UncompressedOption uncompressed = new UncompressedOption();
  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public void run() {
    output.runLocked(this::convert);
  }

  private void convert() {
    uncompressed.check(kind, output);
    LineFilter filter =
        LineFilterFile.open(file, Objects.requireNonNullElse(strategy, LineStrategy.BYTES));
    if (strategy != null && filter.kind() != FileKind.GUAVA) {
      throw new IllegalArgumentException(
          file + " records its strategy; leave out --strategy, which is for guava files");
    }
    LineFilter converted;
    try {
      boolean isOfKind = uncompressed.isSet() && filter.kind().toString().equals(kind.toString());
      converted = isOfKind ? filter : filter.convert(kind);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
    output.write(uncompressed.writer(converted));
    printErr("%s: %s, converted from %s", output.file(), kind, filter.kind());
  }
}
