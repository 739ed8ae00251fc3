package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.Subcommand;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.format.Delta;
import io.bloomkit.format.StoredFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Writes the delta from one version of a filter to the next. */
@Command(
    name = "delta",
    description = {
      "Writes the change from one version of a filter to the next, in far fewer bytes"
          + " than the filter if few lines changed. bloom apply applies it to copies.",
      "",
      "Both files must be versions of one filter, with the same kind, strategy and size. All"
          + " strategies are supported, including those of other programs and those with a"
          + " secret key. Convert guava files to bloomkit-guava first. Deltas of parquet and"
          + " spark files are not supported.",
      "",
      "Only the original needs counters for removals; copies do not. Keep a counting filter,"
          + " convert each version to classic, and write the delta between the classic"
          + " versions."
    })
public final class DeltaCommand extends Subcommand implements Runnable {

  @Parameters(index = "0", paramLabel = "OLD", description = "The file of the older version.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path older;

  @Parameters(index = "1", paramLabel = "NEW", description = "The file of the newer version.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path newer;

  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public void run() {
    output.requireFile("a delta");
    output.runLocked(this::writeDelta);
  }

  private void writeDelta() {
    new CompatibilityCheck("write a delta", older, newer).requireSameKindAndStrategy();
    StoredFilter base = LineFilterFile.contents(older);
    StoredFilter changed = LineFilterFile.contents(newer);
    Delta delta;
    try {
      delta = Delta.between(base, changed);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "from " + older + " to " + newer + ": " + e.getMessage(), e);
    }
    output.write(delta::writeTo);
    printErr(
        "%s: %s bytes%s",
        output.file(),
        Figures.whole(output.file().toFile().length()),
        Files.isDirectory(newer) // of a durable filter
            ? ""
            : "; the filter takes " + Figures.whole(newer.toFile().length()));
  }
}
