package io.bloomkit.cli.examine;

import io.bloomkit.cli.io.BarProgress;
import io.bloomkit.cli.io.Progress;
import io.bloomkit.cli.io.StandardError;
import io.bloomkit.testkit.hash.ExaminationListener;
import org.jspecify.annotations.Nullable;

/** Shows on a terminal how far an examination is, and knows which step it is at. */
final class ExamineProgress implements ExaminationListener, AutoCloseable {

  private final @Nullable Progress bar;
  private @Nullable String step;

  private ExamineProgress(@Nullable Progress bar) {
    this.bar = bar;
  }

  /** Shows a bar if standard error is a terminal, else nothing: an examination takes seconds. */
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

  /** Returns the step that has begun last, null before the first. */
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
