package io.bloomkit.examples;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Prints the figures of an example, one per line, and keeps them for the tests. */
final class Report {

  static final int LABEL_WIDTH = 36;

  private final PrintStream out;
  private final Map<String, String> figures = new LinkedHashMap<>();

  Report(PrintStream out) {
    this.out = out;
  }

  /** Prints a label and a value, formatted by {@link String#format}. */
  void line(String label, String format, Object... values) {
    String value = String.format(Locale.ROOT, format, values);
    figures.put(label, value);
    out.printf("%-" + LABEL_WIDTH + "s%s%n", label, value);
  }

  /**
   * Prints the number of positive queries of absent elements, with the measured and the predicted
   * rate.
   */
  void falsePositives(String label, long positives, long absent, double formula) {
    line(
        label,
        "%,d of %,d: %.3f %%, formula %.3f %%",
        positives,
        absent,
        100.0 * positives / absent,
        100 * formula);
  }

  /**
   * Prints a number of operations and the time since {@code start}, a value of {@link
   * System#nanoTime}.
   */
  void timed(String label, long operations, long start) {
    line(label, "%,d in %.2f s", operations, (System.nanoTime() - start) / 1e9);
  }

  /** Returns the printed values by label, in the order of printing. */
  Map<String, String> figures() {
    return figures;
  }
}
