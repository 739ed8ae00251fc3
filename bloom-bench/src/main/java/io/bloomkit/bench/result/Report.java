package io.bloomkit.bench.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Turns results into tables and charts. In a document they stand between the lines {@code <!--
 * bench: NAME -->} and {@code <!-- /bench -->}, and are replaced there.
 */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Turns results.json into tables and charts.")
public final class Report implements Callable<Integer> {

  private static final String BEGIN = "<!-- bench: %s -->\n";
  private static final String END = "<!-- /bench -->";

  @Parameters(description = "results.json")
  private Path json = Path.of("");

  @Option(names = "--output", description = "folder (default: that of the results)")
  private @Nullable Path output;

  @Option(
      names = "--docs",
      description = "top folder of the project, whose README and docs are brought up to date")
  private @Nullable Path docs;

  @Override
  public Integer call() throws IOException {
    Path folder = output == null ? json.toAbsolutePath().getParent() : output;
    write(json, folder, docs);
    return CommandLine.ExitCode.OK;
  }

  /** Writes tables.md, speed.png and growth.png, and, if told to, the documents. */
  public static void write(Path json, Path folder, @Nullable Path docs) throws IOException {
    Results results = Results.read(json);
    Map<String, String> sections = sections(results);
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("tables.md"), String.join("\n", sections.values()));
    Pictures pictures = new Pictures(results);
    pictures.speed(folder.resolve("speed.png"));
    pictures.growth(folder.resolve("growth.png"));
    if (docs != null) {
      replace(docs.resolve("README.md"), sections);
      replace(docs.resolve("docs/performance.md"), sections);
      pictures.speed(docs.resolve("docs/images/speed.png"));
      pictures.growth(docs.resolve("docs/images/growth.png"));
    }
  }

  private static Map<String, String> sections(Results results) {
    Tables tables = new Tables(results);
    Map<String, String> sections = new LinkedHashMap<>();
    sections.put(
        "machine",
        String.format(
            Locale.ROOT,
            "%s, flags `%s`, up to %d processes each; a median ± the farthest median of a"
                + " process.%n",
            results.machine(),
            results.flags(),
            results.processes()));
    sections.put("keys", tables.keys());
    sections.put("goals", Goals.table(results));
    sections.put("ratios", tables.ratios());
    sections.put("equals", tables.equals());
    sections.put("floor", tables.floor());
    sections.put("conditions", tables.conditions());
    sections.put("figures", tables.figures());
    return sections;
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
