package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.io.StandardStreams;
import io.bloomkit.cli.io.Subcommand;
import io.bloomkit.cli.text.Figures;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
      UpdateOptions.REPLACEMENT
    })
public final class RemoveCommand extends Subcommand implements Runnable {

  private final StandardStreams streams;
  private long removed;
  private long lines;

  @Mixin private final UpdateOptions update = new UpdateOptions();
  @Mixin private final LineOptions lineOptions = new LineOptions();

  public RemoveCommand(StandardStreams streams) {
    this.streams = streams;
  }

  @Override
  public void run() {
    lineOptions.check();
    lineOptions.requireExisting();
    update.kindForLines().requireDeletable();
    FileKind.requireLines(
        lineOptions, "the filter comes first; to remove what another holds, use bloom subtract");
    update.runLocked(this::update);
  }

  private void update() {
    LineFilter filter = update.open();
    filter.kind().requireDeletable(); // another file may have replaced it meanwhile
    LineElements elements = lineOptions.elements(streams.in());
    elements.forEach(
        (bytes, from, to) -> {
          lines++;
          removed += filter.remove(bytes, from, to);
        },
        err());
    removed += filter.finishBatches();
    update.write(filter::writeTo, filter::writeMappableTo);
    printErr(
        "%s: %s, %s removed, %s absent; expected fpp %s%s",
        update.target(),
        filter.kind(),
        Figures.counted(removed, "line"),
        Figures.whole(lines - removed),
        Figures.percent(filter.expectedFpp()),
        elements.separatorNote());
  }
}
