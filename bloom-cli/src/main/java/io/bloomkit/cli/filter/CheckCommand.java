package io.bloomkit.cli.filter;

import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.io.LineWriter;
import io.bloomkit.cli.io.StandardStreams;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks the filter in a file for lines, as grep asks a pattern. */
@Command(
    name = "check",
    description = {
      "Prints the lines that may be in the set that a filter holds.",
      "",
      "A line that is in the set is always printed. One that is not is printed too at the rate of"
          + " the filter's error, which bloom inspect tells. So with -v, every line that is"
          + " printed is certainly not in the set.",
      "",
      "Lines are printed as they came, a carriage return included. What has been read is answered"
          + " before more is waited for."
    },
    exitCodeList = {
      "0:a line was printed, or counted",
      "1:there was none",
      "2:wrong command line, or something that cannot be done as asked",
      "141:the reader of standard output closed it, as head does (128 + SIGPIPE)"
    })
public final class CheckCommand implements Callable<Integer> {

  private static final int NONE = 1;

  private final StandardStreams streams;
  private long selected;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILTER", description = "The file of the filter.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(
      names = {"-v", "--invert"},
      description = "Takes the other lines: those that are certainly not in the set.")
  private boolean invert;

  @Option(
      names = {"-c", "--count"},
      description = "Prints how many lines there are, and not the lines.")
  private boolean count;

  @Mixin private final LineOptions lineOptions = new LineOptions();

  public CheckCommand(StandardStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    lineOptions.check();
    LineFilter filter = FilterFile.open(file);
    LineWriter out = new LineWriter(streams.out());
    LineElements elements = lineOptions.elements(streams.in());
    elements.forEach(new Answers(filter, elements, out), spec.commandLine().getErr());
    if (count) {
      out.write(selected + "\n");
      out.flush();
    }
    return selected > 0 ? 0 : NONE;
  }

  private final class Answers implements LineElements.Taker {

    private final LineFilter filter;
    private final LineElements elements;
    private final LineWriter out;

    Answers(LineFilter filter, LineElements elements, LineWriter out) {
      this.filter = filter;
      this.elements = elements;
      this.out = out;
    }

    @Override
    public void element(byte[] bytes, int from, int to) {
      if (filter.mightContain(bytes, from, to) != invert) {
        select();
      }
    }

    @Override
    public void missing() {
      if (invert) {
        select();
      }
    }

    private void select() {
      selected++;
      if (!count) {
        elements.writeLine(out);
      }
    }

    @Override
    public void pause() {
      out.flush();
    }
  }
}
