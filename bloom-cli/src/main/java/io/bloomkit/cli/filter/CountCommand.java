package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.io.LineWriter;
import io.bloomkit.cli.io.StandardStreams;
import io.bloomkit.cli.io.Subcommand;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints the counts of lines in the filter of a file. */
@Command(
    name = "count",
    description = {
      "Prints each line with the number of times that it is in the filter: N, a tab, the line."
          + " The filter must be of a kind that supports removal; bloom size shows these kinds.",
      "",
      "N is never below the number of additions of the line minus its removals. N may be"
          + " higher, at the false-positive rate that bloom inspect prints. A line with 0 is"
          + " certainly absent.",
      "",
      "To print how often each line occurs in a file, in order of first occurrence:",
      "  bloom build --kind counting FILE -o FILTER",
      "  bloom dedup FILE | bloom count FILTER"
    })
public final class CountCommand extends Subcommand implements Runnable {

  private final StandardStreams streams;

  @Parameters(
      index = "0",
      paramLabel = "FILTER",
      description = "The file of the filter, or the folder of a durable one.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Mixin private final LineOptions lineOptions = new LineOptions();

  public CountCommand(StandardStreams streams) {
    this.streams = streams;
  }

  @Override
  public void run() {
    lineOptions.check();
    FileKind.requireLines(lineOptions, "bloom count takes one filter, which comes first");
    LineFilter filter = LineFilterFile.openForLines(file, ValueType.BYTES);
    filter.requireCounts();
    LineWriter out = new LineWriter(streams.out());
    LineElements elements = lineOptions.elements(streams.in());
    elements.forEach(
        new LineElements.Handler() {
          @Override
          public void element(byte[] bytes, int from, int to) {
            write(filter.count(bytes, from, to));
          }

          @Override
          public void missing() {
            write(0);
          }

          private void write(long count) {
            out.write(count + "\t");
            elements.writeLine(out);
          }

          @Override
          public void pause() {
            out.flush();
          }
        },
        err());
  }
}
