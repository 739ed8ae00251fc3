package io.bloomkit.cli.io;

import java.io.IOException;

/**
 * Detects whether standard error is a terminal. Java has no method for that: {@link
 * System#console()} concerns standard input and output, and since Java 22 it exists even without a
 * terminal.
 */
public final class StandardError {

  private StandardError() {}

  /** Holds the result, which does not change during a run. */
  private static final class Lazy {
    static final boolean IS_TERMINAL = testTerminal();
  }

  /**
   * Returns whether standard error is known to be a terminal. Runs the program {@code test}, which
   * exists on every POSIX system and inherits the stream; without it, returns false. The first call
   * starts a process and waits for it; later calls return its result.
   */
  public static boolean isTerminal() {
    return Lazy.IS_TERMINAL;
  }

  private static boolean testTerminal() {
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
