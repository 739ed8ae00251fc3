package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.Subcommand;
import io.bloomkit.format.Delta;
import io.bloomkit.format.StoredFilter;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Updates a copy of a filter to its next version. */
@Command(
    name = "apply",
    description = {
      "Applies a delta written by bloom delta to a copy of the older version of the filter.",
      "",
      "A delta that does not fit the copy is refused, and nothing changes. A delta does not"
          + " fit if it belongs to another filter, if it was already applied, or if an earlier"
          + " delta was not applied yet.",
      "",
      UpdateOptions.REPLACEMENT
    })
public final class ApplyCommand extends Subcommand implements Runnable {

  @Mixin private final UpdateOptions update = new UpdateOptions();

  @Parameters(index = "1", paramLabel = "DELTA", description = "The delta file.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path change;

  @Override
  public void run() {
    if (!update.target().equals(update.file())) {
      LineFilterFile.requireOther(change, update.target());
    }
    Delta delta = read(change);
    String of = LineFilterFile.read(change, opened -> FileKind.name(opened.header()));
    FileKind kind = update.kind();
    if (!of.equals(kind.toString())) {
      throw new IllegalArgumentException(
          "cannot apply "
              + change
              + ", a delta of a filter of kind "
              + of
              + ", to "
              + update.file()
              + " of kind "
              + kind);
    }
    update.runLocked(() -> update(delta));
  }

  private void update(Delta delta) {
    StoredFilter newer;
    try {
      newer = delta.apply(LineFilterFile.contents(update.file()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cannot apply " + change + " to " + update.file() + ": " + e.getMessage(), e);
    }
    update.write(newer::writeTo, newer::writeMappableTo);
    printErr("%s: updated by %s", update.target(), change);
  }

  private static Delta read(Path file) {
    return LineFilterFile.read(
        file,
        opened -> {
          if (opened.otherFormat().isPresent() || !opened.header().isDelta()) {
            throw new IOException(
                "this is a filter, not a delta; name the filter before its delta");
          }
          return opened.readDelta();
        });
  }
}
