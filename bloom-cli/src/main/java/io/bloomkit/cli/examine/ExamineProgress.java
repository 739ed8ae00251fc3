package io.bloomkit.cli.examine;

import io.bloomkit.cli.io.BarProgress;
import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.io.StandardError;
import io.bloomkit.testkit.hash.ExaminationListener;
import org.jspecify.annotations.Nullable;

/** Shows the progress of an examination on a terminal, and records its present step. */
final class ExamineProgress implements ExaminationListener, AutoCloseable {

  private final @Nullable Progress bar;
  private @Nullable String step;

  private ExamineProgress(@Nullable Progress bar) {
    this.bar = bar;
  }

  /**
   * Returns a progress that draws a bar if standard error is a terminal. Otherwise it prints
   * nothing, since an examination takes only seconds.
   */
  static ExamineProgress onTerminal() {
    return new ExamineProgress(StandardError.isTerminal() ? new BarProgress(System.err) : null);
  }

  @Override
  public void begins(String what, int number, int steps) {
    step = what;
    if (bar == null) {
      return;
    }
    if (number == 1) {
      bar.phase("examine", steps);
    } else {
      bar.advance(1);
    }
  }

  /** Returns the step that began last, or null before the first. */
  @Nullable String step() {
    return step;
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
