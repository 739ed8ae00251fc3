package io.bloomkit.cli.filter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomkit.cli.io.ExitCode;
import io.bloomkit.cli.io.LineElements;
import io.bloomkit.cli.io.LineOptions;
import io.bloomkit.cli.io.LineWriter;
import io.bloomkit.cli.io.StandardStreams;
import io.bloomkit.cli.io.Subcommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the lines that the filter in a file may contain, as grep prints matching lines. */
@Command(
    name = "check",
    description = {
      "Prints the lines that may be in the set that a filter represents.",
      "",
      "A line that is in the set is always printed. A line that is not in the set is printed"
          + " as a false positive, at the rate that bloom inspect prints. With -v, every"
          + " printed line is therefore certainly not in the set. The set of an expiring-cuckoo"
          + " filter consists of the lines that it has not forgotten.",
      "",
      "Lines are printed as they came, a carriage return included. Before the command"
          + " waits for more input, it prints the results of all input that it has read."
    },
    exitCodeList = {
      "0:a line was selected",
      "1:no line was selected",
      ExitCode.FAILURE_HELP,
      ExitCode.OUTPUT_CLOSED_HELP
    })
public final class CheckCommand extends Subcommand implements Callable<Integer> {

  private static final int NONE = 1;

  private final StandardStreams streams;
  private long selected;

  @Parameters(
      index = "0",
      paramLabel = "FILTER",
      description = "The file of the filter, or the folder of a durable one.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path file;

  @Option(
      names = "--also",
      paramLabel = "FILTER",
      description =
          "Another filter, and this option may be repeated. A line is then printed once for each"
              + " filter that may contain it, after the name of the filter and a tab. With -v,"
              + " lines that are certainly in none of them are printed. -c counts lines by filter.")
  private List<Path> others = List.of();

  @Option(
      names = "--mapped",
      description =
          "Maps the file into memory instead of reading it, so that only the parts are read that"
              + " queries touch: faster for a few lines and a large filter. For classic, blocked"
              + " and guava files. Does not verify the checksum of the bits; bloom inspect does.")
  private boolean mapped;

  @Option(
      names = "--no-filename",
      description =
          "With several files, does not print the name of the file and a colon before each line.")
  private boolean noFilename;

  @Option(
      names = {"-v", "--invert-match"},
      description = "Selects the lines that are certainly not in the set.")
  private boolean invert;

  @Option(
      names = {"-c", "--count"},
      description = "Prints only the number of selected lines.")
  private boolean count;

  @Option(
      names = {"-n", "--line-number"},
      description = "Prints the number of each line, from 1, and a colon before it.")
  private boolean numbers;

  @Option(
      names = {"-q", "--quiet"},
      description = "Prints nothing and ends at the first selected line, with code 0.")
  private boolean quiet;

  @Option(
      names = "--type",
      paramLabel = "T",
      description =
          "The type of the lines for a filter of Parquet or Spark, whose file does not record it:"
              + " ${COMPLETION-CANDIDATES} (default: bytes).")
  private @Nullable ValueType type;

  @Mixin private final LineOptions lineOptions = new LineOptions();

  public CheckCommand(StandardStreams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    lineOptions.check();
    if (mapped && type != null) {
      throw new IllegalArgumentException(
          "--type is for filters of Parquet and Spark, which cannot be mapped; leave out --mapped");
    }
    FileKind.requireLines(lineOptions, "the filter comes first, and --also %s queries another one");
    List<Path> inputs = lineOptions.files();
    List<Path> names = new ArrayList<>(List.of(file));
    names.addAll(others);
    List<LineQuery> filters = names.stream().map(this::open).toList();
    try {
      answer(inputs, filters, names);
    } catch (InternalError e) { // thrown for a page that is not in the file, if any
      if (mapped) {
        throw LineFilterFile.truncated(names, e);
      }
      throw e;
    }
    return selected > 0 ? 0 : NONE;
  }

  private void answer(List<Path> inputs, List<LineQuery> filters, List<Path> names) {
    LineWriter out = new LineWriter(streams.out());
    for (int i = 0; i < inputs.size() && !(quiet && selected > 0); i++) {
      Path input = inputs.get(i);
      LineElements elements = lineOptions.elements(input, streams.in());
      String inputName = inputs.size() > 1 && !noFilename ? elements.name() + ":" : "";
      Answers answers = new Answers(filters, names, inputName, elements, out);
      elements.forEach(answers, err());
      answers.end();
    }
  }

  private LineQuery open(Path filter) {
    if (mapped) {
      return LineFilterFile.openMapped(filter);
    }
    ValueType elements = Objects.requireNonNullElse(type, ValueType.BYTES);
    return LineFilterFile.openForLines(filter, elements)::mightContain;
  }

  /** Answers to the lines of one input. */
  private final class Answers implements LineElements.Handler {

    private final List<LineQuery> filters;

    /** What to print before a selected line or a count, by filter. */
    private final List<byte[]> labels;

    /** The number of selected lines by filter. */
    private final long[] counts;

    private final LineElements elements;
    private final LineWriter out;

    Answers(
        List<LineQuery> filters,
        List<Path> filterNames,
        String inputName,
        LineElements elements,
        LineWriter out) {
      this.filters = filters;
      this.labels =
          filterNames.size() == 1 || invert
              ? List.of(inputName.getBytes(UTF_8))
              : filterNames.stream().map(n -> (n + "\t" + inputName).getBytes(UTF_8)).toList();
      this.counts = new long[labels.size()];
      this.elements = elements;
      this.out = out;
    }

    @Override
    public void element(byte[] bytes, int from, int to) {
      boolean isInAny = false;
      for (int i = 0; i < filters.size(); i++) {
        if (filters.get(i).mightContain(bytes, from, to)) {
          if (invert) {
            return;
          }
          select(i, isInAny);
          isInAny = true;
        }
      }
      if (invert) {
        select(0, false);
      }
    }

    @Override
    public void missing() {
      if (invert) {
        select(0, false);
      }
    }

    private void select(int label, boolean isSelected) {
      selected += isSelected ? 0 : 1;
      counts[label]++;
      if (quiet) {
        elements.stop();
      } else if (!count) {
        writeLabel(label);
        if (numbers) {
          out.write(elements.lines() + ":");
        }
        elements.writeLine(out);
      }
    }

    private void writeLabel(int label) {
      byte[] bytes = labels.get(label);
      out.write(bytes, 0, bytes.length);
    }

    @Override
    public void pause() {
      out.flush();
    }

    /** Prints the counts. */
    void end() {
      for (int i = 0; count && !quiet && i < counts.length; i++) {
        writeLabel(i);
        out.write(counts[i] + "\n");
      }
      out.flush();
    }
  }
}
