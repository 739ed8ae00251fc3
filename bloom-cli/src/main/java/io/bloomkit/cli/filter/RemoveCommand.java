package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.io.StandardStreams;
import io.bloomkit.cli.text.Figures;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Removes lines from the filter in a file. */
@Command(
    name = "remove",
    description = {
      "Removes one occurrence of each line from the filter in a file. The filter must be of a"
          + " kind that supports removal; bloom size shows these kinds. An expiring-cuckoo filter"
          + " does not count occurrences, so the line is removed however often it was added.",
      "",
      "Remove only lines that were added. A line that is certainly absent changes nothing; the"
          + " summary contains the number of such lines. Removing a false positive decrements"
          + " the counts of other lines, which may become false negatives.",
      "",
      "The file is replaced atomically: if the command fails or the machine stops, the old file is"
          + " intact. Of two commands that update one file at the same time, one waits for the"
          + " other; the file .bloom-NAME.lock beside it serves that."
    })
public final class RemoveCommand implements Runnable {

  private final StandardStreams streams;
  private long removed;
  private long lines;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Mixin private final UpdateOptions update = new UpdateOptions();
  @Mixin private final LineOptions lineOptions = new LineOptions();

  public RemoveCommand(StandardStreams streams) {
    this.streams = streams;
  }

  @Override
  @SuppressWarnings("try") // the lock is only held
  public void run() {
    lineOptions.check();
    lineOptions.requireExisting();
    update.kind().requireDeletable();
    FileKind.requireLines(lineOptions, "to remove what it holds, use bloom subtract");
    try (UpdateLock held = update.lock()) {
      update();
    }
  }

  private void update() {
    PrintWriter err = spec.commandLine().getErr();
    LineFilter filter = update.open();
    LineElements elements = lineOptions.elements(streams.in());
    elements.forEach(
        (bytes, from, to) -> {
          lines++;
          removed += filter.removeInBatches(bytes, from, to);
        },
        err);
    removed += filter.finishBatches();
    update.write(filter::writeTo);
    err.printf(
        "%s: %s, %s removed, %s absent; expected fpp %s%s%n",
        update.target(),
        filter.kind(),
        Figures.counted(removed, "line"),
        Figures.whole(lines - removed),
        Figures.percent(filter.expectedFpp()),
        elements.separatorNote());
    err.flush();
  }
}
