package io.bloomkit.cli.io;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Says on a terminal, and nowhere else, how much of an input has been read. */
final class ReadingProgress implements AutoCloseable {

  /** Most runs are over before; to ask for the terminal takes longer than they do. */
  private static final long SILENT_NANOS = 1_000_000_000;

  private final PrintWriter err;
  private final long allBytes;
  private final long begun = System.nanoTime();
  private boolean isTerminalQueried;
  private @Nullable StreamProgress shown;

  /**
   * Begins now.
   *
   * @param allBytes how many bytes there are to read, or {@link InputSource#UNKNOWN}
   */
  ReadingProgress(PrintWriter err, long allBytes) {
    this.err = err;
    this.allBytes = allBytes;
  }

  /** Says how far the run is, if it is time to. */
  void advanced(long lines, long bytes) {
    if (!isTerminalQueried && System.nanoTime() - begun > SILENT_NANOS) {
      isTerminalQueried = true;
      shown = StandardError.isTerminal() ? new StreamProgress(err, true, allBytes) : null;
    }
    if (shown != null) {
      shown.advanced(lines, bytes);
    }
  }

  /** Leaves the line of the terminal. */
  @Override
  public void close() {
    if (shown != null) {
      shown.end();
    }
  }
}
