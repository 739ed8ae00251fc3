package io.bloomkit.cli.io;

import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows a progress bar for each phase on a terminal.
 *
 * <p>The width is fixed. To query the width of the terminal, the library would load native code,
 * and newer Java versions print a warning about native code.
 */
public final class BarProgress implements Progress {

  private static final int WIDTH = 79;
  private static final int MILLIS_BETWEEN_UPDATES = 250;

  private final PrintStream terminal;
  private @Nullable ProgressBar bar;

  public BarProgress(PrintStream terminal) {
    this.terminal = terminal;
  }

  @Override
  public void phase(String name, long steps) {
    close();
    bar =
        new ProgressBarBuilder()
            .setTaskName(name)
            .setInitialMax(steps)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(MILLIS_BETWEEN_UPDATES)
            .setConsumer(new ConsoleProgressBarConsumer(terminal, WIDTH))
            .build();
  }

  @Override
  public void advance(long steps) {
    if (bar != null) {
      bar.stepBy(steps);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
