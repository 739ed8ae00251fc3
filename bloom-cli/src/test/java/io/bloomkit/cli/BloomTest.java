package io.bloomkit.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class BloomTest {

  private record Run(int exitCode, String out, String err) {}

  private static Run run(String arguments) {
    return run(new IdsCommand(Candidates::ofExperiment), arguments.split(" "));
  }

  private static Run run(IdsCommand ids, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        Bloom.commandLine(ids).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = Bloom.run(commandLine, arguments);
    return new Run(exitCode, out.toString(), err.toString());
  }

  private static Run runSuccessfully(String arguments) {
    Run run = run(arguments);
    assertEquals(0, run.exitCode, run.err);
    return run;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "size ", "experiment ", "experiment ids "})
  void everyCommandHasHelp(String command) {
    Run run = runSuccessfully(command + "--help");
    assertTrue(run.out.startsWith("Usage: bloom " + command.strip()), run.out);
    assertTrue(run.out.contains("Exit codes:"), run.out);
    assertTrue(run.out.contains("a violation"), run.out);
    assertEquals("", run.err);
    assertTrue(runSuccessfully(command + "--version").out.startsWith("bloom "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense | 'nonsense'",
        "--nonsense | '--nonsense'",
        "experiment | subcommand",
        "size | '--items=N'",
        "size --items 10 | '--fpp=P'",
        "size --items ten --fpp 0.01 | 'ten' is not a whole number",
        "size --items 1e6 --fpp 0.01 | '1e6' is not a whole number",
        "size --items _1 --fpp 0.01 | '_1' is not a whole number",
        "size --items 99999999999999999999 --fpp 0.01 | does not fit into 64 bits",
        "size --items 0 --fpp 0.01 | --items must be at least 1 but is 0",
        "size --items -5 --fpp 0.01 | --items must be at least 1 but is -5",
        "size --items 10 --fpp 0 | but is 0.0",
        "size --items 10 --fpp 1 | but is 1.0",
        "size --items 10 --fpp NaN | but is NaN",
        "size --items 10 --fpp -Infinity | but is -Infinity",
        "size --items 10 --fpp one | 'one' is not a number",
        "size --items 10 --fpp 1e-18 | fpp must be at least",
        "size --items 900000000000 --fpp 0.01 | positions",
        "size --items 10 --fpp 0.1 --json more | 'more'",
        "experiment ids --count 0 | --count must be at least 2 but is 0",
        "experiment ids --count 767940512 | --count must be at most 767940511 but is 767940512",
        "experiment ids --queries -1 | --queries must be at least 1 but is -1",
        "experiment ids --queries | --queries",
        "experiment ids --fpp 2 | --fpp must lie between 0 and 1, both excluded, but is 2.0",
        "experiment ids --fpp 7e-12 | scalable",
        "experiment ids --seed x | 'x' is not a whole number",
        "experiment ids --plot /no/such/directory/x.png | cannot write /no/such/directory/x.png",
      })
  void wrongCommandLineGivesOneLineAndCodeTwo(String arguments, String part) {
    Run run = run(arguments);
    assertEquals(2, run.exitCode);
    assertEquals("", run.out);
    assertTrue(run.err.startsWith("bloom: "), run.err);
    assertTrue(run.err.contains(part), run.err);
    assertEquals(1, run.err.lines().count(), run.err);
  }

  @Test
  void sizesAreThoseOfTheArticle() {
    List<Map<String, String>> rows =
        FlatJson.parse(runSuccessfully("size --items 20_000_000 --fpp 0.01 --json").out);
    assertEquals(
        List.of("\"classic\"", "\"counting\"", "\"scalable\""),
        rows.stream().map(row -> row.get("filter")).toList());
    Map<String, String> classic = rows.get(0);
    assertEquals("191701168", classic.get("positions"));
    assertEquals("7", classic.get("hashes"));
    assertEquals("23962648", classic.get("bytes")); // 2,995,331 words
    assertEquals("95850584", rows.get(1).get("bytes")); // 11,981,323 words
    for (Map<String, String> row : rows) {
      assertEquals(
          List.of("filter", "positions", "hashes", "bytes", "bitsPerElement", "expectedFpp"),
          List.copyOf(row.keySet()));
      assertEquals(number(row, "bytes") * 8 / 20_000_000, number(row, "bitsPerElement"), 1e-9);
      assertTrue(number(row, "expectedFpp") <= 1.01 * 0.01);
    }
  }

  @Test
  void sizeTableIsTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      String[] tables = new String[2];
      Locale.setDefault(Locale.ROOT);
      tables[0] = runSuccessfully("size --items 1000 --fpp 0.01").out;
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      tables[1] = runSuccessfully("size --items 1000 --fpp 0.01").out;
      assertEquals(tables[0], tables[1]);
      assertEquals(4, tables[0].lines().count());
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void experimentPrintsOneObjectAFilter() {
    Run run = runSuccessfully("experiment ids --count 20000 --queries 20000 --json");
    List<Map<String, String>> rows = FlatJson.parse(run.out);
    assertEquals(
        List.of("\"article\"", "\"classic\"", "\"counting\"", "\"scalable\""),
        rows.stream().map(row -> row.get("filter")).toList());
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
      assertEquals("\"counting\"".equals(row.get("filter")), row.containsKey("removed"));
    }
    Map<String, String> counting = rows.get(2);
    assertEquals("10000", counting.get("removed"));
    assertEquals("0", counting.get("falseNegativesAfterRemoval"));
    assertEquals("true", counting.get("equalsRebuilt"));
    assertTrue(counting.containsKey("measuredFppAfterRemoval"));
    assertTrue(counting.containsKey("expectedFppAfterRemoval"));
    assertTrue(number(rows.get(3), "layers") > 1);
    assertTrue(run.err.contains("counting: removing every second id (10,000)"), run.err);
  }

  @Test
  void experimentPrintsATable() {
    String table = runSuccessfully("experiment ids --count 20000 --queries 20000").out;
    assertTrue(table.startsWith("20,000 ids, 20,000 random texts, seed 1;"), table);
    for (String row : List.of("article", "classic", "counting", "scalable")) {
      assertTrue(table.lines().anyMatch(line -> line.startsWith(row + " ")), table);
    }
    assertTrue(table.contains("it equals a filter that only ever saw the others"), table);
  }

  @Test
  void seedDecidesAllButTheTimes() {
    String first = withoutTimes("experiment ids --count 5000 --queries 50000 --seed 4 --json");
    String same = withoutTimes("experiment ids --count 5000 --queries 50000 --seed 4 --json");
    String other = withoutTimes("experiment ids --count 5000 --queries 50000 --seed -4 --json");
    assertEquals(first, same);
    assertFalse(first.equals(other));
  }

  private static String withoutTimes(String arguments) {
    return runSuccessfully(arguments).out.replaceAll("NanosPerOperation\": [^,]*", "");
  }

  @Test
  void plotIsAPicture(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("rates.png");
    String arguments = "experiment ids --count 20000 --queries 20000 --json";
    String out = withoutTimes(arguments + " --plot " + file);
    assertEquals(1100, ImageIO.read(new ByteArrayInputStream(Files.readAllBytes(file))).getWidth());
    assertEquals(withoutTimes(arguments), out);
  }

  @Test
  void plotFileIsLeftAloneByARunThatFails(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("rates.png");
    Files.write(file, new byte[] {1, 2, 3});
    Path newFile = directory.resolve("new.png");
    for (Path plot : List.of(file, newFile)) {
      Run run = run(lossy(), "experiment", "ids", "--count", "1000", "--plot", plot.toString());
      assertEquals(1, run.exitCode);
    }
    assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(file));
    assertFalse(Files.exists(newFile));
  }

  @Test
  void falseNegativeGivesOneLineAndCodeOne() {
    Run run = run(lossy(), "experiment", "ids", "--count", "1000", "--queries", "10", "--json");
    assertEquals(1, run.exitCode);
    assertEquals("", run.out);
    String last = run.err.lines().reduce("", (before, line) -> line);
    assertTrue(last.startsWith("bloom: lossy denies 1 of 1,000 ids that were added"), run.err);
  }

  private static IdsCommand lossy() {
    return new IdsCommand(
        (ids, fpp) -> List.of(LossyFilter.candidate(1000, LossyFilter.Fault.FORGETS_ADDED)));
  }

  private static double number(Map<String, String> row, String name) {
    return Double.parseDouble(row.get(name));
  }
}
