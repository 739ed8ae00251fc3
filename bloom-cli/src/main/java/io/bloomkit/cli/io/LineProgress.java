package io.bloomkit.cli.io;

import io.bloomkit.cli.text.Figures;
import java.io.PrintWriter;

/** Prints a line for each phase, for logs. */
final class LineProgress implements Progress {

  private final PrintWriter out;

  LineProgress(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void phase(String name, long steps) {
    out.println(name + " (" + Figures.whole(steps) + ")");
    out.flush();
  }

  @Override
  public void advance(long steps) {}

  @Override
  public void close() {}
}
