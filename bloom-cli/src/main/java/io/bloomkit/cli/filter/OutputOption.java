package io.bloomkit.cli.filter;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the file of a new filter or delta. */
final class OutputOption {

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description =
          "The new file. It is written atomically: first under another name, then renamed.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(names = "--force", description = "Replaces the file of --output if it exists.")
  private boolean force;

  /**
   * Checks before a long run that the file may be written. Excludes updates of a file that is to be
   * replaced until the lock is closed.
   *
   * @return the lock; null for a new file
   * @throws IllegalArgumentException if the file exists and {@code --force} is not set, or if it
   *     cannot be written
   */
  @Nullable UpdateLock lock() {
    check();
    return Files.exists(file) ? UpdateLock.of(file, /* waits= */ true) : null;
  }

  private void check() {
    FilterFile.requireFree(file, force);
  }

  /**
   * Writes the file. Fails if another program has created the file since {@link #lock}, unless
   * {@code --force} is set.
   */
  void write(FilterFile.Writer writer) {
    check();
    FilterFile.write(file, writer);
  }

  Path file() {
    return file;
  }
}
