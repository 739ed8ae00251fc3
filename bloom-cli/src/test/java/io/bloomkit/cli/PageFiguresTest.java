package io.bloomkit.cli;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.Shape;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooSize;
import io.bloomkit.counting.dynamic.DynamicCuckooSize;
import io.bloomkit.format.CacheLines;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterKinds;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.scalable.ScalableBloomFilter;
import io.bloomkit.scalable.aging.AgingShape;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Compares the figures in the prose of README and of the pages for users with what the code
 * computes; those of measurements with the laboratory log, which dates them, or with the tables of
 * the speed page, which a command writes.
 */
class PageFiguresTest {

  private static final long TEN_MILLION = 10_000_000;
  private static final long MILLION = 1_000_000;

  private static final Map<String, FilterKind> KINDS =
      FilterKinds.installed().stream().collect(toMap(kind -> kind.variant().name(), kind -> kind));

  private static FilterKind kind(String name) {
    return Objects.requireNonNull(KINDS.get(name), name);
  }

  private static String text(String page) throws IOException {
    return new Markdown(page).text();
  }

  /** Returns the text of a page without its line breaks. */
  private static String flat(String page) throws IOException {
    return text(page).replaceAll("\\s+", " ");
  }

  /** Returns the cells of the rows of tables whose cell at an index names filters. */
  private static List<List<String>> rowsOfFilters(String page, int index) throws IOException {
    return text(page)
        .lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
        .filter(cells -> cells.size() > index && cells.get(index).matches("`\\w+Filter\\b.*"))
        .toList();
  }

  private static List<String> names(String cell) {
    return Pattern.compile("`(\\w+Filter)\\b")
        .matcher(cell)
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  private static String perElement(double bytes, long elements) {
    return String.format(Locale.ROOT, "%.1f", Byte.SIZE * bytes / elements);
  }

  private static String bits(String name, double fpp) throws IOException {
    return switch (name) {
      case "ScalableBloomFilter" -> bitsWhileGrowing(fpp);
      case "DynamicCuckooFilter" ->
          String.format(
              Locale.ROOT,
              "%.1f",
              logged(fpp == 0.01 ? "bits per element, 10⁷, full" : "full, 0.1 %"));
      default ->
          perElement((double) kind(name).layout(TEN_MILLION, fpp).memoryBytes(), TEN_MILLION);
    };
  }

  /**
   * The measured value of a goal of the dynamic cuckoo filter; its memory depends on the hashes.
   */
  private static double logged(String goal) throws IOException {
    String row = "(?m)^\\| " + Pattern.quote(goal) + " \\|[^|]*\\| ([\\d.]+) \\|";
    return number(match(row, text("docs/lab/performance.md")).group(1));
  }

  /** From 10⁴ to 10⁷ elements: the fewest when a layer is full, the most when one was begun. */
  private static String bitsWhileGrowing(double fpp) {
    ScalableBloomFilter.Builder<Long> builder =
        ScalableBloomFilter.builder(HashStrategies.longs()).expecting(10_000, fpp);
    double least = Double.MAX_VALUE;
    double most = 0;
    for (long full = 10_000; full <= TEN_MILLION; full = 2 * full + 10_000) {
      least = Math.min(least, 8.0 * builder.memoryBytes(full) / full);
      most = Math.max(most, 8.0 * builder.memoryBytes(full + 1) / full);
    }
    return Math.round(least) + " to " + Math.round(most);
  }

  /** A layer holds a little more than planned before it is full, so growth is known to one bit. */
  private static void assertSameFigures(String computed, String shown, String filter) {
    if (!filter.contains("ScalableBloomFilter")) {
      assertEquals(computed, shown, filter);
      return;
    }
    List<MatchResult> expected = results("\\d+", computed);
    List<MatchResult> actual = results("\\d+", shown);
    assertEquals(expected.size(), actual.size(), shown);
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(number(expected.get(i).group()), number(actual.get(i).group()), 1, shown);
    }
  }

  @Test
  void bitsPerElementInReadmeAreThoseOfTheFilters() throws Exception {
    List<List<String>> rows = rowsOfFilters("README.md", 2);
    assertEquals(5, rows.size());
    for (List<String> row : rows) {
      List<String> computed = new ArrayList<>();
      for (String name : names(row.get(2))) {
        computed.add(bits(name, 0.01));
      }
      assertSameFigures(String.join(", ", computed), row.get(4), row.get(2));
    }
  }

  @Test
  void bitsPerElementOfTheChooserAreThoseOfTheFilters() throws Exception {
    List<List<String>> rows = rowsOfFilters("docs/choosing.md", 2);
    assertEquals(8, rows.size());
    for (List<String> row : rows) {
      String name = names(row.get(2)).get(0);
      String shown = row.get(4).replace(" per insertion in the window", "");
      assertSameFigures(bits(name, 0.01) + " / " + bits(name, 0.001), shown, name);
    }
  }

  @Test
  void cacheLinesOfTheChooserAreThoseOfTheFilters() throws Exception {
    for (List<String> row : rowsOfFilters("docs/choosing.md", 2)) {
      String name = names(row.get(2)).get(0);
      CacheLines lines = kind(name).layout(TEN_MILLION, 0.01).cacheLines(TEN_MILLION);
      for (MatchResult mean : results("([\\d.]+) on average", row.get(5))) {
        assertEquals(Double.parseDouble(mean.group(1)), lines.add(), 0.5, name);
      }
      for (MatchResult fixed : results("/ (\\d+)(?: / (\\d+))?$", row.get(5))) {
        assertEquals(Integer.parseInt(fixed.group(1)), lines.query(), name);
        if (fixed.group(2) != null) {
          assertEquals(Integer.parseInt(fixed.group(2)), lines.remove(), name);
        }
      }
    }
  }

  private static List<MatchResult> results(String regex, String text) {
    return Pattern.compile(regex).matcher(text).results().toList();
  }

  private static MatchResult match(String regex, String text) {
    List<MatchResult> results = results(regex, text);
    assertFalse(results.isEmpty(), () -> "no match of " + regex);
    return results.get(0);
  }

  private static double number(String text) {
    return Double.parseDouble(text.replace(",", ""));
  }

  @Test
  void figuresOfTheChoosersProseAreThoseOfTheFilters() throws Exception {
    String page = flat("docs/choosing.md");
    MatchResult hashes = match("hashes: (\\d+) at 1 %, (\\d+) at 0.1 %", page);
    assertEquals(number(hashes.group(1)), Shape.of(TEN_MILLION, 0.01).hashes());
    assertEquals(number(hashes.group(2)), Shape.of(TEN_MILLION, 0.001).hashes());
    MatchResult dynamic =
        match(
            "It takes (\\d+) bits when it holds .*? about (\\d+) with room for (\\d+) times", page);
    assertEquals(number(dynamic.group(1)), number(bits("DynamicCuckooFilter", 0.01)), 0.5);
    double roomy = logged("planned for " + dynamic.group(3) + " times as many");
    assertEquals(number(dynamic.group(2)), roomy, 0.5);
    for (String module : List.of("bloom-classic", "bloom-counting")) {
      String megabytes =
          match("\\| `" + module + "` \\| \\d+ \\| ([\\d.]+) \\|", text("docs/architecture.md"))
              .group(1);
      assertTrue(page.contains("of " + megabytes + " MB"), module);
    }
  }

  @Test
  void guaranteedRatesAreThoseOfTheFormulas() throws Exception {
    String page = flat("docs/guarantees.md");
    long half = MILLION / 2;
    Map<String, Double> rates =
        Map.of(
            "CountingBloomFilter", Shape.of(MILLION, 0.01).fpp(half),
            "BlockedCountingBloomFilter", BlockedShape.ofCounters(MILLION, 0.01).fpp(half),
            "CuckooFilter", CuckooSize.of(MILLION, 0.01).fpp(half),
            "DynamicCuckooFilter", DynamicCuckooSize.of(MILLION, 0.01).fpp(half));
    rates.forEach(
        (name, rate) ->
            assertEquals(
                number(match("one in (\\d+) in an? `" + name + "`", page).group(1)),
                1 / rate,
                0.03 / rate,
                name));
    Shape shape = Shape.of(MILLION, 0.01);
    double deviation =
        shape.hashes()
            * Math.sqrt(
                BloomFormulas.varianceOfSetPositions(MILLION, shape.positions(), shape.hashes()))
            / BloomFormulas.expectedSetPositions(MILLION, shape.positions(), shape.hashes());
    assertEquals(
        number(match("by chance, ([\\d.]+) % of it at a million elements", page).group(1)),
        100 * deviation,
        0.05);
    assertEquals(3e-13, BloomFormulas.hashFloor(MILLION), 0.5e-13);
    assertTrue(page.contains("3·10⁻¹³ for a million elements"));
  }

  @Test
  void memoryOfBothWaysToForgetIsThatOfTheFilters() throws Exception {
    String page = flat("docs/forgetting.md");
    long clicks = 10_000 * Duration.ofHours(1).toSeconds();
    MatchResult megabytes =
        match("that is (\\d+) MB for the aging filter and (\\d+) MB for the counting", page);
    AgingShape shape = AgingShape.of(Duration.ofHours(1), clicks, 0.001);
    assertEquals(number(megabytes.group(1)), shape.positions() / 8e6, 1);
    long counters = kind("CountingBloomFilter").layout(clicks, 0.001).memoryBytes();
    assertEquals(number(megabytes.group(2)), (counters + 12.0 * clicks) / 1e6, 1);
    assertEquals(
        number(match("takes (\\d+) bits per insertion of the window", page).group(1)),
        number(bits("AgingBloomFilter", 0.01)),
        0.5);
    assertEquals(
        number(match("counting filter takes (\\d+) bits", page).group(1)),
        number(bits("CountingBloomFilter", 0.01)),
        0.5);
  }

  @Test
  void sizesOnSparkAreThoseOfTheFilters() throws Exception {
    List<MatchResult> rows =
        results(
            "(?m)^\\| 10(\\p{No}) \\| ([\\d.]+) ([MG])B \\| (?:([\\d.]+) MB|more .*) \\|$",
            text("docs/spark.md"));
    assertEquals(4, rows.size());
    for (MatchResult row : rows) {
      long elements = (long) Math.pow(10, "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(row.group(1)));
      double unit = row.group(3).equals("M") ? 1e6 : 1e9;
      double classic = kind("ClassicBloomFilter").layout(elements, 0.01).memoryBytes() / unit;
      assertEquals(number(row.group(2)), classic, 0.02 * classic);
      if (row.group(4) != null) {
        double counting = kind("CountingBloomFilter").layout(elements, 0.01).memoryBytes() / 1e6;
        assertEquals(number(row.group(4)), counting, 0.01 * counting);
      } else {
        assertTrue(elements * 38.3 / 8 > Integer.MAX_VALUE, row::group);
      }
    }
  }

  @Test
  void filesOfADictionaryTakeTheStatedBytes() throws Exception {
    String page = flat("docs/files.md");
    int words = (int) number(match("puts ([\\d,]+) of them", page).group(1));
    MatchResult sizes =
        match("The counting file takes (\\d+) kB here, the classic one (\\d+) kB", page);
    CountingBloomFilter<Long> filter =
        CountingBloomFilter.create(HashStrategies.longs(), words, 0.001);
    for (long i = 0; i < words; i++) {
      filter.addLong(i);
    }
    assertEquals(number(sizes.group(1)), filter.toBytes().length / 1000.0, 2);
    assertEquals(number(sizes.group(2)), filter.toClassic().toBytes().length / 1000.0, 1);
  }

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
            List.of("0.96 to 1.04 at 10⁷ elements", "1, 1.75 or 0.57"));
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

  /** The memory and the time that the chooser states as multiples, from two tables of the log. */
  @Test
  void costOfAFilterWithoutAMaximumIsThatOfTheLog() throws Exception {
    String log = text("docs/lab/performance.md");
    double dynamic = number(match("\\| `DynamicCuckooFilter` \\| ([\\d.]+) \\|", log).group(1));
    double scalable =
        number(
            match("\\| `ScalableCountingBloomFilter`, from 1,000 \\| ([\\d.]+) \\|", log).group(1));
    assertEquals(6, Math.round(scalable / dynamic));
    for (String query : List.of("present", "absent")) {
      MatchResult ratios =
          match("the same: query, " + query + " \\|[^|]*\\| ([\\d.]+) \\| ([\\d.]+) \\|", log);
      for (int jdk = 1; jdk <= 2; jdk++) {
        double times = 1 / number(ratios.group(jdk));
        assertTrue(times >= 3 && times <= 6, ratios.group());
      }
    }
    assertTrue(
        flat("docs/choosing.md")
            .contains("six times the memory and three to six times the time of a query"));
  }

  /** The range of one table of the log and of the blocked filter of the speed page. */
  @Test
  void costOfTheConcurrentFormsIsTheMeasuredOne() throws Exception {
    List<Double> times = new ArrayList<>();
    times.add(
        number(
            match(
                    "concurrent \\| 10,000,000 long keys \\| Bloomkit blocked \\| ([\\d.]+) ",
                    text("docs/speed.md"))
                .group(1)));
    double removal = 0;
    for (MatchResult row :
        results(
            "(?m)^\\| (query, present|query, absent|add|remove) \\| ≤ [\\d.]+ \\| ([\\d.]+)"
                + " \\([^|]*\\| ([\\d.]+) \\(",
            text("docs/lab/performance.md"))) {
      times.add(number(row.group(2)));
      if (row.group(1).equals("remove")) {
        removal = number(row.group(3));
      } else {
        times.add(number(row.group(3)));
      }
    }
    assertEquals(8, times.size());
    MatchResult stated =
        match(
            "costs ([\\d.]+) to ([\\d.]+) times .*? removal from a `ScalableCountingBloomFilter`"
                + " ([\\d.]+) times",
            flat("docs/threads.md"));
    assertEquals(number(stated.group(1)), Collections.min(times), 0.051);
    assertEquals(number(stated.group(2)), Collections.max(times), 0.051);
    assertEquals(number(stated.group(3)), removal, 0.051);
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
}
