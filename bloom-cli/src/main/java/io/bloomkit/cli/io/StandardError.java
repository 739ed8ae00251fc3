package io.bloomkit.cli.io;

import java.io.IOException;

/**
 * Whether standard error is a terminal. Java cannot say: a {@link System#console()} is about input
 * and output, not about errors, and from Java 22 on there is one without a terminal too.
 */
public final class StandardError {

  private StandardError() {}

  /** Asked once: what standard error is does not change. */
  private static final class Known {
    static final boolean IS_TERMINAL = ask();
  }

  /**
   * Returns whether standard error is known to be a terminal. It asks the program {@code test},
   * which every POSIX system has and which inherits the stream; where there is no such program, the
   * answer is false. The first call starts a process, all others return at once.
   */
  public static boolean isTerminal() {
    return Known.IS_TERMINAL;
  }

  private static boolean ask() {
    try {
      return new ProcessBuilder("test", "-t", "2").inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
