package io.bloomkit.cli.io;

import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command, with the writers for what it prints. */
public abstract class Subcommand {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  /** Returns the command as picocli sees it. */
  protected final CommandSpec spec() {
    return spec;
  }

  /** Returns the writer for results that are no lines. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Returns the writer for everything that is no result. */
  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Prints a formatted line to {@link #err}. */
  protected final void printErr(String format, Object... arguments) {
    err().println(String.format(Locale.ROOT, format, arguments));
    err().flush();
  }
}
