package io.bloomkit.cli.io;

import java.io.IOException;

/**
 * Whether standard error is a terminal. Java cannot say: a {@link System#console()} is about input
 * and output, not about errors, and from Java 22 on there is one without a terminal too.
 */
public final class StandardError {

  private StandardError() {}

  /**
   * Returns whether standard error is known to be a terminal. It asks the program {@code test},
   * which every POSIX system has and which inherits the stream; where there is no such program, the
   * answer is false.
   */
  public static boolean isTerminal() {
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
