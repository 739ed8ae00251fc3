package io.bloomkit.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.experiment.fill.LossyFilter;
import io.bloomkit.cli.filter.FileKind;
import io.bloomkit.cli.text.FlatJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BloomTest {

  private static final List<String> NAMES =
      List.of(
          "\"classic\"",
          "\"blocked\"",
          "\"counting\"",
          "\"blocked-counting\"",
          "\"cuckoo\"",
          "\"scalable\"",
          "\"dynamic-cuckoo\"",
          "\"sha384-12\"");

  private static final Set<String> DELETABLE =
      Set.of("\"counting\"", "\"blocked-counting\"", "\"cuckoo\"", "\"dynamic-cuckoo\"");

  private static final List<String> SIZE_MEMBERS =
      List.of(
          "kind",
          "positions",
          "hashes",
          "buckets",
          "fingerprintBits",
          "bytes",
          "bitsPerElement",
          "expectedFpp",
          "linesAdd",
          "linesAddAtMost",
          "linesQuery",
          "linesQueryAbsent",
          "linesRemove",
          "concurrent",
          "deletable",
          "reason");

  private static CommandRun run(String arguments) {
    return CommandRun.of("", (Object[]) arguments.split(" "));
  }

  private static CommandRun runSuccessfully(String arguments) {
    return run(arguments).isDone();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "size ",
        "build ",
        "add ",
        "remove ",
        "check ",
        "count ",
        "merge ",
        "intersect ",
        "subtract ",
        "delta ",
        "apply ",
        "convert ",
        "inspect ",
        "dedup ",
        "examine ",
        "experiment ",
        "experiment ids ",
        "experiment clicks ",
        "experiment accounts ",
        "completion "
      })
  void everyCommandHasHelp(String command) {
    CommandRun run = runSuccessfully(command + "--help");
    assertTrue(run.out().startsWith("Usage: bloom " + command.strip()), run.out());
    assertTrue(run.out().contains("Exit codes:"), run.out());
    assertEquals("", run.err());
    assertTrue(runSuccessfully(command + "--version").out().startsWith("bloom "));
  }

  @ParameterizedTest
  @CsvSource({
    "build, ",
    "add, ",
    "remove, ",
    "merge, ",
    "dedup, ",
    "inspect, ",
    "size, ",
    "check, 'no line was selected'",
    "examine, another verdict",
    "experiment ids, 'a filter violated its guarantees, for example by a false negative'",
    "experiment clicks, 'a filter violated its guarantees, for example by a false negative'",
    "experiment accounts, 'a filter violated its guarantees, for example by a false negative'",
  })
  void theExitCodeOneIsListedWhereItOccurs(String command, String meaning) {
    String out = runSuccessfully(command + " --help").out();
    assertEquals(
        meaning == null ? List.of() : List.of(meaning),
        out.substring(out.indexOf("Exit codes:"))
            .lines()
            .filter(line -> line.startsWith("  1  "))
            .map(line -> line.substring(3).strip())
            .toList());
  }

  @ParameterizedTest
  @CsvSource({
    "'1,000,000', 0.01",
    "1_000_000, 1e-2",
    "1e6, 1%",
    "1M, 0.01",
    "1_000k, 1 %",
    "1.0e6, 1e-2",
    "0.001G, 1.0%"
  })
  void numbersAndRatesMayBeWrittenAsPeopleWriteThem(String items, String fpp) {
    CommandRun run = CommandRun.succeed("", "size", "--json", "--items", items, "--fpp", fpp);
    assertEquals(runSuccessfully("size --json --items 1000000 --fpp 0.01").out(), run.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1,5", "1000,000", "0,001", "1,000M", "1,000e3", "1,00", ",000"})
  void otherCommasAreRefused(String number) {
    String err = CommandRun.fail("", "size", "--items", number);
    assertTrue(err.contains("'" + number + "' is not a whole number"), err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"size", "build", "dedup"})
  void helpShowsHowShortNumbersMayBe(String command) {
    String help = runSuccessfully(command + " --help").out();
    assertTrue(help.contains("10M") && help.contains("1e7"), help);
  }

  @Test
  void helpOfDedupTellsOfItsError() {
    String help = runSuccessfully("dedup --help").out().replaceAll("\\s+", " ");
    assertTrue(help.contains("a false positive drops a new line, at the rate P"), help);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "buid x | bloom: there is no command 'buid'; did you mean build? (see bloom --help)",
        "experiment idz | bloom: there is no command 'idz'; did you mean ids?"
            + " (see bloom experiment --help)",
        "%%% | bloom: there is no command '%%%' (see bloom --help)",
        "build --strategy x -o y | '--strategy': 'x' is not one of [bytes, utf8, longs] (see",
        "dedup --time-format x | '--time-format': 'x' is not one of [s, ms, us, ns, iso, clf] (see",
        "dedup --missing x | '--missing': 'x' is not one of [pass, stop] (see",
        "check x --type x | '--type': 'x' is not one of [bytes, int32, int64, float, double, hex]"
            + " (see",
        "build -o dir1/ n2 | '--output': 'dir1/' names a directory; append the name of a file (see",
        "add x -o dir1/ | '--output': 'dir1/' names a directory; append the name of a file (see",
        "inspect x --plot dir1/ | '--plot': 'dir1/' names a directory; append the name of a file",
        "examine --strategy utf8 --plot dir1/ | '--plot': 'dir1/' names a directory; append the",
        "experiment ids --plot dir1/ | '--plot': 'dir1/' names a directory; append the name of a",
        "--nonsense | '--nonsense'",
        "dedup --exact --window 5 | leave out --window, --items and --fpp",
        "dedup --exact --fpp 0.1 | leave out --window, --items and --fpp",
        "dedup --exact -u pom.xml | leave out it, as -u is exact",
        "dedup --window 2000000000000000000 | '--window': must be at most 2^60 lines, got"
            + " 2000000000000000000",
        "dedup --window 1000000000000000000 | --window 1000000000000000000 at --fpp 1.0E-4: ",
        "build --window 1000000000000000000 -o x | --window 1000000000000000000 at --fpp 0.01: ",
        "size --items 9e18 --kind classic --fpp 0.9999999999999999 | --items must be below"
            + " 2^63 / 3, as 64-bit hashes distinguish no more elements, got 9000000000000000000",
        "experiment | subcommand",
        "completion bash | 'bash'",
        "size | '--items=N'",
        "size --items ten --fpp 0.01 | 'ten' is not a whole number",
        "size --items 1.5 --fpp 0.01 | '1.5' is not a whole number",
        "size --items 1e-1 --fpp 0.01 | '1e-1' is not a whole number",
        "size --items 1m --fpp 0.01 | '1m' is not a whole number, such as 5000, 20k, 1M or 1e6",
        "size --items 1e30 --fpp 0.01 | '1e30' does not fit into 64 bits",
        "size --items 10 --fpp % | '%' is not a number, such as 0.01 or 1%",
        "size --items 10 --fpp 100% | --fpp must be in (0, 1), got 1.0; 1 % is 0.01 or 1%",
        "size --items 10 --fpp 5 | --fpp must be in (0, 1), got 5.0; 1 % is 0.01 or 1%",
        "size --items _1 --fpp 0.01 | '_1' is not a whole number",
        "size --items 99999999999999999999 --fpp 0.01 | does not fit into 64 bits",
        "size --items 0 --fpp 0.01 | --items must be at least 1, got 0",
        "size --items -5 --fpp 0.01 | --items must be at least 1, got -5",
        "size --items 10 --fpp 0 | got 0.0",
        "size --items 10 --fpp 1 | got 1.0",
        "size --items 10 --fpp NaN | got NaN",
        "size --items 10 --fpp -Infinity | got -Infinity",
        "size --items 10 --fpp one | 'one' is not a number",
        "size --items 10 --fpp 1e-30 | fpp must be at least",
        "size --items 900000000000000000 --fpp 0.01 | 900000000000000000",
        "size --items 10 --fpp 0.1 --json more | 'more'",
        "size --items 10 --kind classic,x | 'x' is not one of [classic, blocked, counting,",
        "build --items 10 | '--output=FILE'",
        "build --items 0 -o /no/such | --items must be at least 1, got 0",
        "build --fpp 1 -o /no/such | got 1.0",
        "build --kind x -o /no/such | 'x' is not one of [classic, blocked, counting,"
            + " blocked-counting",
        "build --separator= --items 1 -o /no/such | --separator must have at least one character",
        "build --fields 0 --items 1 -o /no/such | '--fields': must list fields from 1 to 65536,"
            + " each once, such as 1,3 or 1-3, got '0'",
        "build --input x -o /no/such/x | '--input'",
        "build /no/such /no/less -o x.bloom --items 1 | cannot read /no/such",
        "check /no/such --mapped | cannot read /no/such: no such file",
        "check x --mapped --type int64 | --type is for filters of Parquet and Spark, which cannot"
            + " be mapped; leave out --mapped",
        "dedup -u | -u reads its input twice, which only regular files permit; write the lines to a"
            + " FILE",
        "dedup -u -d x | -u prints the lines that occur once in the whole input; leave out -d,"
            + " --window and --stats",
        "dedup -u /dev/null | -u reads its input twice, which only regular files permit",
        "build /no/such -o x.bloom --items 1 | ; an argument is a file of lines, not a line itself",
        "add | 'FILTER'",
        "add /no/such | cannot read /no/such: no such file",
        "remove /no/such | cannot read /no/such: no such file",
        "check /no/such | cannot read /no/such: no such file",
        "count | 'FILTER'",
        "count /no/such | cannot read /no/such: no such file",
        "intersect /no/such -o x.bloom | intersect takes two filters or more, got only /no/such",
        "intersect /no/such /no/such -o x.bloom | cannot read /no/such: no such file",
        "intersect one two | '--output=FILE'",
        "subtract /no/such /no/such -o x.bloom | cannot read /no/such: no such file",
        "merge /no/such -o x.bloom | merge takes two filters or more, got only /no/such",
        "merge /no/such /no/such -o x.bloom | cannot read /no/such: no such file",
        "convert /no/such -o x.bloom | '--to=KIND'",
        "convert /no/such --to classic -o x.bloom | cannot read /no/such: no such file",
        "inspect /no/such | cannot read /no/such: no such file",
        "experiment accounts --items 0 | --items must be at least 1, got 0",
        "experiment ids --items 0 | --items must be at least 2, got 0",
        "experiment ids --items 767940512 | --items must be at most 767940511, got 767940512",
        "experiment ids --queries -1 | --queries must be at least 1, got -1",
        "experiment ids --queries | --queries",
        "experiment ids --fpp 2 | --fpp must be in (0, 1), got 2.0",
        "experiment ids --fpp 1e-9"
            + " | blocked-counting: --items 20000000 at --fpp 1.0E-9 would need",
        "experiment ids --items 1000 --fpp 1e-9 | blocked-counting: --items 1000",
        "build --kind dynamic-cuckoo --items 9e18 --fpp 1e-6 -o x | --items / --fpp must be at"
            + " most",
        "build --kind cuckoo --items 1000000 --fpp 1e-9 -o x | --fpp must be at least",
        "dedup --items 9e18 --fpp 1e-6 | --items 9000000000000000000 would need",
        "experiment ids --seed x | 'x' is not a whole number",
        "experiment ids --plot /no/such/directory/x.png | cannot write /no/such/directory/x.png",
      })
  void wrongCommandLineGivesOneLineAndCodeTwo(String arguments, String part) {
    run(arguments).isRefused(part);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "experiment accounts --items 1000 --changes 10",
        "examine --strategy utf8 --items 1000"
      })
  void aPictureIsReplacedOnlyWithForce(String arguments, @TempDir Path folder) throws IOException {
    Path plot = folder.resolve("a.png");
    byte[] picture = "\u0089PNG\r\n\u001a\n old".getBytes(ISO_8859_1);
    Files.write(plot, picture);
    CommandRun run = run(arguments + " --plot " + plot);
    assertEquals("bloom: " + plot + " already exists; --force replaces it\n", run.err());
    assertEquals(2, run.exitCode());
    assertEquals("", run.out());
    assertArrayEquals(picture, Files.readAllBytes(plot));
    run(arguments + " --force --plot " + plot);
    assertNotNull(ImageIO.read(plot.toFile()));
  }

  @Test
  void sizesAreThoseOfTheArticle() {
    List<Map<String, String>> rows =
        FlatJson.parse(runSuccessfully("size --items 20_000_000 --fpp 0.01 --json").out());
    assertEquals(
        FileKind.all().stream().map(kind -> '"' + kind.toString() + '"').toList(),
        rows.stream().map(row -> row.get("kind")).toList());
    Map<String, String> classic = rows.get(0);
    assertEquals("191701168", classic.get("positions"));
    assertEquals("7", classic.get("hashes"));
    assertEquals("23962648", classic.get("bytes")); // 2,995,331 words
    assertEquals("95850584", rows.get(2).get("bytes")); // 11,981,323 words
    for (Map<String, String> row : rows) {
      assertEquals(SIZE_MEMBERS, List.copyOf(row.keySet()));
      assertEquals(number(row, "bytes") * 8 / 20_000_000, number(row, "bitsPerElement"), 1e-9);
      assertTrue(number(row, "expectedFpp") <= 1.01 * 0.01);
      assertTrue(number(row, "linesQueryAbsent") >= 1);
      assertEquals(text(row, "deletable").equals("true"), !text(row, "linesRemove").equals("null"));
      assertEquals("null", row.get("reason"));
    }
    assertEquals("4", rows.get(3).get("hashes"));
    assertEquals("5263162", rows.get(4).get("buckets"));
    assertEquals("10", rows.get(4).get("fingerprintBits"));
    assertEquals("null", rows.get(4).get("hashes"));
  }

  @Test
  void bitsOfAnElementAreWhatWasPromised() {
    Map<String, Map<String, String>> rows = sizes("--items 10_000_000 --fpp 0.01");
    assertEquals(9.6, number(rows, "classic", "bitsPerElement"), 0.05);
    assertEquals(10.1, number(rows, "blocked", "bitsPerElement"), 0.05);
    assertEquals(38.3, number(rows, "counting", "bitsPerElement"), 0.05);
    assertEquals(47.2, number(rows, "blocked-counting", "bitsPerElement"), 0.05);
    assertEquals(10.5, number(rows, "cuckoo", "bitsPerElement"), 0.05);
    assertEquals(
        List.of("7.0", "7", "7"), lines(rows, "counting", "linesAdd", "linesQuery", "linesRemove"));
    assertEquals(
        List.of("1.0", "1", "1.0", "1"),
        lines(
            rows, "blocked-counting", "linesAdd", "linesQuery", "linesQueryAbsent", "linesRemove"));
    assertEquals(
        List.of("2.9", "502", "2", "2.0", "2"),
        lines(
            rows,
            "cuckoo",
            "linesAdd",
            "linesAddAtMost",
            "linesQuery",
            "linesQueryAbsent",
            "linesRemove"));
    for (String guava : List.of("guava", "bloomkit-guava")) {
      assertEquals(2.055, number(rows, guava, "linesQueryAbsent"), 0.001);
      assertEquals(row(rows, "classic").get("bytes"), row(rows, guava).get("bytes"));
    }
    assertEquals(15.7, number(rows, "expiring-cuckoo", "bitsPerElement"), 0.1);
    // The fill is 1 - exp(-7 / 9.585) = 0.518: (1 - 0.518^7) / (1 - 0.518).
    assertEquals(2.055, number(rows, "classic", "linesQueryAbsent"), 0.001);
  }

  private static List<String> lines(
      Map<String, Map<String, String>> rows, String filter, String... members) {
    return Stream.of(members).map(member -> row(rows, filter).get(member)).toList();
  }

  private static Map<String, Map<String, String>> sizes(String arguments) {
    return FlatJson.parse(runSuccessfully("size --json " + arguments).out()).stream()
        .collect(Collectors.toMap(row -> text(row, "kind").replace("\"", ""), Function.identity()));
  }

  private static Map<String, String> row(Map<String, Map<String, String>> rows, String filter) {
    return Objects.requireNonNull(rows.get(filter), filter);
  }

  private static double number(
      Map<String, Map<String, String>> rows, String filter, String member) {
    return number(row(rows, filter), member);
  }

  /** Each has its own limits: rarer errors than fingerprints allow, more than one array holds. */
  @ParameterizedTest
  @CsvSource({
    "--items 1000000 --fpp 1e-9, cuckoo, --fpp must be at least",
    "--items 5_000_000_000 --fpp 0.01, counting, shape has 47925291887 positions",
    "--items 1000 --fpp 1e-14, blocked-counting, --items 1000 at --fpp"
  })
  void kindThatCannotBeLeavesTheOthers(String arguments, String filter, String reason) {
    Map<String, Map<String, String>> rows = sizes(arguments);
    assertEquals(FileKind.all().size(), rows.size());
    Map<String, String> row = row(rows, filter);
    assertEquals(SIZE_MEMBERS, List.copyOf(row.keySet()));
    assertTrue(text(row, "reason").startsWith("\"" + reason), row.toString());
    for (String member : SIZE_MEMBERS.subList(1, SIZE_MEMBERS.size() - 1)) {
      assertEquals("null", row.get(member), member);
    }
    assertEquals("null", row(rows, "classic").get("reason"));

    String table = runSuccessfully("size " + arguments).out();
    assertTrue(table.lines().anyMatch(line -> line.matches(filter + "( +-){5}")), table);
    assertTrue(table.contains("\n" + filter + ": " + reason), table);
  }

  @Test
  void sizeAssumesTheRateOfBuild() {
    assertEquals(
        runSuccessfully("size --items 1000 --fpp 0.01").out(),
        runSuccessfully("size --items 1000").out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--items 1000",
        "--items 1e9 --fpp 1e-5",
        "--items 50G",
        "--items 1000000 --fpp 1e-9",
        "--items 1000 --fpp 1e-14"
      })
  void sizesFitInEightyColumns(String arguments) {
    String table = runSuccessfully("size " + arguments).out();
    assertEquals(List.of(), table.lines().filter(line -> line.length() > 80).toList());
  }

  @Test
  void sizesOfSomeKindsAreTwoShortTables() {
    assertEquals(
        """
        kind     positions  hashes      bytes  bits/item       fpp
        classic  9,585,059       7  1,198,136       9.59   1.004 %
        cuckoo           -       -  1,315,818      10.53  0.7401 %

        lines touched  add  query  absent  remove  concurrent
        classic        7.0    7.0     2.1       -         yes
        cuckoo         2.9    2.0     2.0     2.0          no

        cuckoo: 263,162 buckets, 10 bits per fingerprint
        """,
        runSuccessfully("size --items 1M --kind classic,cuckoo").out());
  }

  @Test
  void sizeTableIsTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      String[] tables = new String[2];
      Locale.setDefault(Locale.ROOT);
      tables[0] = runSuccessfully("size --items 1000 --fpp 0.01").out();
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      tables[1] = runSuccessfully("size --items 1000 --fpp 0.01").out();
      assertEquals(tables[0], tables[1]);
      // Two tables with titles, and what a cuckoo filter is made of.
      assertEquals(2 * (1 + FileKind.all().size()) + 1 + 1 + 1, tables[0].lines().count());
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void experimentPrintsOneObjectAFilter() {
    CommandRun run = runSuccessfully("experiment ids --items 20000 --queries 20000 --json");
    List<Map<String, String>> rows = FlatJson.parse(run.out());
    assertEquals(NAMES, rows.stream().map(row -> row.get("filter")).toList());
    for (Map<String, String> row : rows) {
      assertTrue(
          row.keySet()
              .containsAll(
                  List.of(
                      "positions",
                      "hashes",
                      "bytes",
                      "buildNanosPerOperation",
                      "queryNanosPerOperation",
                      "measuredFpp",
                      "measuredFppLow",
                      "measuredFppHigh",
                      "expectedFpp")));
      assertEquals("20000", row.get("elements"));
      assertEquals("20000", row.get("queries"));
      assertEquals("0", row.get("falseNegatives"));
      assertEquals(
          number(row, "falsePositives") / number(row, "absentQueries"),
          number(row, "measuredFpp"),
          1e-15);
      String filter = text(row, "filter");
      assertEquals(DELETABLE.contains(filter), row.containsKey("removed"), filter);
      if (row.containsKey("removed")) {
        assertEquals("10000", row.get("removed"));
        assertEquals("0", row.get("falseNegativesAfterRemoval"));
        assertEquals("true", row.get("answersAsRebuilt"));
        assertEquals("true", row.get("equalsRebuilt"));
        assertTrue(row.containsKey("measuredFppAfterRemoval"));
        assertTrue(row.containsKey("expectedFppAfterRemoval"));
      }
    }
    assertEquals("10", rows.get(4).get("fingerprintBits"));
    assertEquals("1", rows.get(4).get("layers"));
    assertTrue(number(rows.get(5), "layers") > 1);
    assertTrue(run.err().contains("counting: removing every second element (10,000)"), run.err());
  }

  @Test
  void experimentPrintsATable() {
    String table = runSuccessfully("experiment ids --items 20000 --queries 20000").out();
    assertTrue(table.startsWith("20,000 ids, 20,000 random texts, seed 1;"), table);
    assertTrue(
        table.contains(
            "\n"
                + "sha384-12: the filter of a tutorial, for comparison: 2^28 bits and 12 hashes of"
                + " SHA-384, whatever the options.\n"),
        table);
    for (String name : NAMES) {
      String row = name.replace("\"", "") + " ";
      assertTrue(table.lines().anyMatch(line -> line.startsWith(row)), table);
    }
    assertEquals(
        4,
        table.split("the filter equals a filter of the remaining elements", -1).length - 1,
        table);
    assertTrue(table.contains("cuckoo: 5,268 buckets, 10 bits per fingerprint."), table);
  }

  @ParameterizedTest
  @Tag("deep")
  @ValueSource(
      strings = {
        "ids --items 5000 --queries 50000",
        "clicks --messages 200000 --window 2s --fpp 0.01",
        "accounts --items 5000 --changes 50"
      })
  void seedDecidesAllButTheTimes(String experiment) {
    String first = withoutTimes("experiment " + experiment + " --seed 4 --json");
    String same = withoutTimes("experiment " + experiment + " --seed 4 --json");
    String other = withoutTimes("experiment " + experiment + " --seed -4 --json");
    assertEquals(first, same);
    assertFalse(first.equals(other));
  }

  private static String withoutTimes(String arguments) {
    return runSuccessfully(arguments)
        .out()
        .replaceAll("(NanosPerOperation|messagesPerSecond|dayCores|Nanos|Seconds)\": [^,}]*", "");
  }

  @Test
  void falseNegativeGivesOneLineAndCodeOne() {
    CommandRun run = lossy("experiment", "ids", "--items", "1000", "--queries", "10", "--json");
    assertEquals(1, run.exitCode());
    assertEquals("", run.out());
    String last = run.err().lines().reduce("", (before, line) -> line);
    assertTrue(
        last.startsWith("bloom: lossy is negative for 1 of 1,000 elements that were added"),
        run.err());
  }

  /** Runs a command with an experiment of a filter that forgets an element. */
  private static CommandRun lossy(Object... arguments) {
    return CommandRun.ofIds(
        (ids, fpp) -> List.of(LossyFilter.candidate(1000, LossyFilter.Fault.FORGETS_ADDED)),
        arguments);
  }

  private static String text(Map<String, String> row, String name) {
    return Objects.requireNonNull(row.get(name), name);
  }

  private static double number(Map<String, String> row, String name) {
    return Double.parseDouble(row.get(name));
  }

  @Test
  void anArgumentWithAnAtSignNamesAFile(@TempDir Path folder) throws Exception {
    Path options = Files.writeString(folder.resolve("options"), "--version");
    for (Object[] arguments :
        List.of(
            new Object[] {"dedup", "-c", "@" + options},
            new Object[] {"dedup", "-c", "--", "@" + options},
            new Object[] {"@" + options})) {
      String err = CommandRun.fail("a\n", arguments);
      assertTrue(err.contains("@" + options), err);
    }
  }

  @ParameterizedTest
  @CsvSource({"size", "dedup", "experiment"})
  void helpOfACommandIsItsOwn(String command) {
    String help = runSuccessfully("help " + command).out();
    assertEquals(runSuccessfully(command + " --help").out(), help);
  }

  @Test
  void helpOfAllAndOfWhatIsNone() {
    assertEquals(runSuccessfully("--help").out(), runSuccessfully("help").out());
    assertEquals(
        runSuccessfully("experiment ids --help").out(),
        runSuccessfully("help experiment ids").out());
    assertTrue(runSuccessfully("help").out().contains("bloom help COMMAND"));
    assertEquals(runSuccessfully("--version").out(), runSuccessfully("version").out());
    String err = run("help nonsense").err();
    assertEquals("bloom: there is no command 'nonsense' (see bloom --help)", err.strip());
  }

  @ParameterizedTest
  @CsvSource({
    "create, build",
    "insert, add",
    "BF.ADD, add",
    "show, inspect",
    "BF.INFO, inspect",
    "test, check",
    "grep, check",
    "exists, check",
    "diff, delta",
    "verify, inspect",
    "union, merge",
    "join, merge",
    "rm, remove",
    "uniq, dedup",
    "Size, size",
    "szie, size",
    "substract, subtract",
    "cout, count",
    "hepl, help"
  })
  void aCommandOfAnotherProgramOrOneMistypedIsUnderstood(String word, String command) {
    assertEquals(
        "bloom: there is no command '"
            + word
            + "'; did you mean "
            + command
            + "? (see bloom --help)",
        run(word + " x").err().strip());
  }

  @ParameterizedTest
  @CsvSource({
    "build -n 5 -p 0.1 x, -n, --items",
    "build --capacity 5 x, --capacity, --items",
    "build --error-rate=0.1 x, --error-rate=0.1, --fpp",
    "dedup --ttl 1h x, --ttl, --window",
    "dedup --delimiter x, --delimiter, --separator",
    "build --itmes 5 x, --itmes, --items",
    "size --items 5 --jsn, --jsn, --json"
  })
  void anOptionOfAnotherProgramOrOneMistypedIsUnderstood(
      String words, String option, String meant) {
    assertEquals(
        "bloom: there is no option '%s'; did you mean %s? (see bloom %s --help)"
            .formatted(option, meant, words.substring(0, words.indexOf(' '))),
        run(words + " -o x").err().strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cat",
        "frobnicate",
        "x",
        "ls",
        "move",
        "Mv",
        "rename",
        "complete-all",
        "export",
        "set-data"
      })
  void nothingFarAwayIsSuggested(String word) {
    assertEquals(
        "bloom: there is no command '" + word + "' (see bloom --help)", run(word).err().strip());
  }
}
