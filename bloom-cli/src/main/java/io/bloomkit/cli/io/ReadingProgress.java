package io.bloomkit.cli.io;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Prints the progress of reading an input if standard error is a terminal, and nothing otherwise.
 */
final class ReadingProgress implements AutoCloseable {

  /**
   * The time before the first output. Most runs end earlier, and detecting the terminal would take
   * longer than such a run.
   */
  private static final long SILENT_NANOS = 1_000_000_000;

  private final PrintWriter err;
  private final long allBytes;
  private final long begun = System.nanoTime();
  private boolean isTerminalQueried;
  private @Nullable StreamProgress shown;

  /**
   * Starts the clock of a run.
   *
   * @param allBytes the number of bytes to read, or {@link InputSource#UNKNOWN}
   */
  ReadingProgress(PrintWriter err, long allBytes) {
    this.err = err;
    this.allBytes = allBytes;
  }

  /** Prints the progress if it is due. */
  void advanced(long lines, long bytes) {
    if (!isTerminalQueried && System.nanoTime() - begun > SILENT_NANOS) {
      isTerminalQueried = true;
      shown = StandardError.isTerminal() ? new StreamProgress(err, true, allBytes) : null;
    }
    if (shown != null) {
      shown.advanced(lines, bytes);
    }
  }

  /** Ends the progress line on the terminal. */
  @Override
  public void close() {
    if (shown != null) {
      shown.end();
    }
  }
}
