package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.io.StandardStreams;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Adds lines to the filter in a file. */
@Command(
    name = "add",
    description = {
      "Adds lines to the filter in a file.",
      "",
      "If anything fails, or the machine stops, at whatever moment, the old file is there, whole."
          + " Two of these commands must not change one file at the same time: what the first"
          + " has added would be lost."
    })
public final class AddCommand implements Runnable {

  private final StandardStreams streams;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final UpdateOptions update = new UpdateOptions();
  @Mixin private final LineOptions lineOptions = new LineOptions();

  public AddCommand(StandardStreams streams) {
    this.streams = streams;
  }

  @Override
  public void run() {
    lineOptions.check();
    update.check();
    PrintWriter err = spec.commandLine().getErr();
    LineFilter filter = update.open();
    LineAddition addition = new LineAddition(filter);
    addition.run(lineOptions.elements(streams.in()), err);
    update.write(filter);
    addition.report(update.target(), err);
  }
}
