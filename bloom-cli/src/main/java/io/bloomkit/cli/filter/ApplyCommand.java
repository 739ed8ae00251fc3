package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.FileFailure;
import io.bloomkit.internal.format.ContentsDelta;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
      "The file is replaced atomically: if the command fails or the machine stops,"
          + " the old file is intact."
    })
public final class ApplyCommand implements Runnable {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final UpdateOptions update = new UpdateOptions();

  @Parameters(index = "1", paramLabel = "DELTA", description = "The delta file.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path change;

  @Override
  @SuppressWarnings("try") // the lock is only held
  public void run() {
    if (!update.target().equals(update.file())) {
      FilterFile.requireOther(change, update.target());
    }
    ContentsDelta delta = read(change);
    try (UpdateLock held = update.lock()) {
      update(delta);
    }
  }

  private void update(ContentsDelta delta) {
    FilterContents newer;
    try {
      newer = delta.apply(FilterFile.contents(update.file()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cannot apply " + change + " to " + update.file() + ": " + e.getMessage(), e);
    }
    update.write(newer::writeTo);
    PrintWriter err = spec.commandLine().getErr();
    err.printf("%s: updated by %s%n", update.target(), change);
    err.flush();
  }

  private static ContentsDelta read(Path file) {
    try {
      return FilterReader.readFrom(file, ContentsDelta::read);
    } catch (IOException e) {
      throw FileFailure.reading(file, e);
    }
  }
}
