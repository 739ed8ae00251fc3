package io.bloomkit.cli.dedup;

import static io.bloomkit.cli.DedupRun.dedup;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.DedupRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DedupCommandTest {

  @Test
  void printsTheFirstOfEach() {
    assertEquals("b\na\n\nc\n", dedup("b\na\nb\n\na\n\nc\n"));
  }

  @Test
  void repeatsArePrintedInsteadOfFirstLines() {
    String input = "b\na\nb\n\na\n\nc\nb\n";
    assertEquals("b\na\n\nb\n", dedup(input, "-d"));
    String withFields = "x,1\nx\ny,1\ny\nz,2\n";
    String[] options = {"--fields=2", "--separator=,", "--missing=pass", "--repeated"};
    assertEquals("y,1\n", dedup(withFields, options));
    assertEquals("x,1\nx\ny\nz,2\n", dedup(withFields, Arrays.copyOf(options, 3)));
  }

  @Test
  void linesAreCountedInsteadOfPrinted() {
    String input = "b\na\nb\n\na\n\nc\nb";
    assertEquals("4\n", dedup(input, "-c"));
    assertEquals("4\n", dedup(input, "--count", "-d"));
    assertEquals("0\n", dedup("", "-c"));
    assertEquals("2\n", dedup("1,a\n2\n3,a\n", "-c", "-f2", "-t,", "--missing=pass"));
    DedupRun stopped = DedupRun.of("1,a\n2\n", "-c", "-f2", "-t,");
    assertEquals(2, stopped.exitCode());
    assertEquals("", stopped.text());
  }

  @Test
  void fieldMakesLinesEqual() {
    String input = "1;a;x\r\n2;b;x\r\n3;a;y\r\n4;;x\r\n5;;z\n";
    assertEquals("1;a;x\r\n2;b;x\r\n4;;x\r\n", dedup(input, "--fields", "2", "--separator", ";"));
    assertEquals("1;a;x\r\n3;a;y\r\n5;;z\n", dedup(input, "--fields", "3", "--separator", ";"));
    assertEquals("1;a\r\n", dedup("1;a\r\n2;a", "--fields", "2", "--separator", ";"));
    assertEquals("a\t1\nb\t2\n", dedup("a\t1\na\t2\nb\t2\n", "--fields", "1"));
    assertEquals("a\t1\nb\t2\n", dedup("a\t1\na\t2\nb\t2\n", "--fields=1", "--separator=\\t"));
    assertEquals("a,1,x\na,2,y\nb,1,x\n", dedup("a,1,x\na,2,y\na,3,x\nb,1,x\n", "-f1,3", "-t,"));
    assertEquals("a::b:c\n", dedup("a::b:c\nz::b:c\n", "--fields=2", "--separator=::"));
    assertEquals(
        "aé1\n",
        dedup("aé1\nbé1\n".replace("é", "Ã©"), "--fields=2", "--separator=é").replace("Ã©", "é"));
  }

  @Test
  void differentFieldsAreDifferentHoweverTheyAreJoined() {
    for (String input : List.of("x y,z\nx,y z\n", "x\0y,z\nx,y\0z\n")) {
      assertEquals(input, dedup(input, "-f", "1,2", "-t", "/[,;]/"));
    }
    assertEquals("x,y\nx,z\n", dedup("x,y\nx;y\nx,z\n", "-f", "1,2", "-t", "/[,;]/"));
    String found = "x\ny,z\0x,y\nz\0";
    assertEquals(found, dedup(found, "-z", "-f", "1,2", "-t", "/[,;]/"));
    assertEquals("x::a:\n:x::a\n", dedup("x::a:\n:x::a\n", "-f", "2,1", "-t", "::"));
  }

  @Test
  void anEmptyFirstLineDecidesNothingAboutTheSeparator() {
    for (String empty : List.of("", "\r", "  ")) {
      String input = empty + "\na b\tc\na d\tc\n";
      assertEquals(input, dedup(input, "-f", "1", "--missing", "pass"));
    }
    DedupRun stopped = DedupRun.of("\na\n", "-f", "1");
    assertEquals(2, stopped.exitCode());
    assertEquals(
        "bloom: line 1 of standard input has no field 1 (--missing pass continues)\n",
        stopped.err());
  }

  @Test
  void aTabAfterBlanksWereDecidedStopsTheRun() {
    DedupRun run = DedupRun.of("# lines\na b\tc\na d\tc\n", "-f", "1", "--missing", "pass");
    assertEquals(2, run.exitCode());
    assertEquals("# lines\n", run.text());
    assertEquals(
        "bloom: line 2 of standard input has a tab, but those before it have none, so blanks separate fields;"
            + " give -t '\\t' or -t '/[ \\t]+/'; the line before it is processed\n",
        run.err());
  }

  @Test
  void aLineTooLongForAnExpressionIsNamed() {
    DedupRun run = DedupRun.of("a\n" + "a".repeat(60_000) + "\n", "-f1", "-t", "/(ab|a)+c/");
    assertEquals(2, run.exitCode());
    assertEquals("a\n", run.text());
    assertEquals(
        "bloom: line 2 of standard input is too long for --separator /(ab|a)+c/ with 60000 bytes; take an expression"
            + " that repeats no group; the line before it is processed\n",
        run.err());
  }

  @Test
  void lineWithoutTheFieldStopsTheRunOrPasses() {
    String input = "1,a\n2,a\n3\n3\n4,b\n";
    DedupRun stopped = DedupRun.of(input, "--fields=2", "--separator=,");
    assertEquals(2, stopped.exitCode());
    assertEquals("1,a\n", stopped.text());
    assertEquals(
        "bloom: line 3 of standard input has no field 2; the 2 lines before it are processed (--missing pass"
            + " continues)\n",
        stopped.err());
    DedupRun passed = DedupRun.of(input, "--fields=2", "--separator=,", "--missing=PASS");
    assertEquals("1,a\n3\n3\n4,b\n", passed.text());
    assertTrue(passed.err().startsWith("5 lines, 1 dropped, 2 without the field, "), passed.err());
  }

  @Test
  void windowOfLinesForgets() {
    String between = CommandRun.numbers(0, 200);
    String input = "a\n" + between + "a\n";
    assertEquals(input, dedup(input, "--window=0.1k", "--fpp=1e-6"));
    assertEquals("a\n" + between, dedup(input, "--window=201", "--fpp=1e-6"));
  }

  /** An epoch has four seconds, and 1000 is the beginning of one. */
  @Test
  void windowOfTimeEndsAtMostAFifteenthLate() {
    String[] options = {
      "--window=60s", "--items=10", "--fields=2", "--separator=,", "--time-field=1"
    };
    assertEquals("1000,a\n", dedup("1000,a\n1063.999,a\n", options));
    assertEquals("1000,a\n1064,a\n", dedup("1000,a\n1064,a\n", options));
    assertEquals("1003.999,a\n", dedup("1003.999,a\n1063.999,a\n", options));
    assertEquals("-1000,a\n-900,a\n", dedup("-1000,a\n-1000,a\n-900,a\n", options));
  }

  @Test
  void memoryFollowsTheLines() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      lines.append("1000,").append(i).append('\n');
    }
    String[] options = {"--window=1m", "--fields=2", "--separator=,", "--time-field=1", "--stats"};
    long full = memory(DedupRun.of(lines.toString(), options));
    assertTrue(full > 10_000 * 20 / 8 && full < 10_000 * 40 / 8, full + " bytes");
    for (int i = 0; i < 10_000; i++) {
      lines.append(2000 + i).append(",b").append(i).append('\n');
    }
    long few = memory(DedupRun.of(lines.toString(), options));
    assertTrue(few < 0.1 * full, few + " bytes after " + full);
  }

  private static long memory(DedupRun run) {
    return run.err()
        .lines()
        .filter(line -> line.startsWith("bytes of memory"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void windowOfTimeFollowsTheClock() {
    AtomicLong millis = new AtomicLong();
    String[] lines = {"a\n", "a\n", "b\n", "a\n", "a\n"};
    long[] times = {1_000_000, 1_060_000, 1_060_000, 1_120_000, 1_400_000};
    InputStream in =
        new InputStream() {
          private int next;

          @Override
          public int read() {
            throw new AssertionError();
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            if (next == lines.length) {
              return -1;
            }
            millis.set(times[next]);
            byte[] line = lines[next++].getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(line, 0, bytes, offset, line.length);
            return line.length;
          }
        };
    DedupRun run =
        DedupRun.of(in, () -> Instant.ofEpochMilli(millis.get()), "--window=1m", "--items=100");
    assertEquals("a\nb\na\n", run.text(), run.err()); // each repeat refreshed a, until the pause
  }

  @Test
  void windowOfTimeFollowsTheLines() {
    String input = "100,a\n160,a\n220.5,a\n50,a\n60,a\n600,a\n50,a\n1000,a\n";
    DedupRun run =
        DedupRun.of(
            input, "--window=1m", "--items=10", "--fields=2", "--separator=,", "--time-field=1");
    assertEquals("100,a\n600,a\n1000,a\n", run.text().replace("220.5,a\n", ""), run.err());
    assertTrue(run.err().contains("3 lines are earlier than a previous line"), run.err());
  }

  @Test
  void aLineIsNamedWithItsFile(@TempDir Path folder) throws IOException {
    Path first = Files.writeString(folder.resolve("first"), "1,a\n2,b");
    Path second = Files.writeString(folder.resolve("second"), "3,c\n4\n");
    assertEquals(
        "bloom: line 2 of "
            + second
            + " has no field 2; the 3 lines before it are processed (--missing pass continues)",
        CommandRun.fail("", "dedup", "-c", "-f2", "-t,", first, second));
  }

  @Test
  void lineWithoutATimeStopsTheRunOrPasses() {
    String input = "1,a\nsoon,a\n2,a\n1714564800000,b\n";
    String[] options = {
      "--window=1m", "--items=10", "--fields=2", "--separator=,", "--time-field=1", "--missing=pass"
    };
    assertEquals("1,a\nsoon,a\n1714564800000,b\n", dedup(input, options));
    DedupRun run = DedupRun.of(input, Arrays.copyOf(options, 5));
    assertEquals(2, run.exitCode());
    assertTrue(
        run.err().startsWith("bloom: line 2 of standard input has no time in field 1"), run.err());
  }

  @Test
  void summaryIsOneLineOrATable() {
    DedupRun run = DedupRun.of("a\na\nb\n");
    assertTrue(run.err().startsWith("3 lines, 1 dropped, "), run.err());
    assertTrue(run.err().contains("; expected lines wrongly dropped: 0.00"), run.err());
    assertEquals(1, run.err().lines().count());
    String table = DedupRun.of("a\na\nb\n", "--stats").err();
    assertTrue(table.lines().count() > 5, table);
    assertTrue(table.contains("a growing filter"), table);
    String rare = DedupRun.of("a\na\nb\n", "--stats", "--items=9", "--fpp=1e-9").err();
    assertTrue(rare.contains("a classic filter"), rare);
  }

  @Test
  void summaryOfTheRepeatsSaysWhatIsPrinted() {
    String input = "1,a\n2,a\n3\n4,b\n5,a\n";
    DedupRun run = DedupRun.of(input, "-df2", "-t,", "--missing=pass");
    assertEquals("2,a\n5,a\n", run.text());
    assertTrue(
        run.err()
            .startsWith(
                "5 lines, 2 repeats printed, 2 first occurrences not printed, 1 without the field"
                    + " not printed, "),
        run.err());
    assertTrue(
        run.err().contains("; expected first occurrences among the repeats: 0.00"), run.err());
    String counted = DedupRun.of("a\na\nb\n", "-dc").err();
    assertTrue(
        counted.startsWith("3 lines, 1 repeat counted, 2 first occurrences not counted, "),
        counted);
    String table = DedupRun.of("a\na\nb\n", "-d", "--stats").err();
    assertTrue(Pattern.compile("first occurrences not printed +2\n").matcher(table).find(), table);
    assertFalse(table.contains("dropped"), table);
    String warned = DedupRun.of(CommandRun.numbers(0, 50_000), "-d", "--items=100").err();
    assertTrue(warned.contains("were printed as repeats at a rate of up to 100.0 %"), warned);
    assertFalse(warned.contains("dropped"), warned);
  }

  @Test
  void moreLinesThanExpectedAreWarnedOf() {
    String lines = CommandRun.numbers(0, 5000);
    DedupRun run = DedupRun.of(lines, "--items=1000", "--fpp=0.01");
    assertTrue(run.err().contains("raise --items"), run.err());
    DedupRun enough = DedupRun.of(lines, "--items=5000", "--fpp=0.01");
    assertFalse(enough.err().contains("warning"), enough.err());
  }

  /**
   * The number of new lines is unknown if every query of the filter is positive. The lower rate
   * takes a classic filter.
   */
  @ParameterizedTest
  @ValueSource(strings = {"0.01", "1e-9"})
  void filterThatIsFullSaysSo(String fpp) {
    String lines = CommandRun.numbers(0, 50_000);
    DedupRun run = DedupRun.of(lines, "--items=100", "--fpp=" + fpp);
    long dropped = 50_000 - run.text().lines().count();
    assertTrue(dropped > 10_000, run.err());
    String upTo = String.format("; expected lines wrongly dropped: up to %,d", dropped);
    assertTrue(run.err().contains(upTo), run.err());
    assertTrue(run.err().contains("were dropped at a rate of up to 100.0 %"), run.err());
    assertTrue(run.err().contains("raise --items"), run.err());
  }

  /** F is 107 / 0.01 = 10,700, rounded up; the filter is planned for 100 lines. */
  @Test
  void windowWithManyTimesThePlannedLinesKeepsTheFormula() {
    String lines = CommandRun.numbers(0, 5000);
    DedupRun run = DedupRun.of(lines, "--items=100", "--window=1h", "--fpp=0.01");
    long dropped = 5000 - run.text().lines().count();
    double expected = 5000 - 10_700 * (1 - Math.exp(-5000 / 10_700.0));
    assertEquals(expected, (double) dropped, 6 * Math.sqrt(expected));
    assertTrue(run.err().contains("were dropped at a rate of up to 37."), run.err());
    assertTrue(run.err().contains("not 1.000 %; raise --items"), run.err());
    Matcher told =
        Pattern.compile("; expected lines wrongly dropped: ([\\d,.]+)").matcher(run.err());
    assertTrue(told.find(), run.err());
    assertEquals(expected, Double.parseDouble(told.group(1).replace(",", "")), 0.05 * expected);
  }

  @Test
  void windowThatWasTooFullForAWhileIsWarnedOf() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      lines.append("1000,").append(i).append('\n');
    }
    for (int i = 0; i < 20_000; i++) { // one a second and all alike: an hour has few lines
      lines.append(100_000 + 36 * i).append(",a\n");
    }
    String[] options = {
      "--window=1h", "--items=1000", "--fpp=0.01", "--fields=2", "--separator=,", "--time-field=1"
    };
    DedupRun run = DedupRun.of(lines.toString(), options);
    assertTrue(run.err().contains("raise --items"), run.err());
    String few = lines.substring(lines.indexOf("100000,"));
    assertFalse(DedupRun.of(few, options).err().contains("warning"));
  }

  @Test
  void oneLateLineIsToldInTheSingular() {
    DedupRun run =
        DedupRun.of(
            "9,a\n8,b\n",
            "--window=1m",
            "--items=10",
            "--fields=2",
            "--separator=,",
            "--time-field=1");
    assertTrue(run.err().contains("1 line is earlier than a previous line"), run.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--window 0 | must be above 0, got 0",
        "--window 1w | '1w' is neither a number of lines nor a time",
        "--window 99999999999999999999h | does not fit into 64 bits",
        "--window 9000000000000000000d | is too long",
        "--window 99999999999d | '--window': must be at most 2^60 ms, got 99999999999d",
        "--window 1.5 | '1.5' is not a whole number",
        "--window 9000000000000000000 | must be at most 2^60 lines, got 9000000000000000000",
        "--fpp 0 | --fpp must be in (0, 1), got 0.0; 1 % is 0.01 or 1%",
        "--fpp 1e-18 | fpp must be at least",
        "--items 0 | --items must be at least 1, got 0",
        "--items 10 --window 10 | --items has no meaning with a window of lines",
        "-f 0 | '--fields': must list fields from 1 to 65536, each once, such as 1,3 or 1-3, got '0'",
        "-f 1, | got '1,'",
        "-f 1,x | got '1,x'",
        "-f 1,3,1 | got '1,3,1'",
        "-f 1 -f 2 | should be specified only once",
        "--time-field -1 | --time-field must be at least 1, got -1",
        "--time-field 1 | --time-field requires a window of time",
        "--time-field 1 --window 10 | --window is 10",
        "--time-format never | '--time-format'",
        "--time-format us --window 1h | --time-format requires --time-field",
        "--missing perhaps | '--missing'",
        "--missing pass | --missing requires --fields",
        "--separator , | --separator requires --fields",
        "--invert | '--invert'",
      })
  void wrongCommandLineGivesOneLineAndCodeTwo(String arguments, String part) {
    DedupRun run = DedupRun.of("a\n", arguments.split(" "));
    assertEquals("", run.text());
    run.isNoSuccess("bloom: ");
    assertTrue(run.err().contains(part), run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "a\nb"})
  void separatorMustSeparate(String separator) {
    DedupRun.of("a\n", "--fields=1", "--separator", separator).isNoSuccess("bloom: --separator");
  }
}
