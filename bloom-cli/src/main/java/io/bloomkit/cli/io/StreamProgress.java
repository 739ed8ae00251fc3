package io.bloomkit.cli.io;

import io.bloomkit.cli.text.Figures;
import java.io.PrintWriter;
import java.util.function.LongSupplier;

/**
 * Prints the progress of a run over a stream: every second on one line of a terminal, or every ten
 * seconds on a new line in a log, if the text has changed. Prints nothing in the first second. Most
 * runs end earlier, and detecting the terminal would take longer than such a run.
 */
public final class StreamProgress implements AutoCloseable {

  private static final long NANOS_A_SECOND = 1_000_000_000;
  private static final int SECONDS_IN_A_LOG = 10;

  private final PrintWriter err;
  private final boolean isLogged;
  private final long allBytes;
  private final LongSupplier nanos;
  private final long begun;
  private long lastPrintNanos;
  private String lastText = "";
  private boolean isLineBegun;

  /**
   * Starts the clock of a run.
   *
   * @param isLogged whether to print the progress if standard error is no terminal
   * @param allBytes the number of bytes to read, or {@link InputSource#UNKNOWN}
   */
  public StreamProgress(PrintWriter err, boolean isLogged, long allBytes) {
    this(err, isLogged, allBytes, System::nanoTime);
  }

  StreamProgress(PrintWriter err, boolean isLogged, long allBytes, LongSupplier nanos) {
    this.err = err;
    this.isLogged = isLogged;
    this.allBytes = allBytes;
    this.nanos = nanos;
    begun = nanos.getAsLong();
    lastPrintNanos = begun;
  }

  /** Prints the numbers of lines and repeats if they are due. */
  public void advanced(long lines, long repeats, long bytes) {
    if (isDue()) {
      print(Figures.counted(lines, "line") + ", " + Figures.counted(repeats, "repeat"), bytes);
    }
  }

  /** Prints the number of lines read if it is due. */
  void advanced(long lines, long bytes) {
    if (isDue()) {
      print(Figures.counted(lines, "line"), bytes);
    }
  }

  private boolean isDue() {
    long now = nanos.getAsLong();
    long silent = now - lastPrintNanos;
    if (silent < NANOS_A_SECOND) {
      return false;
    }
    boolean isDue =
        StandardError.isTerminal() || (isLogged && silent >= SECONDS_IN_A_LOG * NANOS_A_SECOND);
    lastPrintNanos = isDue ? now : lastPrintNanos;
    return isDue;
  }

  private void print(String soFar, long bytes) {
    String text = soFar + (allBytes > 0 ? ", " + Math.min(100, 100 * bytes / allBytes) + " %" : "");
    if (StandardError.isTerminal()) {
      err.print("\r" + text);
      isLineBegun = true;
    } else if (!text.equals(lastText)) {
      err.println(text);
    }
    lastText = text;
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
    return (double) (nanos.getAsLong() - begun) / NANOS_A_SECOND;
  }
}
