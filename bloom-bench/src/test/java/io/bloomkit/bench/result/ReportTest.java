package io.bloomkit.bench.result;

import static io.bloomkit.bench.result.ResultFile.duel;
import static io.bloomkit.bench.result.ResultFile.life;
import static io.bloomkit.bench.result.ResultFile.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  @TempDir private Path folder;

  @Test
  void goalOnWhichProcessesDisagreeIsUndecided() throws IOException {
    String goals =
        Goals.table(
            results(
                duel("CLASSIC", "0.01", "FAST_FILTER_BLOOM", metric("RATIO_ADD", 0.8)),
                duel("CLASSIC", "0.01", "FAST_FILTER_BLOOM", metric("RATIO_ADD", 0.9))));

    assertTrue(goals.contains("| ≤ 0.82 | 0.85 (0.80 to 0.90) | undecided |"), goals);
  }

  @Test
  void operationThatAllocatesMissesItsGoal() throws IOException {
    String clean = Goals.table(results(life("CLASSIC", "0.01", metric("ADD_BYTES", 0.01))));
    String dirty = Goals.table(results(life("CLASSIC", "0.01", metric("ADD_BYTES", 0, 16))));

    assertTrue(clean.contains("| 0 | 0.01 | met |"), clean);
    assertTrue(dirty.contains("| 0 | 8.00 | **missed** |"), dirty);
  }

  @Test
  void figuresAreMediansWithTheFarthestRound() throws IOException {
    String figures =
        new Tables(
                results(
                    life(
                        "GUAVA",
                        "0.01",
                        metric("ADD", 100, 101, 102),
                        metric("ADD_BYTES", 24),
                        metric("ERROR", 0.0101),
                        metric("BITS", 9_600_000)),
                    life("GUAVA", "0.01", metric("ADD", 104, 105, 109))))
            .figures();

    assertEquals(
        """

        1,000,000 long keys at 1.000 %, nanoseconds each:

        | filter | add | bytes allocated | errors | bits |
        |---|---|---|---|---|
        | Guava | 103.0 ± 2.0 | 24 | 1.010 % | 9.6 |
        """,
        figures);
  }

  @Test
  void peerWithAnotherErrorStandsBesideOursOfItsErrorAndOfItsBits() throws IOException {
    String equals =
        new Tables(
                results(
                    duel(
                        "BLOCKED",
                        "0.0096",
                        "FAST_FILTER_BLOCKED",
                        metric("ERROR", 0.0096),
                        metric("BITS", 10_300_000),
                        metric("PEER_ERROR", 0.0096),
                        metric("PEER_BITS", 11_000_000),
                        metric("RATIO_ADD", 1.2)),
                    duel(
                        "BLOCKED",
                        "0.008",
                        "FAST_FILTER_BLOCKED",
                        metric("ERROR", 0.008),
                        metric("BITS", 11_000_000),
                        metric("RATIO_ADD", 1.3))))
            .equals();

    assertTrue(
        equals.contains("| FastFilter blocked, 1,000,000 | 1 |  |  |  | 0.960 % | 11.0 |"), equals);
    assertTrue(
        equals.contains(
            "Bloomkit blocked, as many errors | 1.20 (1.20 to 1.20) |  |  |  | 0.960 % | 10.3 |"),
        equals);
    assertTrue(
        equals.contains(
            "Bloomkit blocked, as many bits | 1.30 (1.30 to 1.30) |  |  |  | 0.800 % | 11.0 |"),
        equals);
  }

  @Test
  void ratiosSayHowManyTimesAsLongAPeerTakes() throws IOException {
    String ratios =
        new Tables(
                results(
                    duel("BLOCKED", "0.01", "CLASSIC", metric("RATIO_QUERY_PRESENT", 0.5)),
                    duel(
                        "CLASSIC",
                        "0.01",
                        "GUAVA",
                        metric("QUERY_PRESENT", 10),
                        metric("PEER_QUERY_PRESENT", 80),
                        metric("RATIO_QUERY_PRESENT", 0.125))))
            .ratios();

    // Guava was measured beside the classic filter alone, and that beside the blocked one.
    assertTrue(ratios.contains("| Guava | 8.0 | 16.0 |"), ratios);
    assertTrue(ratios.contains("| Bloomkit classic | 1.0 | 2.0 |"), ratios);
  }

  @Test
  void flagsAreThoseOfAllProcesses() throws IOException {
    String life = life("GUAVA", "0.01", metric("ADD", 200));
    Results results = results(life, life.replace("-Xms4g", "-Xms8g"));

    assertEquals("-Xmn64m", results.flags());
  }

  @Test
  void formOfLongKeysIsToldForEachFilterOnce() throws IOException {
    String keys =
        new Tables(
                results(
                    duel("CLASSIC", "0.01", "GUAVA", metric("RATIO_ADD", 0.1)),
                    life("GUAVA", "0.001", metric("ADD", 200)),
                    life("GUAVA_UNBOXED", "0.01", metric("ADD", 190))))
            .keys();

    assertEquals(
        """
        | filter | form of a long key |
        |---|---|
        | Guava | boxed at each call |
        | Guava, no boxing | primitive, in one reused holder |
        """,
        keys);
  }

  @Test
  void conditionsSayWhatThreadsAndHashFunctionsCost() throws IOException {
    String time = metric("ADD", 10);
    String alone = duel("BLOCKED_CONCURRENT", "0.01", "BLOCKED", time, metric("RATIO_ADD", 1.5));
    String itself =
        duel("BLOCKED_CONCURRENT", "0.01", "BLOCKED_CONCURRENT", time, metric("RATIO_ADD", 0.6));
    String conditions =
        new Tables(results(alone, itself.replace("\"threads\":\"1\"", "\"threads\":\"2\"")))
            .conditions();

    assertTrue(
        conditions.contains(
            "| Bloomkit blocked, concurrent | 1,000,000 long keys | Bloomkit blocked"
                + " | 1.50 (1.50 to 1.50) |"),
        conditions);
    assertTrue(
        conditions.contains(
            "| Bloomkit blocked, concurrent, 2 threads | 1,000,000 long keys"
                + " | Bloomkit blocked, concurrent | 0.60 (0.60 to 0.60) |"),
        conditions);
  }

  @Test
  void documentsAreBroughtUpToDateBetweenTheirMarks() throws IOException {
    Path json =
        json(
            life(
                "CLASSIC",
                "0.01",
                metric("QUERY_PRESENT", 10),
                metric("QUERY_ABSENT", 11),
                metric("BITS", 9_600_000)));
    Files.createDirectories(folder.resolve("docs/images"));
    Path readme = folder.resolve("README.md");
    Files.writeString(readme, "before\n<!-- bench: ratios -->\nold\n<!-- /bench -->\nafter\n");
    Files.createDirectories(folder.resolve("docs/lab"));
    Path performance = folder.resolve("docs/lab/performance.md");
    Files.writeString(performance, "no marks\n");
    Files.writeString(folder.resolve("docs/speed.md"), "<!-- bench: met -->\n<!-- /bench -->\n");

    Report.write(json, folder.resolve("out"), folder, false);

    String text = Files.readString(readme);
    assertTrue(text.startsWith("before\n<!-- bench: ratios -->\n\nFilters of bits:"), text);
    assertTrue(text.endsWith("\n\n<!-- /bench -->\nafter\n"), text);
    assertFalse(text.contains("old"), text);
    assertEquals("no marks\n", Files.readString(performance));
    assertTrue(
        Files.readString(folder.resolve("docs/speed.md"))
            .contains("\nBeside FastFilter and Guava: 0 of 34 goals met.\n"));
    BufferedImage picture = ImageIO.read(folder.resolve("docs/images/speed-bits.png").toFile());
    assertTrue(picture.getWidth() > 0 && picture.getHeight() > 0);
    assertTrue(Files.readString(folder.resolve("out/tables.md")).contains("Test VM 17"));
  }

  @Test
  void leadersHaveAPlaceForEachVersionOfJava() throws IOException {
    Path json = json(duel("CLASSIC", "0.01", "GUAVA", metric("RATIO_ADD", 0.1)));
    Files.createDirectories(folder.resolve("docs/lab"));
    String others = "<!-- bench: leaders-jdk25 -->\n<!-- /bench -->\n<!-- bench: goals -->\n";
    Path performance = folder.resolve("docs/lab/performance.md");
    Files.writeString(performance, "<!-- bench: leaders-jdk17 -->\n<!-- /bench -->\n" + others);
    Path readme = folder.resolve("README.md");
    Files.writeString(readme, "no marks\n");
    Files.writeString(folder.resolve("docs/speed.md"), "no marks\n");

    Report.write(json, folder.resolve("out"), folder, true);

    String text = Files.readString(performance);
    assertTrue(
        text.startsWith("<!-- bench: leaders-jdk17 -->\n\nTest VM 17.0.15+6, JMH 1.37, flags "),
        text);
    assertTrue(text.contains("| ≤ 0.16 | 0.10 (0.10 to 0.10) | met |"), text);
    assertTrue(text.endsWith(others), text);
    assertFalse(Files.exists(folder.resolve("docs/images")));
  }

  @Test
  void theSpeedPageHasSentencesMadeOfRatios() throws IOException {
    String[] duels = {
      duel("CLASSIC", "0.01", "BLOCKED", queries(1, 1, 1)),
      duel("CLASSIC", "0.01", "GUAVA", queries(0.2, 0.25, 0.125)),
      duel("CLASSIC", "0.01", "GUAVA_UNBOXED", queries(0.25, 0.5, 0.2)),
      duel("CLASSIC", "0.01", "FAST_FILTER_BLOCKED", queries(1, 1.25, 2)),
      duel("BLOCKED_COUNTING", "0.01", "HADOOP_COUNTING", queries(0.5, 0.4, 0.2), removal(0.1)),
      duel("BLOCKED_COUNTING", "0.01", "FAST_FILTER_COUNTING", queries(0.5, 1, 0.4), removal(1))
    };
    LocalDate date = LocalDate.of(2026, 11, 23);

    String text = new Summary(results(duels)).text(date).orElseThrow();

    assertEquals(
        """
        A million long keys at 1 %, filters side by side in one process, JDK 17.0.15 with the flags
        `-Xms4g -Xmn64m`, 23 November 2026 ([conditions](#conditions)). Queries of present
        keys, queries of absent keys and additions of the blocked filter are the measure: Guava takes
        5.0, 4.0 and 8.0 times as long (4.0, 2.0 and 5.0 without boxing), FastFilter's
        blocked filter 1.0, 0.8 and 0.5 times. For the same operations and removals, with the
        blocked counting filter as the measure, Hadoop's counting filter takes 2.0, 2.5, 5.0 and 10.0
        times as long and FastFilter's 2.0, 1.0, 2.5 and 1.0 times.
        """,
        text);
    assertEquals(
        """
        ```text
        Bloomkit blocked     █ 1.0
        FastFilter blocked   █ 1.0
        Guava                █████ 5.0
        ```

        Time of a query of a present key: a million `long` keys at 1 %, filters side by side in one process, JDK
        17.0.15 with `-Xms4g -Xmn64m`, 23 November 2026.
        Guava boxes each key; without boxing it takes 4.0 times as long.
        """,
        new Summary(results(duels)).bars(date).orElseThrow());
    assertTrue(new Summary(results(Arrays.copyOf(duels, 2))).bars(date).isEmpty());
    assertTrue(new Summary(results(Arrays.copyOf(duels, duels.length - 1))).text(date).isEmpty());
  }

  private static String queries(double present, double absent, double add) {
    return String.join(
        ",",
        metric("RATIO_QUERY_PRESENT", present),
        metric("RATIO_QUERY_ABSENT", absent),
        metric("RATIO_ADD", add));
  }

  private static String removal(double ratio) {
    return metric("RATIO_REMOVE", ratio);
  }

  @Test
  void markWithoutEndIsRefused() throws IOException {
    Path json = json(life("CLASSIC", "0.01", metric("ADD", 10)));
    Files.createDirectories(folder.resolve("docs/images"));
    Files.writeString(folder.resolve("README.md"), "<!-- bench: goals -->\n");

    assertThrows(
        IllegalArgumentException.class,
        () -> Report.write(json, folder.resolve("out"), folder, false));
  }

  @Test
  void growthIsDrawnFromTwoSizesOn() throws IOException {
    String small = life("CLASSIC", "0.01", metric("ADD", 5), metric("QUERY_PRESENT", 4));
    Path one = folder.resolve("one.png");
    new Pictures(results(small)).growth(one);
    Path two = folder.resolve("two.png");
    new Pictures(
            results(
                withBits(small),
                withBits(small).replace("\"elements\":\"1000000\"", "\"elements\":\"1000\"")))
        .growth(two);

    assertFalse(Files.exists(one));
    assertTrue(Files.exists(two));
  }

  private static String withBits(String entry) {
    return entry.replace(
        "\"secondaryMetrics\":{", "\"secondaryMetrics\":{" + metric("BITS", 9600) + ",");
  }

  private Results results(String... entries) throws IOException {
    return ResultFile.read(folder, entries);
  }

  private Path json(String... entries) throws IOException {
    return ResultFile.write(folder, entries);
  }
}
