package io.bloomkit.cli;

import static io.bloomkit.cli.FilterSizes.MILLION;
import static io.bloomkit.cli.FilterSizes.bits;
import static io.bloomkit.cli.FilterSizes.kind;
import static io.bloomkit.cli.PageText.flat;
import static io.bloomkit.cli.PageText.match;
import static io.bloomkit.cli.PageText.names;
import static io.bloomkit.cli.PageText.number;
import static io.bloomkit.cli.PageText.results;
import static io.bloomkit.cli.PageText.rowsOfFilters;
import static io.bloomkit.cli.PageText.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.FlatShape;
import io.bloomkit.LayeredFormulas;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.counting.CuckooShape;
import io.bloomkit.counting.dynamic.DynamicCuckooShape;
import io.bloomkit.format.Delta;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.scalable.aging.AgingShape;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Compares the figures in the prose of README and of the pages for users with what the code
 * computes. {@link MeasuredFiguresTest} has those of measurements.
 */
class PageFiguresTest {

  @Test
  void guaranteedRatesAreThoseOfTheFormulas() throws Exception {
    String page = flat("docs/guarantees.md");
    long half = MILLION / 2;
    Map<String, Double> rates =
        Map.of(
            "CountingBloomFilter", Shape.of(MILLION, 0.01).fpp(half),
            "BlockedCountingBloomFilter", BlockedShape.ofCounters(MILLION, 0.01).fpp(half),
            "CuckooFilter", CuckooShape.of(MILLION, 0.01).fpp(half),
            "DynamicCuckooFilter", DynamicCuckooShape.of(MILLION, 0.01).fpp(half));
    rates.forEach(
        (name, rate) ->
            assertEquals(
                number(match("one in (\\d+) in an? `" + name + "`", page).group(1)),
                1 / rate,
                0.03 / rate,
                name));
    FlatShape shape = Shape.of(MILLION, 0.01);
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
  void rateOfTooManyInsertionsIsThatOfTheFormula() throws Exception {
    MatchResult stated =
        match(
            "planned at ([\\d.]+) %, it reaches ([\\d.]+) % at 1.5 times the insertions, (\\d+) % at"
                + " twice and (\\d+) % at three times",
            flat("docs/forgetting.md"));
    double fpp = number(stated.group(1)) / 100;
    AgingShape shape = AgingShape.of(Duration.ofMinutes(5), MILLION, fpp);
    double[] times = {1.5, 2, 3};
    for (int i = 0; i < times.length; i++) {
      double[] fillRatios =
          LayeredFormulas.agePartitionedFillRatios(
              shape.hashes(),
              shape.slices(),
              shape.slicePositions(),
              Math.round(times[i] * shape.generationAdditions()));
      String percent = stated.group(i + 2);
      assertEquals(
          number(percent),
          100 * LayeredFormulas.agePartitionedFpp(shape.hashes(), fillRatios),
          percent.contains(".") ? 0.05 : 0.5);
    }
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
    ClassicBloomFilter<Long> onPhone = filter.toClassic();
    assertEquals(number(sizes.group(2)), onPhone.toBytes().length / 1000.0, 1);
    filter.removeLong(0);
    assertEquals(
        number(match("the delta of the one word some (\\d+) bytes", page).group(1)),
        Delta.between(onPhone, filter.toClassic()).toBytes().length,
        50);
  }

  @Test
  void downloadsTakeTheStatedBits() throws Exception {
    List<List<String>> rows =
        rowsOfFilters("docs/files.md", 1).stream().filter(row -> row.size() == 4).toList();
    assertEquals(2, rows.size());
    for (List<String> row : rows) {
      String[] bits = row.get(2).split(" / ", -1);
      String[] megabytes = row.get(3).split(" / ", -1);
      for (int i = 0; i < 2; i++) {
        double file = fileBits(names(row.get(1)).get(0), i == 0 ? 0.01 : 0.001);
        assertEquals(number(bits[i]), file, 0.05, row.get(1));
        double ofAll = number(megabytes[i].replace(" MB", ""));
        assertEquals(ofAll, 20 * file / 8, 0.05, row.get(1));
      }
    }
    assertTrue(
        flat("docs/files.md")
            .contains(
                bits("DynamicCuckooFilter", 0.01)
                    + " / "
                    + bits("DynamicCuckooFilter", 0.001)
                    + " bits per element on the heap"));
  }

  /** Returns the bits per element of the file of a full filter. */
  private static double fileBits(String name, double fpp) {
    return 8.0 * full(name, fpp).toBytes().length / MILLION;
  }

  /** Returns a filter that holds the number of elements it was made for. */
  private static StorableFilter<Long> full(String name, double fpp) {
    LongHashStrategy strategy = HashStrategies.longs();
    FilterKind kind = kind(name);
    StorableFilter<Long> filter = kind.create(strategy, MILLION, fpp);
    LongStream.range(0, MILLION).forEach(i -> kind.addHash(filter, strategy.hash(i)));
    return filter;
  }

  @Test
  void samplesOfEstimatesHaveTheStatedSizesAndErrors() throws Exception {
    String lines = String.format(Locale.ROOT, "%,d", FilterEstimate.LINES);
    String size = 64 * FilterEstimate.LINES / 1024 + " KiB";
    for (String page : List.of("docs/in-java.md", "docs/metrics.md")) {
      assertTrue(flat(page).contains("at most " + lines + " cache lines"), page);
      assertTrue(flat(page).contains("up to " + size), page);
    }
    MatchResult errors =
        match(
            "about ([\\d.]+) % of the rate for classic filters, ([\\d.]+) % for counting and blocked"
                + " ones, and ([\\d.]+) % for blocked counting ones",
            flat("docs/metrics.md"));
    Map<String, Integer> groups =
        Map.of(
            "ClassicBloomFilter", 1,
            "CountingBloomFilter", 2,
            "BlockedBloomFilter", 2,
            "BlockedCountingBloomFilter", 3);
    for (Map.Entry<String, Integer> group : groups.entrySet()) {
      FilterEstimate.Value rate = full(group.getKey(), 0.01).estimate().fpp();
      assertEquals(
          number(errors.group(group.getValue())),
          100 * rate.standardError() / rate.value(),
          0.2,
          group.getKey());
    }
  }

  /** The process of Java here has too little memory for either, and so says what they need. */
  @Test
  void experimentsTakeTheStatedNumbersAndHeap() throws Exception {
    String readme = flat("README.md");
    for (String part : List.of("inserts %s IDs", "queries %s absent ones")) {
      String option = part.startsWith("inserts") ? "--items" : "--queries";
      assertTrue(readme.contains(part.formatted(defaultOf("ids", option))), part);
    }
    assertTrue(readme.contains("with its 99.9 % interval"));
    assertTrue(help("ids").contains("(of 99.9 %)"));
    String forgetting = flat("docs/forgetting.md");
    String clicks = defaultOf("clicks", "--messages");
    String rate = defaultOf("clicks", "--rate");
    assertTrue(forgetting.contains("for " + clicks + " clicks at " + rate + " per second"));
    assertEquals(
        number(match("Their ([\\d,]+) seconds", forgetting).group(1)),
        number(clicks) / number(rate));
    assertHeap(match("a heap of ([\\d.]+) GiB", readme), "ids");
    assertHeap(match("\\(heap: ([\\d.]+) GiB\\)", forgetting), "clicks");
  }

  private static String help(String experiment) {
    return CommandRun.succeed("", "experiment", experiment, "--help").out().replaceAll("\\s+", " ");
  }

  private static String defaultOf(String experiment, String option) {
    String number = match(option + "=\\w [^(]*\\(default: (\\d+)\\)", help(experiment)).group(1);
    return String.format(Locale.ROOT, "%,d", Long.valueOf(number));
  }

  private static void assertHeap(MatchResult stated, String experiment) throws Exception {
    Process process =
        JavaProcess.of(List.of(), Bloom.class, "experiment", experiment)
            .redirectErrorStream(true)
            .start();
    String refusal = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    double needed = number(match("try java -Xmx(\\d+)m", refusal).group(1)) / 1024;
    double gibibytes = number(stated.group(1));
    assertTrue(needed <= gibibytes && gibibytes < 1.2 * needed, refusal);
    assertTrue(help(experiment).contains("a heap of " + stated.group(1) + " GiB"), experiment);
  }

  @Test
  void stateOfAStreamOnSparkAndItsPartsTakeTheStatedBytes() throws Exception {
    String page = flat("docs/spark.md");
    assertEquals(
        number(match("(\\d+) bits for each row to remember at 0.1 %", page).group(1)),
        number(bits("AgingBloomFilter", 0.001)),
        0.5);
    MatchResult coded =
        match(
            "at least (\\d+) bytes of filter per element, as each of a hundred partitions has, which"
                + " then sends about (\\d+) % of the filter",
            page);
    ClassicBloomFilter<Long> part =
        ClassicBloomFilter.create(HashStrategies.longs(), MILLION, 0.01);
    LongStream.range(0, MILLION / 100).forEach(part::addLong);
    assertTrue(number(coded.group(1)) < (double) part.memoryBytes() / (MILLION / 100));
    assertEquals(number(coded.group(2)), 100.0 * part.toBytes().length / part.memoryBytes(), 0.5);
  }

  @Test
  void jarsOfOthersHaveTheStatedSizes() throws Exception {
    String page = text("docs/architecture.md");
    for (String jar : List.of("hash4j", "fastutil-core", "commons-math3")) {
      String path =
          Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
              .filter(entry -> Path.of(entry).getFileName().toString().matches(jar + "-[\\d.]+jar"))
              .findFirst()
              .orElseThrow(() -> new AssertionError(jar));
      assertEquals(
          number(match(jar + ", ([\\d.]+) MB", page).group(1)),
          Files.size(Path.of(path)) / 1e6,
          0.05,
          jar);
    }
  }
}
