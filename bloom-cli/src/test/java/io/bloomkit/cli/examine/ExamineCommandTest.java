package io.bloomkit.cli.examine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.ExamineRun;
import io.bloomkit.cli.text.Figures;
import io.bloomkit.testkit.hash.HashStrategyExamination;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExamineCommandTest {

  /** A strategy that lines of numbers find out at once. */
  private static final String IDENTITY = FaultyStrategies.class.getName() + "#IDENTITY";

  private static ExamineRun run(String arguments) {
    return ExamineRun.of(arguments.split(" "));
  }

  @Test
  void aFitStrategyEndsWithZero() {
    ExamineRun run = run("--strategy longs --json");
    assertEquals("FIT", run.verdict());
    assertEquals(0, run.exitCode());
    assertEquals("longs(rrmxmx)", run.json().get("strategy"));
    assertEquals((double) HashStrategyExamination.DEFAULT_KEYS, run.json().get("keys"));
    assertEquals(0.0, run.json().get("keysStillNeeded"));
    assertEquals("sequential", run.json().get("source"));
    assertEquals(null, run.json().get("lines"));
    assertEquals(1.0, run.json().get("seed"));
    assertTrue((double) run.member("nanosPerHash") > 0);
    assertTrue(((List<?>) run.member("filters")).containsAll(installedFilters()));
    for (Map<?, ?> test : run.tests().values()) {
      assertEquals(true, test.get("passed"));
      assertTrue(
          ExamineRun.figure(test, "pValue") >= ExamineRun.figure(test, "alpha"), test::toString);
      assertTrue(ExamineRun.figure(test, "power") >= 0.99, test::toString);
    }
  }

  private static List<String> installedFilters() {
    return List.of("classic", "blocked", "counting", "cuckoo", "scalable");
  }

  @Test
  void anUnfitStrategyEndsWithOneAndPlainWords() {
    ExamineRun run = run("--items 50000 --strategy " + IDENTITY);
    assertEquals(1, run.exitCode());
    assertTrue(run.out().endsWith("Verdict: UNFIT\n"), run.out());
    assertTrue(run.out().startsWith("identity on 50,000 keys (sequential), seed 1"), run.out());
    assertTrue(run.out().contains("\nbits: WEAK\n  share of hashes with the bit set"), run.out());
    assertTrue(
        run.out().contains("A filter planned for a rate of 3.0 % has a rate of 100.00 %"),
        run.out());
    assertTrue(row(run.out(), "bits").endsWith(" no"), run.out());
    assertTrue(row(run.out(), "equal elements").endsWith(" yes"), run.out());
    assertTrue(run.out().indexOf(": UNFIT") < run.out().indexOf(": WEAK"), "the worst first");
    assertTrue(run.out().contains("\nFilters: "), run.out());
    assertTrue(run.out().contains(" bytes allocated per hash"), run.out());
  }

  private static String row(String table, String test) {
    return table.lines().filter(line -> line.startsWith(test + "  ")).findFirst().orElseThrow();
  }

  @Test
  void jsonSaysWhatTheTableSays() {
    ExamineRun run = run("--json --items 50000 --strategy " + IDENTITY);
    assertEquals(false, run.test("bits").get("passed"));
    assertEquals("WEAK", run.test("bits").get("verdict"));
    assertEquals(0.0, run.test("bits").get("pValue"));
    assertEquals(true, run.test("collisions").get("passed"));
    assertEquals("UNFIT", run.test("rate in cuckoo").get("verdict"));
    for (String member :
        List.of("measured", "alternative", "question", "source", "meaning", "statistic")) {
      assertTrue(run.test("bits").containsKey(member), member);
    }
  }

  @Test
  void tooFewKeysAreInconclusiveAndItIsSaidHowManyMoreItTakes() {
    ExamineRun json = run("--strategy longs --items 1000 --json");
    assertEquals(1, json.exitCode());
    assertEquals("INCONCLUSIVE", json.verdict());
    double needed = (double) json.member("keysStillNeeded");
    assertTrue(needed > 100_000 && needed <= HashStrategyExamination.DEFAULT_KEYS, "" + needed);
    ExamineRun table = run("--strategy longs --items 1000");
    assertTrue(
        table
            .out()
            .contains(
                "Verdict: INCONCLUSIVE, " + Figures.whole((long) needed) + " more distinct keys"),
        table.out());
    assertTrue(row(table.out(), "bits").endsWith(" too few keys"), table.out());
    assertTrue(table.out().contains("\nSkipped: positions (too few keys"), table.out());
  }

  @Test
  void theSameSeedGivesTheSameReportAndAnotherGivesAnother() {
    String first = withoutSpeed(run("--strategy longs --generate random --items 500"));
    assertEquals(first, withoutSpeed(run("--strategy longs --generate random --items 500")));
    assertNotEquals(
        first.replace("seed 1", ""),
        withoutSpeed(run("--strategy longs --generate random --items 500 --seed 2"))
            .replace("seed 2", ""));
  }

  private static String withoutSpeed(ExamineRun run) {
    return run.out()
        .lines()
        .filter(line -> !line.startsWith("Speed"))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void linesAreKeysOnceEach() {
    ExamineRun run =
        ExamineRun.of(
            "one\ntwo\r\n\none\nthree\r\nfour", Map.of(), "--strategy", "utf8", "-", "--json");
    assertEquals(4.0, run.json().get("keys"));
    assertEquals(6.0, run.json().get("lines"));
    assertEquals("standard input", run.json().get("source"));
  }

  @Test
  void noMoreLinesAreReadThanKeysAreWanted() {
    ExamineRun run =
        ExamineRun.of(
            "1\n1\n2\n3\nno number\n", Map.of(), "--strategy=longs", "-", "--items=3", "--json");
    assertEquals(3.0, run.json().get("keys"));
    assertEquals(4.0, run.json().get("lines"));
  }

  @Test
  @Tag("deep")
  void aPackedFileHasTheSameKeys(@TempDir Path folder) throws IOException {
    String lines =
        LongStream.range(0, 2000).mapToObj(Long::toString).collect(Collectors.joining("\n"));
    Path plain = Files.writeString(folder.resolve("keys.txt"), lines);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(lines.getBytes(StandardCharsets.UTF_8));
    }
    Path gz = Files.write(folder.resolve("keys.gz"), packed.toByteArray());
    String ofPlain = withoutSpeed(run("--strategy longs " + plain));
    assertTrue(ofPlain.contains("on 2,000 keys (2,000 lines of " + plain), ofPlain);
    assertEquals(
        ofPlain.replace(plain.toString(), ""),
        withoutSpeed(run("--strategy longs " + gz)).replace(gz.toString(), ""));
    // And they are those that --generate makes.
    assertEquals(
        ofPlain.substring(ofPlain.indexOf('\n')),
        withoutSpeed(run("--strategy longs --items 2000")).replaceFirst("^[^\n]*", ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "longs | 12x | line 2 of standard input must be a whole number of 64 bits, got '12x'",
        "longs | 9223372036854775808 | must be a whole number of 64 bits",
        "ints | 2147483648 | must be a whole number of 32 bits, got '2147483648'",
        "uuids | 1-1-1-1-1 | must be a UUID, got '1-1-1-1-1'",
        "utf8 | \u00ff | must be text in UTF-8"
      })
  void aLineThatIsNoKeyIsNamed(String strategy, String line, String message) {
    byte[] input = ("1\n" + line + "\n3\n").getBytes(StandardCharsets.ISO_8859_1);
    if (strategy.equals("uuids")) {
      input =
          ("00000000-0000-0000-0000-000000000001\n" + line).getBytes(StandardCharsets.ISO_8859_1);
    }
    ExamineRun run = ExamineRun.of(input, Map.of(), "--strategy", strategy, "-");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains(message), run.err());
    assertEquals("", run.out());
  }

  @Test
  void bytesNeedBeNoText() {
    ExamineRun run =
        ExamineRun.of(
            new byte[] {(byte) 0xff, '\n', 'a', '\n', 0}, Map.of(), "--strategy=bytes", "-");
    assertEquals(1, run.exitCode());
    assertTrue(run.out().startsWith("xxh3 on 3 keys (3 lines of standard input)"), run.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--generate urls | Missing required option: '--strategy=NAME|CLASS'",
        "--strategy nonsense | there is no strategy 'nonsense'; ready-made strategies: utf8,"
            + " chars, bytes, longs,",
        "--strategy a.B | there is no class a.B on the class path",
        "--strategy utf8 --generate nonsense | there are sequential, random, ids, urls, uuids,",
        "--strategy utf8 --generate urls a.txt | the keys must come from one source, got --generate"
            + " urls and FILE a.txt",
        "--strategy utf8 a.txt b.txt | 'b.txt'",
        "--strategy utf8 /nonexistent/a.txt | cannot read /nonexistent/a.txt",
        "--strategy longs --generate urls | which hashes Long: urls are not numbers",
        "--strategy utf8 --items 1 | --items must be at least 2, got 1",
        "--strategy utf8 --items 16777217 | --items must be at most 16777216, got 16777217",
        "--strategy utf8 --salt 4294967296 | --salt must be at most 2147483647",
        "--strategy utf8 --plot /nonexistent/a.png | cannot write /nonexistent/a.png",
        "--strategy a.B --classpath /nonexistent | there is no file or folder '/nonexistent'",
        "--strategy siphash24 --key-file /nonexistent | cannot read /nonexistent: no such file"
      })
  void errorsAreOneLine(String arguments, String message) {
    ExamineRun run = run(arguments);
    assertEquals(2, run.exitCode());
    assertTrue(run.err().startsWith("bloom: "), run.err());
    assertTrue(run.err().contains(message), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertEquals("", run.out());
  }

  @Test
  void anEmptyInputIsRefused() {
    ExamineRun run = ExamineRun.of("\n\n", Map.of(), "--strategy", "utf8", "-");
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("at least 2 distinct"), run.err());
  }

  @Test
  void aKeyOfSipHashIsReadFromAFileOrTheEnvironmentAndNeverShown(@TempDir Path folder)
      throws IOException {
    String key = "0123456789abcdef0123456789ABCDEF";
    Path file = Files.writeString(folder.resolve("key"), key + "\n");
    String[] arguments = {"--strategy", "utf8:siphash24", "--items", "100"};
    String published = withoutSpeed(ExamineRun.of(arguments));
    ExamineRun ofEnvironment = ExamineRun.of("", Map.of("BLOOM_SIPHASH_KEY", key), arguments);
    ExamineRun ofFile = run("--strategy utf8:siphash24 --items 100 --key-file " + file);
    assertEquals(withoutSpeed(ofFile), withoutSpeed(ofEnvironment));
    assertNotEquals(published, withoutSpeed(ofFile));
    assertFalse(ofFile.out().contains("0123456789"), ofFile.out());

    String wrong = "0123456789abcdef0123456789ABCDEX";
    ExamineRun refused = ExamineRun.of("", Map.of("BLOOM_SIPHASH_KEY", wrong), arguments);
    assertEquals(2, refused.exitCode());
    assertTrue(
        refused.err().contains("BLOOM_SIPHASH_KEY must contain a key of 32 hexadecimal digits"),
        refused.err());
    assertFalse(refused.err().contains("0123456789"), refused.err());
  }

  @Test
  void theSaltAndTheSeedAreInTheId() {
    assertEquals(
        "seeded(longs(murmur3(0x2a)),0x7)",
        run("--strategy longs:murmur3 --salt 42 --seeded 7 --items 100 --json")
            .json()
            .get("strategy"));
  }

  @Test
  void aStrategyThatThrowsIsNamedWithoutATrace() {
    ExamineRun run =
        run("--items 100 --strategy " + FaultyStrategies.class.getName() + "#THROWS_ON_77");
    assertEquals(2, run.exitCode());
    assertEquals(1, run.err().lines().count(), run.err());
    assertTrue(
        run.err()
            .startsWith(
                "bloom: the strategy failed (step: hash the keys):"
                    + " java.lang.IllegalArgumentException: strategy "),
        run.err());
    assertTrue(
        run.err()
            .contains(
                " throws for 77: java.lang.IndexOutOfBoundsException: 77,"
                    + " at io.bloomkit.cli.examine.Faulty"),
        run.err());
    assertEquals("", run.out());
  }

  @Test
  @Tag("deep")
  void thePictureShowsWhatIsWrong(@TempDir Path folder) throws IOException {
    Path bad = folder.resolve("bad.png");
    Path good = folder.resolve("good.png");
    run("--items 20000 --strategy " + IDENTITY + " --plot " + bad);
    run("--items 20000 --strategy longs --plot " + good);
    // The colour of findings: bars of p-values on the left, the diagonal of flips on the right.
    int orange = 0xd55e00;
    BufferedImage picture = ImageIO.read(bad.toFile());
    assertTrue(pixels(picture, orange, 0, picture.getWidth() / 2) > 10_000);
    assertTrue(pixels(picture, orange, picture.getWidth() / 2, picture.getWidth()) > 1000);
    BufferedImage fine = ImageIO.read(good.toFile());
    // Its legend has a field of that colour.
    assertTrue(pixels(fine, orange, 0, fine.getWidth() / 2) < 1000);
    assertTrue(pixels(fine, orange, fine.getWidth() / 2, fine.getWidth()) < 1000);
  }

  private static int pixels(BufferedImage picture, int rgb, int from, int to) {
    int count = 0;
    for (int x = from; x < to; x++) {
      for (int y = 0; y < picture.getHeight(); y++) {
        count += (picture.getRGB(x, y) & 0xffffff) == rgb ? 1 : 0;
      }
    }
    return count;
  }
}
