package io.bloomkit.cli.io;

import io.bloomkit.cli.text.Figures;
import java.io.PrintWriter;

/**
 * Prints the progress of a run over a stream of unknown length: every second on one line of a
 * terminal, every ten seconds in a log.
 */
public final class StreamProgress {

  private static final long NANOS_A_SECOND = 1_000_000_000;
  private static final int SECONDS_IN_A_LOG = 10;

  private final PrintWriter err;
  private final boolean isTerminal;
  private final long allBytes;
  private final long begun = System.nanoTime();
  private long told = begun;
  private boolean isLineBegun;

  /**
   * Begins now.
   *
   * @param allBytes how many bytes there are to read, or {@link InputSource#UNKNOWN}
   */
  public StreamProgress(PrintWriter err, boolean isTerminal, long allBytes) {
    this.err = err;
    this.isTerminal = isTerminal;
    this.allBytes = allBytes;
  }

  /** Says how far the run is, if it is time to. */
  public void advanced(long lines, long dropped, long bytes) {
    if (isDue()) {
      tell(Figures.whole(lines) + " lines, " + Figures.whole(dropped) + " dropped", bytes);
    }
  }

  /** Says how many lines have been read, if it is time to. */
  void advanced(long lines, long bytes) {
    if (isDue()) {
      tell(Figures.whole(lines) + " lines", bytes);
    }
  }

  private boolean isDue() {
    long now = System.nanoTime();
    if (now - told < (isTerminal ? 1 : SECONDS_IN_A_LOG) * NANOS_A_SECOND) {
      return false;
    }
    told = now;
    return true;
  }

  private void tell(String soFar, long bytes) {
    String text = soFar + (allBytes > 0 ? ", " + Math.min(100, 100 * bytes / allBytes) + " %" : "");
    if (isTerminal) {
      err.print("\r" + text);
      isLineBegun = true;
    } else {
      err.println(text);
    }
    err.flush();
  }

  /** Leaves the line of the terminal. */
  public void end() {
    if (isLineBegun) {
      err.println();
      isLineBegun = false;
    }
  }

  /** Returns the seconds since the run began. */
  public double seconds() {
    return (double) (System.nanoTime() - begun) / NANOS_A_SECOND;
  }
}
