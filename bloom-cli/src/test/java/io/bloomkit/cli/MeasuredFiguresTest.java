package io.bloomkit.cli;

import static io.bloomkit.cli.PageText.flat;
import static io.bloomkit.cli.PageText.match;
import static io.bloomkit.cli.PageText.number;
import static io.bloomkit.cli.PageText.results;
import static io.bloomkit.cli.PageText.rowsOfFilters;
import static io.bloomkit.cli.PageText.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import org.junit.jupiter.api.Test;

/**
 * Compares the figures of measurements in README and in the pages for users with the laboratory
 * log, which dates them, and with the tables of the speed page, which a command writes.
 */
class MeasuredFiguresTest {

  /** A sentence on a page has the figures of the log word for word. */
  @Test
  void measuredFiguresAreThoseOfTheLog() throws Exception {
    String log = flat("docs/lab/performance.md");
    Map<String, List<String>> phrases =
        Map.of(
            "docs/files.md",
            List.of(
                "classic 1.18 present, 1.07 absent at 10⁶, 1.24 and 1.17 at 10⁷; blocked 0.80 to"
                    + " 1.07 at both",
                "Java 17 to 21 take 1.57 and 1.51",
                "1.06 and 1.06"),
            "docs/choosing.md",
            List.of("queries take 0.4 of the time"),
            "docs/speed.md",
            List.of("0.96 to 1.04 at 10⁷ elements", "and 0.9 to 1.2 at 10⁶.", "1, 1.75 or 0.57"));
    phrases.forEach(
        (page, all) ->
            all.forEach(
                phrase -> {
                  assertTrue(log.contains(phrase), "not in the log: " + phrase);
                  assertTrue(flatOf(page).contains(phrase), page + " lacks " + phrase);
                }));
    List<String> copied = new ArrayList<>();
    for (List<String> cells : rowsOfFilters("docs/speed.md", 1)) {
      copied.add(String.join(" | ", cells).strip());
    }
    assertEquals(4, copied.size());
    copied.forEach(row -> assertTrue(log.contains(row), row));
  }

  private static String flatOf(String page) {
    try {
      return flat(page);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The most of one table of the log and of the rows of one thread of the speed page. */
  @Test
  void costOfTheConcurrentFormsIsTheMeasuredOne() throws Exception {
    double most = 0;
    for (MatchResult row :
        results(
            "(?m)^\\| Bloomkit ([^|]*), concurrent \\| [\\d,]+ long keys \\|[^|]*(\\|.*)$",
            text("docs/speed.md"))) {
      for (MatchResult times : results("\\| ([\\d.]+) \\(", row.group(2))) {
        most = Math.max(most, number(times.group(1)));
      }
    }
    for (MatchResult row :
        results(
            "(?m)^\\| (query, present|query, absent|add|remove) \\| ≤ [\\d.]+ \\| ([\\d.]+) \\(",
            text("docs/lab/performance.md"))) {
      most = Math.max(most, number(row.group(2)));
    }
    MatchResult stated = match("costs up to ([\\d.]+) times", flat("docs/threads.md"));
    assertEquals(number(stated.group(1)), most, 0.051);
  }

  /** Less than 0.9 is faster: a filter beside itself gives 0.9 to 1.2 at a million elements. */
  @Test
  void twoThreadsAddAMillionElementsNoFasterThanOne() throws Exception {
    assertTrue(
        flat("docs/threads.md")
            .contains(
                "With a million elements, two threads add no faster than one in any filter"
                    + " measured."));
    List<MatchResult> rows = new ArrayList<>();
    rows.addAll(
        results(
            "(?m)^\\| Bloomkit [^|]*, 2 threads \\| 1,000,000 long keys \\|[^|]*\\| ([\\d.]+) ",
            text("docs/speed.md")));
    rows.addAll(
        results(
            "(?m)^\\| [^|]*, concurrent \\| 10⁶ \\|[^|]*\\|[^|]*\\| ([\\d.]+) \\|",
            text("docs/lab/performance.md")));
    assertEquals(3, rows.size());
    rows.forEach(row -> assertTrue(number(row.group(1)) > 0.9, row::group));
  }

  @Test
  void readmeCountsTheOtherFiltersOfTheSpeedPage() throws Exception {
    List<String> shown = List.of("Guava", "Guava, no boxing", "FastFilter blocked");
    long others =
        text("docs/speed.md")
            .lines()
            .filter(line -> line.startsWith("| "))
            .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
            .filter(cells -> cells.size() > 10 && cells.get(2).matches("[\\d.]+"))
            .map(cells -> cells.get(1))
            .filter(name -> !name.startsWith("Bloomkit") && !shown.contains(name))
            .distinct()
            .count();
    assertTrue(
        flat("README.md").contains("removals, " + others + " other filters"), others + " others");
  }

  /** A bar stands for the column of queries of present keys beside the blocked filter. */
  @Test
  void theBarsOfReadmeAreThoseOfTheSpeedPage() throws Exception {
    Map<String, String> measured = new HashMap<>();
    String page = new Markdown("docs/speed.md").text();
    page.lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
        .filter(cells -> cells.size() == 11)
        .forEach(cells -> measured.putIfAbsent(cells.get(1), cells.get(3)));
    String readme = new Markdown("README.md").text();
    List<String> bars = new Markdown("README.md").blocks("text").get(0).lines().toList();
    assertEquals(3, bars.size());
    for (String bar : bars) {
      MatchResult parts = match("(.*?) +(█+) (.*)", bar);
      assertEquals(measured.get(parts.group(1)), parts.group(3), bar);
      assertEquals(Math.round(Double.parseDouble(parts.group(3))), parts.group(2).length(), bar);
    }
    assertTrue(
        readme.contains(
            "without boxing it takes " + measured.get("Guava, no boxing") + " times as long"));
    MatchResult said = match("JDK ([\\d.]+) with the flags\\s+(`[^`]*`), (\\d+ \\w+ \\d+) ", page);
    assertTrue(
        readme
            .replace('\n', ' ')
            .contains(said.group(1) + " with " + said.group(2) + ", " + said.group(3) + "."));
  }
}
