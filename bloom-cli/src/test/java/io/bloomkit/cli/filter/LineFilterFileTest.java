package io.bloomkit.cli.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.text.FlatJson;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.DynamicCuckooFilter;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files that the commands refuse to read or to replace. */
class LineFilterFileTest {

  @TempDir private Path folder;

  @Test
  void nothingIsOverwrittenUnlessForced() throws IOException {
    Path file = CommandRun.build(folder, "classic", "a\n");
    byte[] before = Files.readAllBytes(file);
    String message = CommandRun.fail("b\n", "build", "--items", 10, "-o", file);
    assertEquals("bloom: " + file + " already exists; --force replaces it", message);
    CommandRun.fail("", "merge", file, file, "-o", file);
    CommandRun.fail("", "convert", file, "--to", "classic", "-o", file);
    CommandRun.fail("b\n", "add", file, "-o", file);
    assertArrayEquals(before, Files.readAllBytes(file));
    Path other = folder.resolve("other.bloom");
    CommandRun.succeed("b\n", "add", file, "-o", other);
    assertArrayEquals(before, Files.readAllBytes(file));
    assertEquals("a\nb\n", FilterCommandsTest.check(other, "a\nb\n"));
    CommandRun.succeed("b\n", "build", "--items", 10, "--force", "-o", file);
    assertEquals("b\n", FilterCommandsTest.check(file, "a\nb\n"));
    Path lines = Files.writeString(folder.resolve("lines"), "a\n");
    CommandRun.fail("", "build", lines, "-o", lines, "--force");
    assertEquals("a\n", Files.readString(lines));
  }

  /** A pipe stands for devices, which are not to be put at risk by a test. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aDirectoryOrADeviceIsNotReplaced() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertEquals(
        "bloom: cannot write " + pipe + ": it is not a regular file; choose another file",
        CommandRun.fail("b\n", "build", "--items", 9, "--force", "-o", pipe));
    String message = CommandRun.fail("b\n", "build", "--items", 9, "--force", "-o", folder);
    assertTrue(
        message.startsWith("bloom: " + folder + " is a folder with other files; name an empty"),
        message);
    assertFalse(Files.isRegularFile(pipe));
  }

  @Test
  void aPlaceThatIsNoneIsNamed() {
    Path none = folder.resolve("none").resolve("x.bloom");
    assertEquals(
        "bloom: cannot write " + none + ": no such directory: " + none.getParent(),
        CommandRun.fail("b\n", "build", "--items", 9, "-o", none));
    String message = CommandRun.fail("b\n", "build", "--items", 9, "-o", "-");
    assertTrue(message.contains("cannot be written to standard output; name a file"), message);
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aPipeIsNoFileOfAFilter() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    assertEquals(
        "bloom: cannot read " + pipe + ": not a regular file; copy its contents to a regular file",
        CommandRun.fail("a\n", "check", pipe));
  }

  @Test
  void aDamagedFilterNamesByteAndReason() throws IOException {
    Path file = CommandRun.build(folder, "classic", "a\n");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1; // of the checksum of the payload
    Files.write(file, bytes);
    for (String command : List.of("check", "add", "inspect")) {
      CommandRun run = CommandRun.of("a\n", command, file);
      assertEquals(2, run.exitCode());
      assertTrue(run.err().startsWith("bloom: cannot read " + file + ": at byte "), run.err());
      assertEquals(1, run.err().lines().count());
    }
    CommandRun run = CommandRun.of("", "inspect", "--json", file);
    Map<String, String> members = FlatJson.object(run.out());
    assertEquals("\"damaged\"", members.get("checksum"));
    String reason = run.err().strip().replace("bloom: cannot read " + file + ": ", "");
    assertEquals("\"" + reason + "\"", members.get("damage"));
    assertTrue(reason.contains("checksum"), reason);
    assertEquals("\"classic\"", members.get("kind"));
    assertEquals("1", members.get("netInsertions"));
    Files.write(file, new byte[0]);
    String fault = "bloom: cannot read " + file + ": ";
    assertEquals(fault + "it is empty, so it has no filter", CommandRun.fail("a\n", "check", file));
    Files.writeString(file, "no filter at all");
    assertEquals(
        fault + "it is no filter of Bloomkit, Guava, Parquet, Spark or DCSO",
        CommandRun.fail("a\n", "check", file));
    assertEquals(
        "bloom: cannot read " + folder + ": it is a folder without a durable filter",
        CommandRun.fail("a\n", "check", folder));
    assertEquals(
        "bloom: cannot read -: a filter is read from a file, not from standard input",
        CommandRun.fail("a\n", "check", "-"));
    assertEquals(
        "bloom: cannot read nowhere: no such file", CommandRun.fail("a\n", "check", "nowhere"));
  }

  @Test
  void filtersOfTextsAreTakenAndThoseOfAKeyAreOnlyInspected() throws IOException {
    CountingBloomFilter<String> texts =
        CountingBloomFilter.create(HashStrategies.utf8(), 1000, 0.001);
    texts.add("\u00e4");
    Path file = folder.resolve("texts.bloom");
    texts.writeTo(file);
    CommandRun.succeed("b\n", "add", file);
    assertEquals("\u00c3\u00a4\nb\n", FilterCommandsTest.check(file, "\u00c3\u00a4\n\u00e4\nb\n"));
    assertTrue(CountingBloomFilter.readFrom(file, HashStrategies.utf8()).mightContain("b"));

    HashStrategy<byte[]> keyed = HashStrategies.sipHash24(new byte[16]);
    ClassicBloomFilter<byte[]> secret = ClassicBloomFilter.create(keyed, 1000, 0.001);
    secret.add(new byte[] {97});
    file = folder.resolve("secret.bloom");
    secret.writeTo(file);
    for (List<String> command :
        List.of(List.of("check"), List.of("check", "--mapped"), List.of("add"))) {
      assertEquals(
          "bloom: "
              + file
              + " was filled by the strategy siphash24, which bloom does not have: query it by"
              + " contrib/bloomkit.py --key-file or in Java, and update it in Java",
          CommandRun.fail("a\n", Stream.concat(command.stream(), Stream.of(file)).toArray()));
    }
    assertFalse(Files.exists(folder.resolve(".bloom-secret.bloom.lock")));
    Map<String, String> members = CommandRun.inspect(file);
    assertEquals("\"siphash24\"", members.get("strategy"));
    assertEquals("\"right\"", members.get("checksum"));
    assertEquals("null", members.get("damage"));
    assertEquals("1", members.get("approximateElements"));
    assertEquals(String.valueOf(secret.memoryBytes()), members.get("memoryBytes"));
    byte[] bytes = secret.toBytes();
    bytes[bytes.length - 9] ^= 1;
    Files.write(file, bytes);
    CommandRun damaged = CommandRun.of("", "inspect", "--json", file);
    assertEquals(2, damaged.exitCode());
    assertEquals("\"damaged\"", FlatJson.object(damaged.out()).get("checksum"));
  }

  @Test
  void aFilterOfNumbersTakesDecimalLines() throws IOException {
    for (LongHashStrategy longs :
        List.of(HashStrategies.longs(), HashStrategies.longs(HashStrategies.bytes()))) {
      DynamicCuckooFilter<Long> ids = DynamicCuckooFilter.create(longs, 10_000_000, 1e-6);
      ids.addLong(7);
      ids.addLong(-8);
      Path file = folder.resolve("ids.bloom");
      ids.writeTo(file);
      Map<String, String> members = CommandRun.inspect(file);
      assertEquals("2", members.get("netInsertions"));
      assertEquals("\"" + longs.id() + "\"", members.get("strategy"));
      assertEquals("7\n-8\n", FilterCommandsTest.check(file, "7\n8\n-8\n"));
      CommandRun.succeed("9\n9\n" + Long.MIN_VALUE + "\n", "add", file);
      CommandRun.succeed("7\n", "remove", file);
      assertEquals("0\t7\n1\t-8\n2\t9\n", CommandRun.succeed("7\n-8\n9\n", "count", file).text());
      DynamicCuckooFilter<Long> read = DynamicCuckooFilter.readFrom(file, longs);
      assertTrue(read.mightContainLong(9) && read.mightContainLong(Long.MIN_VALUE));
      assertFalse(read.mightContainLong(7));

      String refusal =
          "bloom: line 1 of standard input: '9x' is not a value of type int64, a decimal integer";
      assertEquals(refusal, CommandRun.fail("9x\n", "check", file));
      assertEquals(refusal.replace("line 1", "line 2"), CommandRun.fail("9\n9x\n", "add", file));
      assertEquals(refusal, CommandRun.fail("9x\n", "remove", file));
      assertEquals(
          "bloom: leave out --type for " + file + "; --type is for filters of Parquet and Spark",
          CommandRun.fail("9\n", "check", file, "--type", "int64"));
    }
  }

  @Test
  void aFilterOfNumbersIsBuiltForJava() throws IOException {
    for (FilterKind installed : FilterKind.installed()) {
      String kind = installed.label();
      Path file = CommandRun.build(folder, kind, "5\n-6\n", "--strategy", "longs");
      assertEquals("5\n-6\n", FilterCommandsTest.check(file, "5\n6\n-6\n"), kind);
      try (InputStream in = Files.newInputStream(file)) {
        assertTrue(installed.readFrom(in, HashStrategies.longs()).mightContainLong(-6), kind);
      }
    }
    Path full = folder.resolve("full");
    CommandRun.succeed(
        CommandRun.numbers(0, 99),
        "build",
        "--kind=classic",
        "--items=99",
        "--strategy=longs",
        "-o",
        full);
    assertEquals("98\n", CommandRun.succeed("98\n400\n", "check", "--mapped", full).text());
    Path classic = folder.resolve("classic.bloom");
    Path lines = CommandRun.build(Files.createDirectory(folder.resolve("lines")), "classic", "5\n");
    assertEquals(
        "bloom: cannot merge: "
            + classic
            + " was filled with --strategy longs, "
            + lines
            + " with --strategy bytes: build both with one strategy",
        CommandRun.fail("", "merge", classic, lines, "-o", folder.resolve("union")));
    assertEquals(
        "bloom: --strategy longs requires a kind whose file names the strategy, but spark-v1 files"
            + " do not; leave out --kind or --strategy",
        CommandRun.fail(
            "5\n",
            "build",
            "--kind=spark-v1",
            "--strategy=longs",
            "--items=9",
            "-o",
            folder.resolve("no")));
  }

  @Test
  void filtersOfAnyStrategyAreCombinedAndConverted() throws IOException {
    HashStrategy<Integer> ints = HashStrategies.ints();
    CountingBloomFilter<Integer> odd = CountingBloomFilter.create(ints, 1000, 1e-6);
    CountingBloomFilter<Integer> even = CountingBloomFilter.create(ints, 1000, 1e-6);
    odd.add(1);
    even.add(2);
    Path one = folder.resolve("odd.bloom");
    Path two = folder.resolve("even.bloom");
    odd.writeTo(one);
    even.writeTo(two);
    Path union = folder.resolve("union.bloom");
    CommandRun.succeed("", "merge", one, two, "-o", union);
    Path left = folder.resolve("left.bloom");
    CommandRun.succeed("", "subtract", union, two, "-o", left);
    assertEquals(odd, CountingBloomFilter.readFrom(left, ints));
    Path bits = folder.resolve("bits.bloom");
    CommandRun.succeed("", "convert", "--to", "classic", union, "-o", bits);
    CommandRun.succeed("", "intersect", bits, bits, "-o", left, "--force");
    assertTrue(ClassicBloomFilter.readFrom(left, ints).mightContain(2));
    CommandRun.succeed("", "inspect", left, "--plot", folder.resolve("plot.png"));

    Path longs = folder.resolve("longs.bloom");
    CountingBloomFilter.create(HashStrategies.longs(), 1000, 1e-6).writeTo(longs);
    assertEquals(
        "bloom: cannot merge: "
            + one
            + " was filled with the strategy ints(rrmxmx), "
            + longs
            + " with --strategy longs: build both with one strategy",
        CommandRun.fail("", "merge", one, longs, "-o", folder.resolve("no")));
    HashStrategy<byte[]> firstKey = HashStrategies.sipHash24(new byte[16]);
    HashStrategy<byte[]> otherKey = HashStrategies.sipHash24("sixteen bytes of".getBytes(UTF_8));
    CountingBloomFilter.create(firstKey, 1000, 1e-6).writeTo(one);
    CountingBloomFilter.create(otherKey, 1000, 1e-6).writeTo(two);
    assertEquals(
        "bloom: cannot merge: "
            + one
            + " was filled with the strategy "
            + StrategyIdentity.of(firstKey)
            + ", "
            + two
            + " with the strategy "
            + StrategyIdentity.of(otherKey)
            + ": build both with one strategy",
        CommandRun.fail("", "merge", one, two, "-o", folder.resolve("no")));
  }

  @Test
  void anotherFunctionUnderAKnownIdIsNamedWithItsFingerprint() throws IOException {
    Path file = folder.resolve("other.bloom");
    HashStrategy<String> other = HashStrategy.of("longs(rrmxmx)", text -> 1, "a");
    ClassicBloomFilter.create(other, 10, 0.1).writeTo(file);
    assertEquals(
        "bloom: "
            + file
            + " was filled by the strategy "
            + StrategyIdentity.of(other)
            + ", which bloom does not have: query and update it in Java",
        CommandRun.fail("1\n", "count", file));
    assertEquals("\"right\"", CommandRun.inspect(file).get("checksum"));
  }

  @Test
  void aPictureReplacesNoFileWithoutForce() throws IOException {
    Path file = CommandRun.build(folder, "classic", "a\nb\n");
    byte[] before = Files.readAllBytes(file);
    String message = CommandRun.fail("", "inspect", file, "--plot", file);
    assertEquals("bloom: " + file + " already exists; --force replaces it", message);
    message = CommandRun.fail("", "inspect", file, "--plot", file, "--force");
    assertTrue(
        message.endsWith("it exists and is not a PNG picture; choose another file"), message);
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void aParquetFileIsRefusedWithTheCommandThatReadsIt(@TempDir Path directory) throws IOException {
    Path file = Files.write(directory.resolve("a.parquet"), "PAR1 and more".getBytes(UTF_8));
    for (String command : List.of("check", "inspect", "count")) {
      CommandRun run = CommandRun.of("", command, file);
      assertEquals(
          "bloom: cannot read "
              + file
              + ": this is a Parquet file, whose filters Parquet's own command queries: parquet"
              + " bloom-filter -c COLUMN -v VALUE "
              + file
              + "\n",
          run.err());
      assertEquals(2, run.exitCode());
    }
  }
}
