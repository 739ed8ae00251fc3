package io.bloomkit.cli.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.CommandRun;
import io.bloomkit.hash.HashStrategies;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several filters, several inputs, records that end with NUL, and filters that are mapped. */
class CheckCommandTest {

  @TempDir private Path folder;

  private Path write(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void severalFiltersTellWhichOfThemHoldsALine() {
    Path a = CommandRun.build(folder, "classic", "ann\nbob\n");
    Path b = CommandRun.build(folder, "counting", "bob\neve\n");
    String input = "ann\nbob\ndan\neve";
    Object[] both = {"check", a, "--also", b};
    assertEquals(
        a + "\tann\n" + a + "\tbob\n" + b + "\tbob\n" + b + "\teve",
        CommandRun.succeed(input, both).text());
    assertEquals("dan\n", CommandRun.succeed(input, "check", "-v", a, "--also", b).text());
    assertEquals(
        a + "\t2\n" + b + "\t2\n", CommandRun.succeed(input, "check", "-c", a, "--also", b).text());
    assertEquals("1\n", CommandRun.succeed(input, "check", "-cv", a, "--also", b).text());
    assertEquals(
        b + "\t4:eve", CommandRun.succeed("\n\n\neve", "check", "-n", a, "--also", b).text());
    assertEquals(1, CommandRun.of("dan\n", both).exitCode());
    assertEquals(
        a + "\tbob\n" + b + "\tbob", CommandRun.succeed("bob", both).text()); // one line, twice
  }

  @Test
  void anInputThatIsAFilterIsRefused() throws Exception {
    Path n = CommandRun.build(folder, "counting", "ann\n");
    for (String kind : List.of("classic", "guava", "dcso", "spark-v1", "spark-v2", "parquet")) {
      Path m = CommandRun.build(folder, kind, "bob\n");
      String is = "bloom: " + m + " is a filter, not lines; ";
      assertEquals(
          is + "the filter comes first, and --also " + m + " queries another one",
          CommandRun.fail("", "check", n, m));
      assertEquals(
          is + "the filter comes first; to add what another holds, use bloom merge",
          CommandRun.fail("", "add", n, m));
      assertEquals(
          is + "the filter comes first; to remove what another holds, use bloom subtract",
          CommandRun.fail("", "remove", n, m));
      assertEquals(
          is + "bloom count takes one filter, which comes first",
          CommandRun.fail("", "count", n, m));
      assertEquals(
          is + "to unite filters, use bloom merge",
          CommandRun.fail("", "build", "-o", folder.resolve("new"), m));
      assertEquals(is + "bloom check queries it", CommandRun.fail("", "dedup", m));
    }
  }

  /** Names with NUL bytes can begin as a file of Guava, DCSO or Spark does. */
  @Test
  void linesThatOnlyBeginAsAFilterAreLines() throws Exception {
    Path n = CommandRun.build(folder, "classic", "ann\n");
    for (String start : List.of("\0", "\1", "\1\0\0\0", "\0\0\0\1", "\0\0\0\2", "\25", "PAR1")) {
      Path names = write("names", start + "\0ann\0");
      assertEquals("ann\0", CommandRun.succeed("", "check", "-z", n, names).text(), start);
    }
  }

  @Test
  void severalInputsAreNamedAsGrepDoes() throws Exception {
    Path filter = CommandRun.build(folder, "classic", "ann\nbob\n");
    Path x = write("x", "eve\nann");
    Path y = write("y", "bob\n");
    assertEquals(x + ":ann\n" + y + ":bob\n", CommandRun.succeed("", "check", filter, x, y).text());
    assertEquals(
        x + ":2:ann\nstandard input:1:bob\n",
        CommandRun.succeed("bob\n", "check", "-n", filter, x, "-").text());
    assertEquals(
        "ann\nbob\n", CommandRun.succeed("", "check", "--no-filename", filter, x, y).text());
    assertEquals(
        x + ":1\n" + y + ":1\n", CommandRun.succeed("", "check", "-c", filter, x, y).text());
    assertEquals("", CommandRun.succeed("", "check", "-q", filter, x, "/no/such").text());
    Path other = CommandRun.build(folder, "blocked", "bob\n");
    assertEquals(
        filter + "\t" + x + ":1\n" + other + "\t" + x + ":0\n" + filter + "\t" + y + ":1\n" + other
            + "\t" + y + ":1\n",
        CommandRun.succeed("", "check", "-c", "--also", other, filter, x, y).text());
  }

  @Test
  void theOtherCommandsReadFilesOneAfterAnother() throws Exception {
    Path x = write("x", "ann\nbob");
    Path y = write("y", "bob\neve");
    Path filter = folder.resolve("f.bloom");
    CommandRun built = CommandRun.succeed("", "build", "--kind=counting", "-o", filter, x, y);
    assertTrue(
        built.err().startsWith("counted 4 lines of the 2 files; reading it again"), built.err());
    assertEquals("1\tann\n2\tbob", CommandRun.succeed("", "count", filter, x).text());
    CommandRun.succeed("", "add", filter, x, y);
    CommandRun.succeed("", "remove", filter, y, y);
    assertEquals(
        "2\tann\n2\tbob\n0\teve", CommandRun.succeed("ann\nbob\neve", "count", filter).text());
    assertEquals("ann\nbob\neve", CommandRun.succeed("", "dedup", x, y).text());
    assertEquals(
        "bloom: line 1 of "
            + y
            + " has no field 2 (tabs separate fields, see -t; --missing pass continues)",
        CommandRun.fail("", "build", "--force", "-f2", "-o", filter, write("t", "a\tb\nc\td"), y));
    String notUtf8 =
        CommandRun.fail(
            "",
            "build",
            "--strategy=utf8",
            "--force",
            "-o",
            filter,
            x,
            y,
            write("z", "a\n\u00e9"),
            Files.write(folder.resolve("w"), new byte[] {'a', '\n', 'b', '\n', (byte) 0xe9}));
    assertTrue(notUtf8.startsWith("bloom: line 3 of " + folder.resolve("w") + ": "), notUtf8);
    assertEquals(
        "bloom: cannot read " + folder + " (Is a directory)",
        CommandRun.fail("", "build", "--items=9", "--force", "-o", filter, x, folder));
  }

  /** Whether the command would read lines twice, or count them first, makes no difference. */
  @ParameterizedTest
  @ValueSource(
      strings = {"dedup", "dedup -u", "dedup --exact", "build -o %s", "build --kind=classic -o %s"})
  void inputsThatCannotBeReadAreNamed(String command) throws Exception {
    Path out = folder.resolve("out");
    String[] words = command.formatted(out).split(" ");
    Path durable = Files.createDirectory(folder.resolve("durable"));
    CommandRun.succeed("a\n", "build", "-o", durable);
    Path zipped = folder.resolve("filter.gz");
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(zipped))) {
      Files.copy(CommandRun.build(folder, "classic", "a\n"), gzip);
    }
    assertEquals("bloom: cannot read " + folder + " (Is a directory)", failure(words, folder));
    assertTrue(
        failure(words, folder.resolve("no")).contains("cannot read " + folder + "/no (No such"));
    for (Path filter : List.of(durable, zipped)) {
      String message = failure(words, filter);
      assertTrue(message.startsWith("bloom: " + filter + " is a filter, not lines; "), message);
    }
    assertFalse(Files.exists(out));
  }

  private static String failure(String[] words, Path input) {
    return CommandRun.fail("", Stream.concat(Stream.of(words), Stream.of(input)).toArray());
  }

  @Test
  void recordsMayEndWithNul() throws Exception {
    Path filter = folder.resolve("f.bloom");
    CommandRun.succeed("a b\0c\nd\0", "build", "--items=9", "-z", "-o", filter);
    assertEquals("c\nd\0a b", CommandRun.succeed("x\0c\nd\0a b", "check", "-z", filter).text());
    assertEquals("1:a b\0", CommandRun.succeed("a b\0x\0", "check", "-zn", filter).text());
    assertEquals("1\ta b\0", CommandRun.succeed("a b\0", "count", "-z", filter).text());
    assertEquals("1\n", CommandRun.succeed("a b\0x\0", "check", "-zc", filter).text());
    CommandRun.succeed("a b\0", "remove", "-z", filter);
    CommandRun.succeed("x\r\0", "add", "-z", "-f1", filter);
    assertEquals("x\r\0", CommandRun.succeed("a b\0x\r\0x\0", "check", "-z", filter).text());
    assertEquals("a\nb\0c\0", CommandRun.succeed("a\nb\0c\0a\nb\0", "dedup", "-z").text());
    assertEquals("a\nb\0", CommandRun.succeed("a\nb\0a\nc\0", "dedup", "-z", "-f1", "-t\n").text());
    assertEquals(
        "bloom: --separator must have no line feed, which ends a line without -z, got '",
        CommandRun.of("", "dedup", "-f1", "-t\n").err().lines().findFirst().orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({"classic, bytes", "classic, utf8", "blocked, utf8", "guava, bytes"})
  void mappedFiltersGiveTheSameAnswers(String kind, String strategy) {
    String lines = CommandRun.numbers(0, 2000);
    String stored = lines.substring(0, lines.indexOf("1000\n"));
    Path filter = CommandRun.build(folder, kind, stored, "--strategy", strategy);
    String expected = CommandRun.succeed(lines, "check", filter).text();
    assertTrue(expected.startsWith(stored));
    assertEquals(expected, CommandRun.succeed(lines, "check", "--mapped", filter).text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"counting", "bloomkit-guava", "spark-v2"})
  void kindsThatCannotBeMappedAreNamed(String kind) {
    Path filter = CommandRun.build(folder, kind, "a\n");
    assertEquals(
        "bloom: cannot map "
            + filter
            + ", a "
            + kind
            + " filter: only classic, blocked and guava files; leave out --mapped",
        CommandRun.fail("a\n", "check", "--mapped", filter));
  }

  @Test
  void standardInputIsReadOnce() {
    Path filter = CommandRun.build(folder, "classic", "a\n");
    assertEquals(
        "bloom: standard input can be read only once, but - is given 2 times",
        CommandRun.fail("a\n", "check", filter, "-", "-"));
  }

  @Test
  void aLineThatCannotBeSplitIsNamed() {
    Path filter = CommandRun.build(folder, "classic", "a\n");
    assertEquals(
        "bloom: line 2 of standard input has a tab, but those before it have none, so blanks"
            + " separate fields; give -t '\\t' or -t '/[ \\t]+/'",
        CommandRun.fail("x y\nx\ty\n", "check", filter, "-f2"));
  }

  @Test
  void compressedBitsAreNotMappedAndDamageInTheLengthIsFound() throws Exception {
    Path few = CommandRun.build(folder, "classic", "a\n");
    assertEquals(
        "bloom: cannot map "
            + few
            + ": its bits are compressed, as few are set; leave out --mapped, or build it with"
            + " --uncompressed",
        CommandRun.fail("a\n", "check", "--mapped", few));
    ClassicBloomFilter<byte[]> filter =
        ClassicBloomFilter.create(HashStrategies.bytes(), 1000, 0.01);
    filter.add(new byte[] {'a'});
    Path mappable = folder.resolve("mappable.bloom");
    filter.writeMappableTo(mappable);
    assertEquals("a\n", CommandRun.succeed("a\nb\n", "check", "--mapped", mappable).text());
    byte[] bytes = Files.readAllBytes(mappable);
    int length = bytes.length;
    Path shorter = folder.resolve("shorter.bloom");
    Files.write(shorter, Arrays.copyOf(bytes, length - 1));
    assertEquals(
        List.of(
            "bloom: cannot read "
                + shorter
                + ": at byte "
                + (length - 1)
                + ": the file has "
                + (length - 1)
                + " bytes but its header says that it has "
                + length),
        CommandRun.fail("a\n", "check", "--mapped", shorter).lines().toList());
  }

  /** A page beyond the end of a file that was truncated is not there. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aMappedFileThatIsTruncatedMeanwhileIsNamed() throws Exception {
    Path filter = folder.resolve("large.bloom");
    ClassicBloomFilter.create(HashStrategies.bytes(), 100_000, 0.01).writeMappableTo(filter);
    byte[] numbers = CommandRun.numbers(0, 2000).getBytes(UTF_8);
    InputStream lines =
        new FilterInputStream(new ByteArrayInputStream(numbers)) {
          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            truncate(filter);
            return super.read(bytes, offset, length);
          }
        };
    CommandRun run =
        CommandRun.of(
            CommandRun.streams(lines, new ByteArrayOutputStream()), "check", "--mapped", filter);
    assertEquals(2, run.exitCode(), run.err());
    assertEquals("", run.text());
    assertEquals(
        "bloom: cannot read " + filter + ": it was truncated while it was mapped",
        run.err().strip());
  }

  private static void truncate(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(100);
    }
  }

  @Test
  void anUncompressedFileCanBeMappedAndStaysSo() {
    for (String kind : List.of("classic", "blocked")) {
      Path file = CommandRun.build(folder, kind, "ann\n", "--uncompressed");
      assertEquals("ann\n", CommandRun.succeed("ann\neve\n", "check", "--mapped", file).text());
      CommandRun.succeed("eve\n", "add", file);
      assertEquals("eve", CommandRun.succeed("eve", "check", "--mapped", file).text());
      Path other = folder.resolve("other");
      CommandRun.succeed(
          "",
          "merge",
          "--uncompressed",
          "--force",
          file,
          CommandRun.build(folder, kind, "bob\n"),
          "-o",
          other);
      assertEquals("bob", CommandRun.succeed("bob", "check", "--mapped", other).text());
    }
    Path counting = CommandRun.build(folder, "counting", "ann\n");
    Path converted = folder.resolve("converted");
    CommandRun.succeed("", "convert", "--to=classic", "--uncompressed", counting, "-o", converted);
    assertEquals("ann", CommandRun.succeed("ann", "check", "--mapped", converted).text());
    String err =
        CommandRun.fail(
            "ann\n",
            "build",
            "--kind=counting",
            "--items=9",
            "--uncompressed",
            "-o",
            folder.resolve("c"));
    assertEquals(
        "bloom: --uncompressed is for filters that can be mapped, classic and blocked ones, not for"
            + " a counting filter",
        err);
  }
}
