package io.bloomkit.cli.filter;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a new filter, or a delta, goes. */
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
   * Finds out before a long run whether the file may be written.
   *
   * @throws IllegalArgumentException if it is there already
   */
  void check() {
    FilterFile.requireFree(file, force);
  }

  /** Writes the file, unless it has come into being meanwhile. */
  void write(FilterFile.Writer writer) {
    check();
    FilterFile.write(file, writer);
  }

  Path file() {
    return file;
  }
}
