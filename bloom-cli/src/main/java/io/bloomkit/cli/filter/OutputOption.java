package io.bloomkit.cli.filter;

import io.bloomkit.cli.text.Arguments;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for the file of a new filter or delta. */
final class OutputOption {

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      converter = Arguments.NewFile.class,
      description =
          "The new file; for a filter also an empty folder, in which it becomes durable. A file is"
              + " written atomically: first under another name, then renamed.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(names = "--force", description = "Replaces the file of --output if it exists.")
  private boolean force;

  /**
   * Checks before a long run that the file may be written, and runs it. Excludes updates of a file
   * that is to be replaced until the run ends.
   *
   * @throws IllegalArgumentException if the file exists and {@code --force} is not set, or if it
   *     cannot be written
   */
  @SuppressWarnings("try") // the lock is only held
  void runLocked(Runnable run) {
    check();
    boolean isReplaced = Files.exists(file) && !Files.isDirectory(file);
    try (UpdateLock held = isReplaced ? UpdateLock.of(file, /* waits= */ true) : null) {
      run.run();
    }
  }

  private void check() {
    LineFilterFile.requireFree(file, force);
  }

  /**
   * Writes the file. Fails if another program has created the file since {@link #runLocked}, unless
   * {@code --force} is set.
   */
  void write(LineFilterFile.Writer writer) {
    check();
    LineFilterFile.write(file, writer);
  }

  /**
   * Checks that the output is no folder, if only a file can be written.
   *
   * @param what what is written
   * @throws IllegalArgumentException if it is a folder
   */
  void requireFile(String what) {
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          file
              + " is a folder, in which a filter becomes durable, but not "
              + what
              + "; name a file");
    }
  }

  Path file() {
    return file;
  }
}
