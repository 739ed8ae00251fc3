package io.bloomkit.cli.io;

import java.io.PrintWriter;

/** Told how far a long run is. */
public interface Progress extends AutoCloseable {

  /** Work that takes nanoseconds a step reports after so many, not after each. */
  int STEP = 1 << 16;

  /** Returns one that draws a bar if standard error is a terminal, and else writes lines. */
  static Progress to(PrintWriter err) {
    return StandardError.isTerminal() ? new BarProgress(System.err) : new LineProgress(err);
  }

  /** A phase of so many steps begins; the one before it is over. */
  void phase(String name, long steps);

  /** So many more steps of the phase are done. */
  void advance(long steps);

  /** The last phase is over. */
  @Override
  void close();
}
