package io.bloomkit.cli.io;

import java.io.PrintWriter;

/** Shows the progress of a long run. */
public interface Progress extends AutoCloseable {

  /** Steps between two reports of work that takes nanoseconds per step. */
  int STEP = 1 << 16;

  /** Returns one that draws a bar if standard error is a terminal, and else writes lines. */
  static Progress to(PrintWriter err) {
    return StandardError.isTerminal() ? new BarProgress(System.err) : new LineProgress(err);
  }

  /** Begins a phase; the one before it is over. */
  void phase(String name, long steps);

  /** Reports that a number of further steps of the phase are done. */
  void advance(long steps);

  /** The last phase is over. */
  @Override
  void close();
}
