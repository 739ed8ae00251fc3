package io.bloomkit.cli.filter;

import java.nio.file.Path;
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
   * Checks before a long run that the file may be written.
   *
   * @throws IllegalArgumentException if the file exists and {@code --force} is not set, or if it
   *     cannot be written
   */
  void check() {
    FilterFile.requireFree(file, force);
  }

  /**
   * Writes the file. Fails if another program has created the file since {@link #check}, unless
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
