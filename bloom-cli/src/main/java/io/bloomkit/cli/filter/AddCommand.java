package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.io.StandardStreams;
import io.bloomkit.cli.io.Subcommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Adds lines to the filter in a file. */
@Command(
    name = "add",
    description = {
      "Adds lines to the filter in a file. To filters of Parquet and Spark, it adds them as bytes,"
          + " not as numbers.",
      "",
      UpdateOptions.REPLACEMENT
    })
public final class AddCommand extends Subcommand implements Runnable {

  private final StandardStreams streams;

  @Mixin private final UpdateOptions update = new UpdateOptions();
  @Mixin private final LineOptions lineOptions = new LineOptions();

  public AddCommand(StandardStreams streams) {
    this.streams = streams;
  }

  @Override
  public void run() {
    lineOptions.check();
    lineOptions.requireExisting();
    update.kindForLines();
    FileKind.requireLines(
        lineOptions, "the filter comes first; to add what another holds, use bloom merge");
    update.runLocked(this::update);
  }

  private void update() {
    LineFilter filter = update.open();
    LineAddition addition = new LineAddition(filter);
    addition.run(lineOptions.elements(streams.in()), err());
    update.write(filter::writeTo, filter::writeMappableTo);
    addition.report(update.target(), err());
    filter.warnIfOverfull(update.target(), err());
  }
}
