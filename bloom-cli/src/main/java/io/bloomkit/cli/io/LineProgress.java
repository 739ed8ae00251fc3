package io.bloomkit.cli.io;

import io.bloomkit.cli.text.Figures;
import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** Prints a line for each phase, and how far a long one is every ten seconds, for logs. */
final class LineProgress implements Progress {

  private static final long NANOS_BETWEEN_LINES = 10_000_000_000L;

  private static final int PERCENT = 100;

  private final PrintWriter out;
  private final LongSupplier nanos;
  private String phase = "";
  private long allSteps;
  private long steps;
  private long lastNanos;

  LineProgress(PrintWriter out) {
    this(out, System::nanoTime);
  }

  LineProgress(PrintWriter out, LongSupplier nanos) {
    this.out = out;
    this.nanos = nanos;
  }

  @Override
  public void phase(String name, long steps) {
    phase = name;
    allSteps = steps;
    this.steps = 0;
    print(name + " (" + Figures.whole(steps) + ")");
  }

  private void print(String line) {
    lastNanos = nanos.getAsLong();
    out.println(line);
    out.flush();
  }

  @Override
  public void advance(long steps) {
    this.steps += steps;
    if (nanos.getAsLong() - lastNanos >= NANOS_BETWEEN_LINES) {
      print(phase + ": " + PERCENT * this.steps / allSteps + " %");
    }
  }

  @Override
  public void close() {}
}
