package io.bloomkit.bench.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Converts results to tables and charts. In a document, a table is between the lines {@code <!--
 * bench: NAME -->} and {@code <!-- /bench -->}, where it is replaced. The table of the {@linkplain
 * Leaders leaders} has a name for each version of Java, such as {@code leaders-jdk17}.
 */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Converts results.json to tables and charts.")
public final class Report implements Callable<Integer> {

  private static final String BEGIN = "<!-- bench: %s -->\n";
  private static final List<String> DOCUMENTS =
      List.of("README.md", "docs/speed.md", "docs/lab/performance.md");
  private static final String END = "<!-- /bench -->";

  @Parameters(description = "results.json")
  private Path json = Path.of("");

  @Option(
      names = "--output",
      description = "the folder for the tables and charts (default: that of the results)")
  private @Nullable Path output;

  @Option(
      names = "--docs",
      description = "the top folder of the project, whose README and docs are updated")
  private @Nullable Path docs;

  @Option(
      names = "--leaders",
      description =
          "writes only the table of goals relative to the fastest filters, as bench --leaders"
              + " does")
  private boolean leaders;

  @Override
  public Integer call() throws IOException {
    Path folder = output == null ? json.toAbsolutePath().getParent() : output;
    write(json, folder, docs, leaders);
    return CommandLine.ExitCode.OK;
  }

  /**
   * Writes tables.md and the charts, and updates the documents.
   *
   * @param json the file with the results
   * @param folder the folder for tables.md and the charts
   * @param docs the top folder of the project, or null to update no documents
   * @param leaders whether only the table of the leaders is written
   */
  public static void write(Path json, Path folder, @Nullable Path docs, boolean leaders)
      throws IOException {
    Results results = Results.read(json);
    Map<String, String> sections = new LinkedHashMap<>();
    sections.put("leaders-jdk" + results.javaVersion().split("\\.", 2)[0], leaders(results));
    if (!leaders) {
      LocalDate date =
          LocalDate.ofInstant(Files.getLastModifiedTime(json).toInstant(), ZoneOffset.UTC);
      addSections(sections, results, date);
    }
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("tables.md"), String.join("\n", sections.values()));
    if (docs != null) {
      for (String document : DOCUMENTS) {
        replace(docs.resolve(document), sections);
      }
    }
    if (!leaders) {
      draw(new Pictures(results), folder);
      if (docs != null) {
        draw(new Pictures(results), docs.resolve("docs/images"));
      }
    }
  }

  private static void draw(Pictures pictures, Path folder) throws IOException {
    pictures.bits(folder.resolve("speed-bits.png"));
    pictures.counters(folder.resolve("speed-counters.png"));
    pictures.growth(folder.resolve("growth.png"));
  }

  private static String leaders(Results results) {
    return machine(results) + "\n" + Leaders.table(results);
  }

  private static String machine(Results results) {
    return String.format(
        Locale.ROOT,
        "%s, flags `%s`, up to %d processes each; a median ± the farthest median of a process.%n",
        results.machine(),
        results.flags(),
        results.processes());
  }

  private static void addSections(Map<String, String> sections, Results results, LocalDate date) {
    Tables tables = new Tables(results);
    sections.put("machine", machine(results));
    sections.put("keys", tables.keys());
    sections.put("goals", Goals.table(results));
    sections.put("met", Leaders.met(results));
    Summary summary = new Summary(results);
    summary.text(date).ifPresent(text -> sections.put("speed", text));
    summary.bars(date).ifPresent(bars -> sections.put("bars", bars));
    sections.put("ratios", tables.ratios());
    sections.put("equals", tables.equals());
    sections.put("floor", tables.floor());
    sections.put("conditions", tables.conditions());
    sections.put("figures", tables.figures());
  }

  private static void replace(Path document, Map<String, String> sections) throws IOException {
    StringBuilder text = new StringBuilder(Files.readString(document));
    sections.forEach((name, section) -> replace(text, String.format(BEGIN, name), section));
    Files.writeString(document, text);
  }

  private static void replace(StringBuilder text, String begin, String section) {
    int from = text.indexOf(begin);
    if (from >= 0) {
      int start = from + begin.length();
      int end = text.indexOf(END, start);
      if (end < 0) {
        throw new IllegalArgumentException("a line " + END + " is missing after " + begin.strip());
      }
      text.replace(start, end, "\n" + section + "\n");
    }
  }
}
