package io.bloomkit.cli.io;

/** The exit codes other than 0. {@code bloom --help} lists them. */
public final class ExitCode {

  /** A run found a violation, such as a false negative or an unfit strategy. */
  public static final int VIOLATION = 1;

  /** The command line is invalid, or the command failed. */
  public static final int FAILURE = 2;

  /** The code that a shell reports for a program ended by SIGPIPE, a signal that Java ignores. */
  public static final int OUTPUT_CLOSED = 141;

  /** The meaning of {@link #FAILURE} in the help of every command. */
  public static final String FAILURE_HELP = FAILURE + ":an invalid command line, or a failed run";

  /** The meaning of {@link #OUTPUT_CLOSED} in the help of every command. */
  public static final String OUTPUT_CLOSED_HELP =
      OUTPUT_CLOSED + ":the reader of standard output closed it, as head does (128 + SIGPIPE)";

  private ExitCode() {}
}
