package io.bloomkit.cli;

import io.bloomkit.cli.io.Subcommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Prints a completion script for shells. */
@Command(
    name = "completion",
    description = {
      "Prints a completion script for bash and zsh, for commands, options and their values.",
      "",
      "For the current shell: source <(bloom completion)"
    })
final class CompletionCommand extends Subcommand implements Runnable {

  @Override
  public void run() {
    CommandLine root = spec().root().commandLine();
    out().print(AutoComplete.bash(root.getCommandName(), root));
    out().flush();
  }
}
