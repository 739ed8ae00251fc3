package io.bloomkit.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FlatShape;
import io.bloomkit.Shape;
import io.bloomkit.examples.Examples.Example;
import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.RateTest;
import io.bloomkit.testkit.stat.StatisticalResult;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs each example at a small size, checks what it shows, and compares its lines with those of
 * docs/examples.md. Rates are tested by {@link RateTest} at α = 1e-8; at the default sizes, of
 * {@link FullExamplesTest}, each notices a rate of twice the formula with power above 0.99.
 */
class ExamplesTest {

  private static final Path PAGE = Path.of("..", "docs", "examples.md");
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "bloomkit", "examples");

  @TempDir private Path folder;

  /** Returns the size to run an example at. */
  int size(Example example) {
    return switch (example.name()) {
      case "crawler", "mails" -> 1_000;
      case "clicks" -> 400_000;
      default -> 20_000;
    };
  }

  /** Compares a line of the page with one of this run. */
  void assertShows(String label, String shown, String printed) {
    assertEquals(withoutNumbers(shown), withoutNumbers(printed), label);
  }

  static String withoutNumbers(String line) {
    return line.replaceAll("[+-]?\\d[\\d,.]*", "0");
  }

  private Map<String, String> run(String name) throws Exception {
    Example example = example(name);
    Report report = new Report(new PrintStream(OutputStream.nullOutputStream()));
    example.body().run(size(example), folder, report);
    assertPageShows(name, report.figures());
    return report.figures();
  }

  private static Example example(String name) {
    return Examples.ALL.stream().filter(e -> e.name().equals(name)).findFirst().orElseThrow();
  }

  /** The page has the command and then a block of what it prints. */
  private void assertPageShows(String name, Map<String, String> figures) throws Exception {
    String page = Files.readString(PAGE);
    int command = page.indexOf("java -jar bloom-examples/target/examples.jar " + name + "\n");
    assertTrue(command >= 0, "no command of " + name);
    int begin = page.indexOf("```text\n", command) + "```text\n".length();
    List<String> lines = page.substring(begin, page.indexOf("```", begin)).lines().toList();
    List<String> labels = new ArrayList<>();
    for (String line : lines) {
      String label = line.substring(0, Report.LABEL_WIDTH).strip();
      labels.add(label);
      assertShows(label, line.substring(Report.LABEL_WIDTH), value(figures, label));
    }
    assertEquals(List.copyOf(figures.keySet()), labels);
  }

  private static List<Double> numbers(String value) {
    return Pattern.compile("[+-]?\\d[\\d,]*(\\.\\d+)?")
        .matcher(value)
        .results()
        .map(MatchResult::group)
        .map(number -> Double.valueOf(number.replace(",", "")))
        .toList();
  }

  private static String value(Map<String, String> figures, String label) {
    return Objects.requireNonNull(figures.get(label), "the example does not print: " + label);
  }

  private static double number(Map<String, String> figures, String label, int index) {
    return numbers(value(figures, label)).get(index);
  }

  private static void assertRate(Map<String, String> figures, String label) {
    assertRate(
        label,
        number(figures, label, 0),
        number(figures, label, 1),
        number(figures, label, 3) / 100);
  }

  private static void assertRate(String label, double positives, double absent, double rate) {
    new RateTest().record((long) absent, (long) positives, rate).result(label).assertHolds();
  }

  /** The bound is on the rate, so only the upper tail counts. */
  private static void assertAtMost(String label, double positives, double absent, double bound) {
    double tail = new Binomial((long) absent, bound).upperTail((long) positives);
    assertTrue(tail >= StatisticalResult.ALPHA, label + ": " + positives + " of " + absent);
  }

  @Test
  void aFilterSparesReadsAndStaysRightWhenATransactionIsAborted() throws Exception {
    Map<String, String> figures = run("database");
    assertEquals(0, number(figures, "accounts not found", 0));
    assertEquals(0, number(figures, "accounts not positive", 0));
    assertRate(figures, "false positives");
    assertRate(
        "deleted accounts",
        number(figures, "deleted accounts still positive", 0),
        number(figures, "deleted accounts still positive", 1),
        number(figures, "false positives", 3) / 100);
    assertEquals(
        number(figures, "reads spared", 1) - number(figures, "false positives", 0),
        number(figures, "reads spared", 0));
    String right = "in the table: false, found: false";
    String wrong = "in the table: true, found: false";
    assertEquals(right, figures.get("insertion stops before its commit"));
    assertEquals(right, figures.get("deletion stops after its commit"));
    assertEquals(wrong, figures.get("wrong: commits, stops before add"));
    assertEquals(wrong, figures.get("wrong: removes, stops before commit"));
  }

  @Test
  void visitorsAreCountedByAddAndEstimatedWithinTheDeviationOfTheFill() throws Exception {
    Map<String, String> figures = run("visitors");
    double visitors = number(figures, "visitors", 0);
    assertEquals(0, number(figures, "visitors not positive", 0));
    assertRate(figures, "false positives");
    assertEquals(
        visitors - number(figures, "false positives", 0),
        number(figures, "visitors counted by add", 0));
    FlatShape shape = Shape.of(size(example("visitors")) / 5, 0.01);
    double unset =
        shape.positions()
            - BloomFormulas.expectedSetPositions(
                (long) visitors, shape.positions(), shape.hashes());
    double variance =
        BloomFormulas.varianceOfSetPositions((long) visitors, shape.positions(), shape.hashes());
    double deviation = Math.sqrt(variance) / (shape.hashes() * unset / shape.positions());
    double estimate = number(figures, "visitors estimated", 0);
    assertEquals(visitors, estimate, 5.73 * deviation + 1); // α = 1e-8
    assertEquals(estimate, number(figures, "visitors estimated by merged hours", 0));
    assertTrue(number(figures, "sum of the estimates of the hours", 0) > visitors);
  }

  @Test
  void aCrawlerVisitsPagesOnceAndSkipsNoMoreThanTheBound() throws Exception {
    Map<String, String> figures = run("crawler");
    assertEquals(0, number(figures, "pages visited twice", 0));
    double skipped = number(figures, "pages skipped", 0);
    double pages = number(figures, "pages skipped", 1);
    assertEquals(pages, number(figures, "pages visited", 0) + skipped);
    assertAtMost("pages skipped", skipped, pages, 0.001);
    assertRate(figures, "false positives, random port");
  }

  @Tag("deep")
  @Test
  void aKilledRelayForwardsNoMailTwiceAndLosesNoMoreThanExpected() throws Exception {
    Map<String, String> figures = run("mails");
    assertEquals(0, number(figures, "mails forwarded twice", 0));
    double missing = number(figures, "mails not forwarded", 0);
    // One mail per kill, and false positives.
    assertTrue(missing <= 5 + 1 + 6, "mails not forwarded: " + missing);
  }

  @Test
  void aGatewayFollowsTheListByDeltasAndAKeyStopsTheAttack() throws Exception {
    Map<String, String> figures = run("senders");
    assertEquals("true", figures.get("gateway has the list"));
    assertEquals(0, number(figures, "listed senders accepted", 0));
    assertRate(figures, "false positives, random key");
    assertTrue(
        number(figures, "delta of an hour", 0) < number(figures, "filter of the list", 0) / 20);
    assertTrue(value(figures, "attack, public hash").endsWith(" refuses ceo@example.org"));
    assertEquals("listing it does not refuse ceo@example.org", figures.get("attack, keyed hash"));
  }

  /** A click is billed again if a thread stops between taking and adding it: some in a run. */
  @Test
  void eightThreadsBillClicksOnce() throws Exception {
    Map<String, String> figures = run("clicks");
    double repeated = number(figures, "repeated clicks billed again", 1);
    assertTrue(number(figures, "repeated clicks billed again", 0) < repeated / 100);
    assertAtMost(
        "clicks not billed",
        number(figures, "clicks not billed", 0),
        number(figures, "clicks not billed", 1),
        0.001);
    assertRate(figures, "false positives, eight threads");
  }

  @Test
  void admissionRaisesTheHitRateOfLruAndSparesWrites() throws Exception {
    Map<String, String> figures = run("cache");
    assertTrue(number(figures, "LRU with a filter", 0) > number(figures, "LRU", 0) + 2);
    assertTrue(number(figures, "Caffeine with a filter", 0) > number(figures, "Caffeine", 0) - 1);
    for (String cache : List.of("LRU", "Caffeine")) {
      assertTrue(
          number(figures, cache + " with a filter", 1) < number(figures, cache, 1) / 5, cache);
      assertRate(figures, "false positives, " + cache);
    }
  }

  @Test
  void theCodeOfThePageIsThatOfTheExamples() throws Exception {
    StringBuilder code = new StringBuilder();
    try (Stream<Path> files = Files.list(SOURCES)) {
      for (Path file : files.toList()) {
        code.append(Files.readString(file).replaceAll("(?m)^ +", ""));
      }
    }
    List<String> missing =
        Pattern.compile("(?s)^```java\n(.*?)^```", Pattern.MULTILINE)
            .matcher(Files.readString(PAGE))
            .results()
            .map(block -> block.group(1).replaceAll("(?m)^ +", ""))
            .filter(block -> code.indexOf(block) < 0)
            .toList();
    assertEquals(List.of(), missing);
  }
}
