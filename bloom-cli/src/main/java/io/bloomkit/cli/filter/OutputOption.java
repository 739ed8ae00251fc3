package io.bloomkit.cli.filter;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for the file of a new filter or delta. */
final class OutputOption {

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "The new file, written atomically: under another name first, and then renamed.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(names = "--force", description = "Replaces the file of --output if it exists.")
  private boolean force;

  /**
   * Checks before a long run that the file may be written.
   *
   * @throws IllegalArgumentException if it already exists
   */
  void check() {
    FilterFile.requireFree(file, force);
  }

  /** Writes the file, unless it was created meanwhile. */
  void write(FilterFile.Writer writer) {
    check();
    FilterFile.write(file, writer);
  }

  Path file() {
    return file;
  }
}
