package io.bloomkit.cli.experiment.clicks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.text.FlatJson;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClicksCommandTest {

  private static final String SMALL = "--messages 200000 --window 2s --fpp 0.01 ";

  private static final List<String> MEMBERS =
      List.of(
          "filter",
          "messages",
          "bytes",
          "bytesAsPlanned",
          "messagesPerSecond",
          "repeats",
          "repeatsCaught",
          "firstClicks",
          "firstClicksLost",
          "measuredLoss",
          "measuredLossLow",
          "measuredLossHigh",
          "expectedLoss",
          "expectedLossInInterval",
          "oldRepeats",
          "oldRepeatsRecognized",
          "measuredOldRecognition",
          "measuredOldRecognitionLow",
          "measuredOldRecognitionHigh",
          "expectedOldRecognition",
          "expectedOldRecognitionInInterval",
          "dayBytes",
          "dayCores",
          "dayFirstClicksLost");

  private static CommandRun run(String arguments) {
    return run(ClickPlan::ofExperiment, arguments);
  }

  private static CommandRun run(ClickPlan.Factory factory, String arguments) {
    Object[] words = ("experiment clicks " + arguments).strip().split(" +");
    return CommandRun.ofClicks(factory, words);
  }

  private static CommandRun runSuccessfully(String arguments) {
    return run(arguments).isDone();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--messages 0 | --messages must be at least 1, got 0",
        "--messages 1000000000001 | --messages must be at most 1000000000000, got",
        "--rate 0 | --rate must be at least 1, got 0",
        "--rate 1000000001 | --rate must be at most 1000000000, got 1000000001",
        "--double-click -0.1 | --double-click must be in [0, 0.5], got -0.1",
        "--double-click 0.51 | --double-click must be in [0, 0.5], got 0.51",
        "--double-click NaN | --double-click must be in [0, 0.5], got NaN",
        "--window 5000 | --window must be a time from 1s to 24d, got 5000",
        "--window 999ms | --window must be a time from 1s to 24d, got 999ms",
        "--window 25d | --window must be a time from 1s to 24d, got 25d",
        "--window 9s --rate 111 | 1000 messages, but --window 9s has 999 at --rate 111",
        "--fpp 0 | --fpp must be in (0, 1), got 0.0",
        "--fpp 1e-15 | expiring filter: expected / fpp must be at most 2^55",
        "--window 24d | counting filter: a window has 20,736,000,012 messages",
        "--window 3d --fpp 0.1 | counting filter: a window has 2,592,000,012 messages, but its"
            + " queue",
        "--window 40h | filters for 1,440,000,000 messages need a heap of",
        "--window 40h | : try java -Xmx",
        "--plot /no/such/directory/x.png | cannot write /no/such/directory/x.png",
      })
  void wrongCommandLineGivesOneLineAndCodeTwo(String arguments, String part) {
    run(arguments).isRefused(part);
  }

  /** 0.05 of the messages of one and a half windows, at 56 bytes, and twice that. */
  @Test
  void repeatsToComeNeedAHeapToo() {
    String arguments = "--window 40h --messages 10000000000 --double-click ";
    double bytes = 2 * 56 * (10_000 * 0.5 * 0.55 + 0.05 * 1.5 * 1_440_000_000);
    assertEquals(bytes / (1 << 20), heap(arguments + "0.5") - heap(arguments + "0"), 1.5);
  }

  private static double heap(String arguments) {
    Matcher message = Pattern.compile("need a heap of ([\\d,]+) MiB").matcher(run(arguments).err());
    assertTrue(message.find(), message.toString());
    return Double.parseDouble(message.group(1).replace(",", ""));
  }

  @Test
  void jsonHasAnObjectAFilter() {
    CommandRun run = runSuccessfully(SMALL + "--json");
    List<Map<String, String>> rows = FlatJson.parse(run.out());
    assertEquals(
        List.of("\"expiring filter\"", "\"counting filter, queue\"", "\"exact set\""),
        rows.stream().map(row -> row.get("filter")).toList());
    for (Map<String, String> row : rows) {
      assertEquals(MEMBERS, List.copyOf(row.keySet()));
      assertEquals("200000", row.get("messages"));
      assertEquals(row.get("repeats"), row.get("repeatsCaught"));
      assertEquals(
          200_000, number(row, "repeats") + number(row, "firstClicks") + number(row, "oldRepeats"));
      assertEquals(
          number(row, "firstClicksLost") / number(row, "firstClicks"),
          number(row, "measuredLoss"),
          1e-15);
      assertEquals("true", row.get("expectedLossInInterval"));
      assertEquals("true", row.get("expectedOldRecognitionInInterval"));
      assertTrue(number(row, "oldRepeats") > 100);
      assertTrue(number(row, "messagesPerSecond") > 0);
      assertEquals(10_000 / number(row, "messagesPerSecond"), number(row, "dayCores"), 1e-12);
    }
    assertEquals("null", rows.get(0).get("bytesAsPlanned"));
    assertEquals("true", rows.get(1).get("bytesAsPlanned"));
    assertEquals("null", rows.get(2).get("bytesAsPlanned"));
    assertEquals(number(rows.get(0), "dayBytes"), number(rows.get(0), "bytes"), 5000);
    assertEquals(rows.get(1).get("bytes"), rows.get(1).get("dayBytes"));
    assertTrue(number(rows.get(2), "dayBytes") > 44e9);
    // 97.8 % of the messages are first clicks. Two seconds hold 98.5 % of the ids that the filter
    // is made for, so it errs at 0.935 %.
    assertEquals(7.9e6, number(rows.get(1), "dayFirstClicksLost"), 0.1e6);
    assertTrue(run.err().contains("counting filter, queue: messages (200,000)"), run.err());
  }

  @Test
  void streamShorterThanTheWindowHasNoOldRepeatsAndSaysSo() {
    String arguments = "--messages 100000 --window 20s --fpp 0.01 ";
    for (Map<String, String> row : FlatJson.parse(runSuccessfully(arguments + "--json").out())) {
      assertEquals("0", row.get("oldRepeats"));
      assertEquals("null", row.get("measuredOldRecognition"));
      assertEquals("null", row.get("expectedOldRecognitionInInterval"));
      assertEquals("true", row.get("expectedLossInInterval"));
    }
    String table = runSuccessfully(arguments).out();
    assertTrue(table.contains("The stream is shorter than the window"), table);
    assertFalse(table.contains("older than the window"), table);
    assertFalse(runSuccessfully(SMALL).out().contains("shorter than the window"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "19"})
  void streamOfAMillisecondOrLessHasAFormulaToo(String messages) {
    String arguments = "--window 2s --json --messages " + messages;
    for (Map<String, String> row : FlatJson.parse(runSuccessfully(arguments).out())) {
      double expected = number(row, "expectedLoss");
      assertTrue(expected >= 0 && expected < 1e-6, row.toString());
      assertEquals("true", row.get("expectedLossInInterval"));
    }
  }

  @Test
  void tableTellsTheStreamTheLossTheFadeAndADay() {
    String table = runSuccessfully(SMALL).out();
    assertTrue(
        table.startsWith(
            "200,000 messages, 10,000 a second: 20 s; a window of 2 s; filters for 20,000 messages"
                + " at fpp 1.000 %; seed 1\n"),
        table);
    for (String row :
        List.of(
            "expiring filter( +[\\d,]+){6} .* % +true",
            "counting filter, queue( +[\\d,]+){6} .* % +true",
            "exact set( +[\\d,]+){6} .* 0 % +true",
            "Repeats of clicks older than the window, .*",
            "exact set +\\d+ +\\d+ +100.0 % .* true",
            "A day of 864,000,000 messages, 10,000 a second, .*",
            "exact set +4\\d,\\d{3},\\d{3},\\d{3} +\\d\\.\\d{4} +0")) {
      assertTrue(table.lines().anyMatch(line -> line.matches(row)), row + " is not in\n" + table);
    }
  }

  @Test
  void dayThatNoFilterHoldsIsLeftOut() {
    String arguments = "--messages 5000 --rate 1 --window 20d --fpp 0.1 ";
    for (Map<String, String> row : FlatJson.parse(runSuccessfully(arguments + "--json").out())) {
      assertEquals("null", row.get("dayBytes"));
      assertEquals("null", row.get("dayCores"));
      assertEquals("null", row.get("dayFirstClicksLost"));
    }
    String table = runSuccessfully(arguments).out();
    assertTrue(table.contains("is not supported by one of the filters."), table);
  }

  @Test
  @Tag("deep")
  void tableIsTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      String[] tables = new String[2];
      Locale.setDefault(Locale.ROOT);
      tables[0] = withoutTimes(SMALL + "--json");
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      tables[1] = withoutTimes(SMALL + "--json");
      assertEquals(tables[0], tables[1]);
      assertTrue(runSuccessfully(SMALL).out().chars().allMatch(c -> c < 128));
    } finally {
      Locale.setDefault(before);
    }
  }

  private static String withoutTimes(String arguments) {
    return runSuccessfully(arguments)
        .out()
        .replaceAll("\"(messagesPerSecond|dayCores)\": [^,]*", "");
  }

  @Test
  void plotIsAPictureOfTheLosses(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("clicks.png");
    runSuccessfully(SMALL + "--plot " + file);
    BufferedImage picture = ImageIO.read(new ByteArrayInputStream(Files.readAllBytes(file)));
    assertEquals(1100, picture.getWidth());
    for (int rgb : List.of(0xd55e00, 0x0072b2)) {
      assertTrue(hasColour(picture, rgb, 0, 700), "the line of " + rgb);
    }
    assertFalse(hasColour(picture, 0x56b4e9, 0, 700), "loss of the exact set");
  }

  private static boolean hasColour(BufferedImage picture, int rgb, int fromY, int toY) {
    for (int y = fromY; y < toY; y++) {
      for (int x = 0; x < picture.getWidth(); x++) {
        if ((picture.getRGB(x, y) & 0xffffff) == rgb) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void plotOfARunThatLosesNothingIsDrawnToo(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("clicks.png");
    runSuccessfully("--messages 1 --window 2s --double-click 0 --plot " + file);
    assertTrue(Files.size(file) > 1000);
  }

  @Test
  void missedRepeatGivesOneLineAndCodeOneAndLeavesThePlotFileAlone(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("clicks.png");
    byte[] picture = "\u0089PNG\r\n\u001a\n and more".getBytes(ISO_8859_1);
    Files.write(file, picture);
    CommandRun run =
        run(
            (traffic, fpp) -> List.of(ClicksExperimentTest.forgetful(traffic, 17)),
            SMALL + "--force --plot " + file);
    assertEquals(1, run.exitCode());
    assertEquals("", run.out());
    String last = run.err().lines().reduce("", (before, line) -> line);
    assertTrue(last.startsWith("bloom: forgetful mistook 1 of "), run.err());
    assertArrayEquals(picture, Files.readAllBytes(file));
  }

  private static double number(Map<String, String> row, String name) {
    return Double.parseDouble(Objects.requireNonNull(row.get(name), name));
  }
}
