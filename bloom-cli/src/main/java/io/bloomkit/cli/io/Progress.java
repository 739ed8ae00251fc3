package io.bloomkit.cli.io;

import java.io.PrintWriter;

/** Shows the progress of a long run. */
public interface Progress extends AutoCloseable {

  /** The number of steps between two reports, for work that takes nanoseconds per step. */
  int STEP = 1 << 16;

  /**
   * Returns a progress that draws a bar if standard error is a terminal, and otherwise prints
   * lines.
   */
  static Progress to(PrintWriter err) {
    return StandardError.isTerminal() ? new BarProgress(System.err) : new LineProgress(err);
  }

  /** Ends the current phase and begins another. */
  void phase(String name, long steps);

  /** Reports a number of further completed steps of the phase. */
  void advance(long steps);

  /** Ends the last phase. */
  @Override
  void close();
}
