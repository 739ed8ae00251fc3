package io.bloomkit.cli.filter;

import io.bloomkit.cli.text.Arguments;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of the commands that update a filter. */
final class UpdateOptions {

  /** A paragraph of the help: how the file is updated. */
  static final String REPLACEMENT =
      "The file is replaced atomically: if the command fails or the machine stops, the old file is"
          + " intact. Of two commands that update one file at the same time, one waits for the"
          + " other; the file .bloom-NAME.lock beside it serves that.";

  @Parameters(index = "0", paramLabel = "FILTER", description = "The file of the filter.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path filter;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      converter = Arguments.NewFile.class,
      description =
          "The file for the updated filter; FILTER does not change. Without this option,"
              + " FILTER is replaced at the end.")
  private @Nullable Path output;

  @Option(names = "--force", description = "Replaces the file of --output if it exists.")
  private boolean force;

  @Option(
      names = "--no-wait",
      description =
          "Fails if another command is updating FILTER. Without this option, waits for it.")
  private boolean failsIfLocked;

  /**
   * Checks the options and the header of the filter, and runs an update. Excludes other updates of
   * the file until it ends. What is refused by the checks leaves no lock file behind.
   */
  @SuppressWarnings("try") // the lock is only held
  void runLocked(Runnable run) {
    check();
    kind();
    try (UpdateLock held = UpdateLock.of(target(), !failsIfLocked)) {
      run.run();
    }
  }

  /**
   * Checks before a long run that the updated filter can be written.
   *
   * @throws IllegalArgumentException if the file cannot be written, or if the output exists and
   *     {@code --force} is not set
   */
  private void check() {
    if (output == null) {
      LineFilterFile.requireReplaceable(filter);
      if (LineFilterFile.read(filter, LineFilterFile.Opened::isGzip)) {
        throw new IllegalArgumentException(
            filter + " is compressed by gzip; give --output, or decompress it first");
      }
    } else {
      LineFilterFile.requireFree(output, force);
    }
  }

  /**
   * Returns the kind of the filter by its header.
   *
   * @throws java.io.UncheckedIOException if the file cannot be read or is no filter
   */
  FileKind kind() {
    return LineFilterFile.read(filter, LineFilterFile.Opened::kind);
  }

  /**
   * Returns the kind of a filter for lines by its header.
   *
   * @throws IllegalArgumentException if the elements of the filter are no lines
   * @throws java.io.UncheckedIOException as for {@link #kind}
   */
  FileKind kindForLines() {
    return LineFilterFile.read(filter, LineFilterFile.Opened::kindForLines);
  }

  LineFilter open() {
    return LineFilterFile.openForLines(filter, ValueType.BYTES);
  }

  /** Returns the file of the filter. */
  Path file() {
    return filter;
  }

  /**
   * Writes the updated filter to {@link #target}. A file that can be mapped stays so.
   *
   * @param mappable writes the filter without compression, if its kind can be mapped
   */
  void write(LineFilterFile.Writer changed, LineFilterFile.Writer mappable) {
    check();
    boolean isMapped = LineFilterFile.read(filter, LineFilterFile.Opened::isMappable);
    LineFilterFile.write(target(), isMapped ? mappable : changed);
  }

  /** Returns the file for the updated filter. */
  Path target() {
    return output == null ? filter : output;
  }
}
