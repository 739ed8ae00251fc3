package io.bloomkit.cli.filter;

import io.bloomkit.cli.text.Figures;
import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterContents;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the delta from one version of a filter to the next. */
@Command(
    name = "delta",
    description = {
      "Writes the change from one version of a filter to the next, in far fewer bytes than the"
          + " filter. bloom apply updates copies by it.",
      "",
      "Both versions must be of one kind and strategy, which may be of other programs or have a"
          + " secret key; convert a guava file to bloomkit-guava first. To remove lines without"
          + " shipping counters, convert both versions from a counting filter."
    })
public final class DeltaCommand implements Runnable {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "OLD", description = "The file of the older version.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path older;

  @Parameters(index = "1", paramLabel = "NEW", description = "The file of the newer version.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path newer;

  @Mixin private final OutputOption output = new OutputOption();

  @Override
  public void run() {
    output.check();
    FilterContents base = FilterFile.contents(older);
    FilterContents changed = FilterFile.contents(newer);
    Delta delta;
    try {
      delta = Delta.between(base, changed);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "from " + older + " to " + newer + ": " + e.getMessage(), e);
    }
    output.write(delta::writeTo);
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        "%s: %s bytes; the filter takes %s%n",
        output.file(),
        Figures.whole(output.file().toFile().length()),
        Figures.whole(newer.toFile().length()));
    err.flush();
  }
}
