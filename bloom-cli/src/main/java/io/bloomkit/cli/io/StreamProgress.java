package io.bloomkit.cli.io;

import io.bloomkit.cli.text.Figures;
import java.io.PrintWriter;

/**
 * Prints the progress of a run over a stream: every second on one line of a terminal, or every ten
 * seconds on a new line in a log. Prints nothing in the first second. Most runs end earlier, and
 * detecting the terminal would take longer than such a run.
 */
public final class StreamProgress implements AutoCloseable {

  private static final long NANOS_A_SECOND = 1_000_000_000;
  private static final int SECONDS_IN_A_LOG = 10;

  private final PrintWriter err;
  private final boolean isLogged;
  private final long allBytes;
  private final long begun = System.nanoTime();
  private long told = begun;
  private boolean isLineBegun;

  /**
   * Starts the clock of a run.
   *
   * @param isLogged whether to print the progress if standard error is no terminal
   * @param allBytes the number of bytes to read, or {@link InputSource#UNKNOWN}
   */
  public StreamProgress(PrintWriter err, boolean isLogged, long allBytes) {
    this.err = err;
    this.isLogged = isLogged;
    this.allBytes = allBytes;
  }

  /** Prints the numbers of lines and dropped lines if they are due. */
  public void advanced(long lines, long dropped, long bytes) {
    if (isDue()) {
      tell(Figures.counted(lines, "line") + ", " + Figures.whole(dropped) + " dropped", bytes);
    }
  }

  /** Prints the number of lines read if it is due. */
  void advanced(long lines, long bytes) {
    if (isDue()) {
      tell(Figures.counted(lines, "line"), bytes);
    }
  }

  private boolean isDue() {
    long now = System.nanoTime();
    long silent = now - told;
    if (silent < NANOS_A_SECOND) {
      return false;
    }
    boolean isDue =
        StandardError.isTerminal() || (isLogged && silent >= SECONDS_IN_A_LOG * NANOS_A_SECOND);
    told = isDue ? now : told;
    return isDue;
  }

  private void tell(String soFar, long bytes) {
    String text = soFar + (allBytes > 0 ? ", " + Math.min(100, 100 * bytes / allBytes) + " %" : "");
    if (StandardError.isTerminal()) {
      err.print("\r" + text);
      isLineBegun = true;
    } else {
      err.println(text);
    }
    err.flush();
  }

  /** Ends the progress line on the terminal. */
  @Override
  public void close() {
    if (isLineBegun) {
      err.println();
      isLineBegun = false;
    }
  }

  /** Returns the time since the start of the run, in seconds. */
  public double seconds() {
    return (double) (System.nanoTime() - begun) / NANOS_A_SECOND;
  }
}
