package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.FileFailure;
import io.bloomkit.internal.format.ContentsDelta;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  @Parameters(
      index = "0",
      paramLabel = "FILTER",
      description = "The file with the copy of the filter.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Parameters(index = "1", paramLabel = "DELTA", description = "The delta file.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path change;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description =
          "The file for the newer version; FILTER does not change. Without this option,"
              + " FILTER is replaced.")
  private @Nullable Path output;

  @Option(names = "--force", description = "Replaces the file of --output if it exists.")
  private boolean force;

  @Option(
      names = "--no-wait",
      description =
          "Fails if another command is updating the file. Without this option, waits for it.")
  private boolean failsIfLocked;

  @Override
  @SuppressWarnings("try") // the lock is only held
  public void run() {
    if (output == null) {
      FilterFile.requireReplaceable(file);
      FilterFile.requireExisting(file);
    } else {
      FilterFile.requireFree(output, force);
      FilterFile.requireOther(change, output);
    }
    try (UpdateLock held = UpdateLock.of(output == null ? file : output, !failsIfLocked)) {
      update();
    }
  }

  private void update() {
    ContentsDelta delta = read(change);
    FilterContents newer;
    try {
      newer = delta.apply(FilterFile.contents(file));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "cannot apply " + change + " to " + file + ": " + e.getMessage(), e);
    }
    Path target = output == null ? file : output;
    FilterFile.write(target, newer::writeTo);
    PrintWriter err = spec.commandLine().getErr();
    err.printf("%s: updated by %s%n", target, change);
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
