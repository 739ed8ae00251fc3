package io.bloomkit.cli.io;

/** The exit codes of the command besides 0, as {@code bloom --help} lists them. */
public final class ExitCode {

  /** A run found a violation, such as a false negative or an unfit strategy. */
  public static final int VIOLATION = 1;

  /** The command line is wrong, or something cannot be done as asked. */
  public static final int NOT_AS_ASKED = 2;

  /** What a shell reports of a program that SIGPIPE ended, a signal that Java ignores. */
  public static final int OUTPUT_CLOSED = 141;

  private ExitCode() {}
}
