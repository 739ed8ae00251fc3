package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fields of a log in the combined format of Apache and nginx. */
class AccessLogTest {

  private static final List<String> LOG =
      List.of(
          "203.0.113.7 - - [05/May/2024:06:25:24 +0000] \"GET /a?x=1 HTTP/1.1\" 200 512 \"-\""
              + " \"Mozilla/5.0 (X11; Linux x86_64)\"",
          "198.51.100.2 - ann [05/May/2024:06:25:31 +0000] \"POST /b HTTP/2.0\" 302 0"
              + " \"https://example.org/a\" \"curl/8.5.0\"",
          "203.0.113.7 - - [05/May/2024:06:26:02 +0000] \"GET /b HTTP/1.1\" 404 -"
              + " \"https://example.org/\" \"Mozilla/5.0 (X11; Linux x86_64)\"");

  @TempDir private Path folder;
  private Path log;

  @BeforeEach
  void write() throws Exception {
    log = Files.writeString(folder.resolve("access.log"), String.join("\n", LOG) + "\n");
  }

  private static String lines(int... numbers) {
    StringBuilder lines = new StringBuilder();
    for (int number : numbers) {
      lines.append(LOG.get(number - 1)).append('\n');
    }
    return lines.toString();
  }

  @Test
  void addressesAreTheFirstField() {
    CommandRun addresses = CommandRun.succeed("", "dedup", "-f1", log);
    assertEquals(lines(1, 2), addresses.text());
    assertTrue(
        addresses
            .err()
            .matches(
                "3 lines, 1 dropped, [0-9,]+ bytes of memory; expected lines wrongly dropped: 0.00;"
                    + " blanks separate fields, see -t\n"),
        addresses.err());
    assertTrue(
        CommandRun.succeed("", "dedup", "--stats", "-f1", log)
            .err()
            .matches("(?s).*\nfields +blanks separate fields, see -t\n.*"));
  }

  @Test
  void pathsAndStatusesAreFoundByAFilter() {
    Path filter = folder.resolve("b.bloom");
    CommandRun built =
        CommandRun.succeed(
            lines(2), "build", "--kind=counting", "--items=9", "-f7", "-o", filter, "-");
    assertEquals(
        filter
            + ": counting, 1 line added, 1 of them certainly new; expected fpp "
            + "0.001062 %; blanks separate fields, see -t",
        built.err().strip().replaceAll("[0-9.e-]+ %", "0.001062 %"));
    assertEquals(lines(2, 3), CommandRun.succeed("", "check", "-f7", filter, log).text());
    assertEquals(lines(1), CommandRun.succeed("", "check", "-v", "-f7", filter, log).text());
    CommandRun removed = CommandRun.succeed(lines(2), "remove", "-f7", filter);
    assertTrue(
        removed.err().strip().endsWith("0 %; blanks separate fields, see -t"), removed.err());
    CommandRun.succeed(lines(2), "add", "-f", "7,9", filter);
    assertEquals("/b 302\n", CommandRun.succeed("/b 302\n/b 404\n", "check", filter).text());
  }

  @Test
  void quotedTextsAreFieldsBetweenQuotesAndARegularExpressionTakesTheTimeApart() {
    assertEquals(lines(1, 2), CommandRun.succeed("", "dedup", "-t\"", "-f6", log).text());
    CommandRun minutes = CommandRun.succeed("", "dedup", "-t/[\\[\\]:]/", "-f3,4", log);
    assertEquals(lines(1, 3), minutes.text());
    assertTrue(minutes.err().strip().endsWith("dropped: 0.00"), minutes.err());
    assertEquals(lines(1, 2), CommandRun.succeed("", "dedup", "-t ", "-f1", log).text());
  }

  @Test
  void aMissingFieldIsNamedWithWhatSeparatesFields() {
    assertEquals(
        "bloom: line 1 of "
            + log
            + " has no field 20 (blanks separate fields, see -t; --missing pass continues)",
        CommandRun.fail("", "build", "--items=9", "-f20", "-o", folder.resolve("f"), log));
    assertEquals(
        "bloom: line 1 of "
            + log
            + " has no field 20 (blanks separate fields, see -t; --missing pass continues)",
        CommandRun.fail("", "dedup", "-f20", log));
    assertEquals(
        "bloom: line 1 of "
            + log
            + " has no time in field 4, but '[05/May/2024:06:25:24'; --time-format is s and"
            + " may be s, ms, us, ns, iso, clf (blanks separate fields, see -t; --missing pass"
            + " continues)",
        CommandRun.fail("", "dedup", "--window=1h", "--time-field=4", log));
    assertEquals(
        "bloom: line 1 of "
            + log
            + " has no field 20 (blanks separate fields, see -t; --missing pass continues)",
        CommandRun.fail("", "dedup", "--window=1h", "--time-field=20", log));
  }

  @Test
  void aWindowOfTimeOverAFinishedLogGoesByTheTimesOfItsLines() {
    CommandRun byReading = CommandRun.succeed("", "dedup", "--window=10s", "-f1", log);
    assertEquals(lines(1, 2), byReading.text());
    assertTrue(
        byReading
            .err()
            .contains(
                " and up to 667ms more, by the time of reading; --time-field K goes by the lines' own;"
                    + " blanks"),
        byReading.err());
    String[] options = {"--window=10s", "-f1", "--time-field=4", "--time-format=CLF"};
    CommandRun byLines =
        CommandRun.succeed("", "dedup", options[0], options[1], options[2], options[3], log);
    assertEquals(lines(1, 2, 3), byLines.text());
    assertTrue(
        byLines
            .err()
            .contains(
                "; a line is remembered for 10s and up to 667ms more, by the time in field 4; blanks"),
        byLines.err());
    assertEquals(
        lines(1, 2),
        CommandRun.succeed(
                "", "dedup", "--window=1h", "-f1", "--time-field=4", "--time-format=clf", log)
            .text());
    assertTrue(
        CommandRun.succeed("", "dedup", "--stats", "--window=1h", log)
            .err()
            .contains("by the time of reading"));
  }

  /** The brackets separate fields, so that the field of the time has its offset. */
  @Test
  void theOffsetOfATimeCountsIfTheFieldHasIt() {
    String east = LOG.get(0) + "\n" + LOG.get(0).replace("06:25:24 +0000", "08:25:29 +0200") + "\n";
    CommandRun run =
        CommandRun.succeed(
            east,
            "dedup",
            "-c",
            "--window=10s",
            "-t/[\\[\\]]/",
            "-f1",
            "--time-field=2",
            "--time-format=clf");
    assertEquals("1\n", run.text(), run.err());
  }
}
