package io.bloomkit.cli.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.chart.Charts;
import io.bloomkit.hash.HashStrategies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that create, query and change files of filters. */
class FilterCommandsTest {

  @TempDir private Path folder;

  private static List<FileKind> kinds() {
    return FileKind.all();
  }

  static String check(Path filter, String lines, Object... options) {
    CommandRun run = checked(filter, lines, options);
    assertTrue(run.exitCode() < 2, run.err());
    return run.text();
  }

  static CommandRun checked(Path filter, String lines, Object... options) {
    return CommandRun.of(
        lines, Stream.concat(Stream.of("check", filter), Stream.of(options)).toArray());
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyVariantHoldsWhatWasBuiltAndAdded(FileKind kind) {
    Path file = CommandRun.build(folder, kind.toString(), "a\nb\n\nlast");
    assertEquals("b\nlast\n\n", check(file, "b\nc\nlast\n\n"));
    CommandRun add = CommandRun.succeed("c\nd\n", "add", file);
    assertTrue(add.err().contains("2 lines added, 2 of them certainly new"), add.err());
    assertEquals("a\nb\nc\nd", check(file, "a\nx\nb\nc\ny\nd"));
    Map<String, String> members = CommandRun.inspect(file);
    assertEquals("\"" + kind + "\"", members.get("kind"));
    boolean hasChecksum = kind != FileKind.GUAVA && kind != FileKind.DCSO && kind.recordsType();
    assertEquals(hasChecksum ? "\"right\"" : "\"none\"", members.get("checksum"));
    assertEquals("null", members.get("damage"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"counting", "dynamic-cuckoo"})
  void removedLinesAreGoneAndOthersStay(String variant) {
    Path file = CommandRun.build(folder, variant, "a\nb\nb\nc\n");
    CommandRun remove = CommandRun.succeed("b\nc\nx\n", "remove", file);
    assertTrue(remove.err().contains("2 lines removed, 1 absent"), remove.err());
    assertEquals("a\nb\n", check(file, "a\nb\nc\n"));
    CommandRun.succeed("b\na\n", "remove", file);
    assertEquals(1, checked(file, "a\nb\nc\n").exitCode());
    Map<String, String> members = CommandRun.inspect(file);
    assertEquals("0", members.get("netInsertions"));
    assertEquals("0.0", members.get("expectedFpp"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "guava"})
  void nothingIsRemovedFromAFilterThatCannot(String variant) throws IOException {
    Path file = CommandRun.build(folder, variant, "a\nb\n");
    byte[] before = Files.readAllBytes(file);
    String message = CommandRun.fail("a\n", "remove", file);
    assertEquals(
        "bloom: cannot remove lines from a "
            + variant
            + " filter; build a new filter from the remaining lines, with --kind counting or"
            + " blocked-counting or cuckoo or dynamic-cuckoo for later"
            + " removals",
        message);
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void aFilterOfAWindowOfTimeForgetsWhileItIsInItsFile() throws Exception {
    Path file = folder.resolve("window.bloom");
    CommandRun build =
        CommandRun.succeed("a\nb\n", "build", "--window", "150ms", "--items", 99, "-o", file);
    assertTrue(build.err().contains(": expiring-cuckoo, 2 lines added, 2 of them"), build.err());
    Path long1 = folder.resolve("long.bloom");
    CommandRun.succeed("a\nb\n", "build", "--window", "1d", "--items", 99, "-o", long1);
    TimeUnit.MILLISECONDS.sleep(170);
    assertEquals(1, checked(file, "a\nb\n").exitCode());
    CommandRun.succeed("c\n", "add", file);
    assertEquals(1, checked(file, "a\nb\n").exitCode());
    assertEquals("a\nb\n", check(long1, "a\nb\nc\n"));
  }

  @Test
  void aFilterOfAWindowOfLinesForgetsByAdditions() {
    Path file = folder.resolve("window.bloom");
    CommandRun.succeed("a\nb\n", "build", "--window", 30, "--fpp", 1e-9, "-o", file);
    String more = CommandRun.numbers(0, 29);
    CommandRun.succeed(more, "add", file);
    assertEquals("a\nb\n0\n", check(file, "a\nb\n0\nx\n"));
    CommandRun.succeed("29\n30\n", "add", file);
    assertEquals("0\n", check(file, "a\nb\n0\n"));
  }

  @Test
  void aLineOfAWindowIsRemovedHoweverOftenItWasAddedAndItsFiltersMerge() {
    Path file = CommandRun.build(folder, "expiring-cuckoo", "a\nb\nb\n");
    CommandRun remove = CommandRun.succeed("b\nx\n", "remove", file);
    assertTrue(remove.err().contains("1 line removed, 1 absent"), remove.err());
    assertEquals("a\n", check(file, "a\nb\n"));
    Path other = folder.resolve("other.bloom");
    CommandRun.succeed(
        "c\n", "build", "--window", "1h", "--items", 1000, "--fpp", 0.0001, "-o", other);
    Path merged = folder.resolve("merged.bloom");
    CommandRun.succeed("", "merge", file, other, "-o", merged);
    assertEquals("a\nc\n", check(merged, "a\nb\nc\n"));
    Path shorter = folder.resolve("shorter.bloom");
    CommandRun.succeed(
        "c\n", "build", "--window", "1m", "--items", 1000, "--fpp", 0.0001, "-o", shorter);
    String message = CommandRun.fail("", "merge", file, shorter, "-o", merged, "--force");
    assertEquals(
        "bloom: cannot merge: "
            + file
            + " was built with --window 1h, "
            + shorter
            + " with --window 1m: build both with the same --window",
        message);
    Path lines = folder.resolve("lines.bloom");
    CommandRun.succeed("c\n", "build", "--window", "1000", "--fpp", 0.0001, "-o", lines);
    assertEquals(
        "bloom: cannot merge: "
            + lines
            + " was built with --window 1000, "
            + shorter
            + " with --window 1m: build both with the same --window",
        CommandRun.fail("", "merge", lines, shorter, "-o", merged, "--force"));
  }

  @Test
  void inspectTellsTheWindow() {
    Path file = CommandRun.build(folder, "expiring-cuckoo", "a\nb\nb\n");
    CommandRun table = CommandRun.succeed("", "inspect", file);
    assertTrue(
        table.out().lines().anyMatch(line -> line.matches("time to live millis +3,600,000")),
        table.out());
    Map<String, String> members = CommandRun.inspect(file);
    assertEquals("3600000", members.get("timeToLiveMillis"));
    assertEquals("2", members.get("distinctFingerprints"));
    assertEquals("null", members.get("netInsertions"));
    assertEquals("1000", members.get("plannedElements"));
    CommandRun.succeed("a\n", "build", "--window", 30, "--force", "-o", file);
    members = CommandRun.inspect(file);
    assertEquals("30", members.get("windowInsertions"));
    assertEquals("30", members.get("plannedElements"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--kind classic --window 1h --items 9 | --window requires --kind expiring-cuckoo, since"
            + " classic filters do not forget lines; leave out --kind or --window",
        "--kind expiring-cuckoo --items 9 | --kind expiring-cuckoo requires a window, such as"
            + " --window 1h",
        "--window 50 --items 9 | --items has no meaning with a window of lines, but --window is 50",
      })
  void windowsThatDoNotFitAreRefused(String options, String message) {
    Path file = folder.resolve("none.bloom");
    Stream<String> arguments = Stream.of(("build -o " + file + " " + options).split(" "));
    assertEquals("bloom: " + message, CommandRun.fail("a\n", arguments.toArray()));
    assertFalse(Files.exists(file));
  }

  @Test
  void aWindowOfTimeNeedsNoNumberOfLines() throws IOException {
    Path lines = Files.writeString(folder.resolve("lines.txt"), "a\nb\nc\n");
    Path ofFile = folder.resolve("file.bloom");
    Path ofPipe = folder.resolve("pipe.bloom");
    CommandRun.succeed("", "build", lines, "--window", "1h", "-o", ofFile);
    CommandRun.succeed("d\n", "build", "--window", "1h", "-o", ofPipe);
    Map<String, String> members = CommandRun.inspect(ofFile);
    assertEquals("100000000", members.get("plannedElements"));
    assertEquals("\"expiring-cuckoo\"", members.get("kind"));
    Path merged = folder.resolve("merged.bloom");
    CommandRun.succeed("", "merge", ofFile, ofPipe, "-o", merged);
    assertEquals("a\nd\n", check(merged, "a\nd\nx\n"));
  }

  @Test
  void checkEndsAsGrepDoes() {
    Path file = CommandRun.build(folder, "classic", "a\nb\n");
    assertEquals(new CommandRun(0, "a\n", "", ""), checked(file, "a\nx\n"));
    assertEquals(new CommandRun(1, "", "", ""), checked(file, "x\ny\n"));
    assertEquals(new CommandRun(1, "", "", ""), checked(file, ""));
    assertEquals(new CommandRun(0, "x\n", "", ""), checked(file, "a\nx\n", "-v"));
    assertEquals(new CommandRun(1, "", "", ""), checked(file, "a\nb\n", "-v"));
    assertEquals(new CommandRun(0, "2\n", "", ""), checked(file, "a\nx\nb\n", "-c"));
    assertEquals(new CommandRun(0, "1\n", "", ""), checked(file, "a\nx\nb\n", "-c", "-v"));
    assertEquals(new CommandRun(1, "0\n", "", ""), checked(file, "x\n", "-c"));
    assertEquals(new CommandRun(0, "1:a\n3:b", "", ""), checked(file, "a\nx\nb", "-n"));
    assertEquals(new CommandRun(0, "2:x\n", "", ""), checked(file, "a\nx\nb\n", "-vn"));
    assertEquals(new CommandRun(0, "2\n", "", ""), checked(file, "a\nx\nb\n", "-cn"));
    assertEquals(new CommandRun(0, "", "", ""), checked(file, "x\na\n", "-q"));
    assertEquals(new CommandRun(0, "", "", ""), checked(file, "x\na\n", "-qcn"));
    assertEquals(new CommandRun(1, "", "", ""), checked(file, "x\n", "-q"));
    assertEquals(new CommandRun(0, "", "", ""), checked(file, "x\n", "-qv"));
    Map.of("-v", "--invert-match", "-c", "--count", "-n", "--line-number", "-q", "--quiet")
        .forEach(
            (shortName, longName) ->
                assertEquals(
                    checked(file, "a\nx\n", shortName), checked(file, "a\nx\n", longName)));
    assertEquals(2, checked(file, "a\n", "--invert").exitCode());
    assertEquals(2, checked(folder.resolve("none"), "x\n").exitCode());
    assertEquals(2, checked(file, "x\n", "no such file").exitCode());
    assertEquals(2, checked(file, "x\n", "--nonsense").exitCode());
  }

  /** As of grep -q, what follows the first selected line does not matter. */
  @Test
  void aQuietCheckEndsAtTheFirstSelectedLine() throws IOException {
    Path file = CommandRun.build(folder, "classic", "1\ta\n", "-f2");
    String lackingAField = "1\tx\n1\ta\n2\n";
    assertEquals(new CommandRun(0, "", "", ""), checked(file, lackingAField, "-q", "-f2"));
    assertEquals(2, checked(file, lackingAField, "-f2").exitCode());
    byte[] packed = gzip("a\n".repeat(500_000));
    Path cut = Files.write(folder.resolve("cut.gz"), Arrays.copyOf(packed, packed.length - 9));
    assertEquals(0, CommandRun.of("", "check", "-q", file, cut).exitCode());
    assertEquals(2, CommandRun.of("", "check", "-qv", file, cut).exitCode());
  }

  @Test
  void linesAreBytes() throws IOException {
    String latin = "caf\u00e9\n\u00ff\u00fe\u0000x\n\u00c3\u00a9\r\nlast"; // a byte each
    Path file = CommandRun.build(folder, "classic", latin);
    assertEquals(latin, check(file, latin));
    assertEquals(
        "caf\u00c3\u00a9\n\u00c3\u00a9\n", check(file, "caf\u00c3\u00a9\n\u00c3\u00a9\n", "-v"));
    assertEquals("last\r\n", check(file, "last\r\n\u00c3\u00a9\r\n", "-v"));
  }

  @Test
  void severalFieldsAreOneElementAsCutPrintsThem() {
    Path file =
        CommandRun.build(folder, "classic", "1,x,a\r\n2,y,b\n", "-f", "3,1", "--separator", ",");
    assertEquals("a,1\nb,2\n", check(file, "a,1\n1,a\nb,2\n"));
    assertEquals("a,q,1\n", check(file, "a,q,1\n1,q,a\n", "-t,", "--fields=1,3"));
    CommandRun lacking = checked(file, "a,1\n2,y\n", "-t,", "-f2,3");
    assertEquals(2, lacking.exitCode());
    assertEquals(
        "bloom: line 1 of standard input has no field 3 (--missing pass continues)",
        lacking.err().strip());
  }

  @Test
  void aLineWithoutItsFieldStopsTheRunOrIsNotInTheSet() throws IOException {
    Path file = CommandRun.build(folder, "classic", "a\n");
    CommandRun stopped = checked(file, "1\ta\n2\n3\ta\n", "--fields", "2");
    assertEquals(2, stopped.exitCode());
    assertEquals("1\ta\n", stopped.text());
    assertEquals(
        "bloom: line 2 of standard input has no field 2 (tabs separate fields, see -t; --missing"
            + " pass continues)",
        stopped.err().strip());
    String[] pass = {"--fields", "2", "--missing", "pass"};
    assertEquals("1\ta\n3\ta\n", check(file, "1\ta\n2\n3\ta\n", (Object[]) pass));
    assertEquals("2\n", check(file, "1\ta\n2\n3\ta\n", "-v", pass[0], pass[1], pass[2], pass[3]));
    byte[] before = Files.readAllBytes(file);
    CommandRun.fail("1\tb\n2\n", "add", file, "--fields", "2");
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void packedLinesAreUnpacked() throws IOException {
    Path packed = folder.resolve("lines.gz");
    Files.write(packed, gzip("a\nb\n"));
    Path file = folder.resolve("g.bloom");
    CommandRun build = CommandRun.succeed("", "build", "--kind=classic", packed, "-o", file);
    assertTrue(build.err().contains("counted 2 lines of " + packed), build.err());
    assertEquals("b\n", CommandRun.of("", "check", file, gzipped("b\nc\n")).text());
    byte[] damaged = gzip("c\nd\n");
    damaged[damaged.length - 6] ^= 1; // of the checksum
    Path bad = Files.write(folder.resolve("bad.gz"), damaged);
    byte[] before = Files.readAllBytes(file);
    assertTrue(CommandRun.fail("", "add", file, bad).contains("cannot read " + bad));
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  private Path gzipped(String text) throws IOException {
    return Files.write(folder.resolve("queried.gz"), gzip(text));
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream packed = new GZIPOutputStream(bytes)) {
      packed.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    return bytes.toByteArray();
  }

  @Test
  void aHyphenIsStandardInputInEveryCommand() {
    Path file = folder.resolve("hyphen.bloom");
    CommandRun.succeed("a\n", "build", "-", "--kind", "counting", "--items", 9, "-o", file);
    CommandRun.succeed("b\nc\n", "add", file, "-");
    CommandRun.succeed("a\n", "remove", file, "-");
    assertEquals("b\nc\n", check(file, "a\nb\nc\n", "-"));
  }

  @Test
  void byDefaultFiltersOfAFileAndOfAPipeMergeAndLinesCanBeRemoved() throws IOException {
    Path lines = Files.writeString(folder.resolve("lines"), "a\nb\nb\n");
    Path ofFile = folder.resolve("file.bloom");
    Path ofPipe = folder.resolve("pipe.bloom");
    CommandRun built = CommandRun.succeed("", "build", "-o", ofFile, lines);
    assertEquals(
        ofFile + ": dynamic-cuckoo, 3 lines added, 2 of them certainly new; expected fpp 2e-08 %",
        built.err().strip().replaceAll("fpp [0-9.]+e-08", "fpp 2e-08"));
    CommandRun.succeed("b\nc\n", "build", "-o", ofPipe);
    Path merged = folder.resolve("merged.bloom");
    CommandRun.succeed("", "merge", ofFile, ofPipe, "-o", merged);
    assertEquals("a\nb\nc\n", check(merged, "a\nb\nc\nd\n"));
    assertEquals("1\ta\n3\tb\n", CommandRun.succeed("a\nb\n", "count", merged).text());
    CommandRun.succeed("a\n", "remove", merged);
    assertEquals("c\n", check(merged, "a\nc\n"));
  }

  @Test
  void aFilterSizedByLinesThatRepeatIsToldOfWithItsRemedy() throws IOException {
    Path lines = Files.writeString(folder.resolve("lines"), "a\nb\n" + "a\n".repeat(998));
    Path file = folder.resolve("f");
    CommandRun sized = CommandRun.succeed("", "build", "--kind=blocked", "-o", file, lines);
    assertEquals(
        "bloom: note: the filter is sized for 1,000 lines of the file, and only 2 of them were new;"
            + " --items 2 makes it smaller",
        sized.err().lines().reduce((first, second) -> second).orElseThrow());
    for (String option : List.of("--items=1000", "--kind=dynamic-cuckoo")) {
      CommandRun other = CommandRun.succeed("", "build", "--force", option, "-o", file, lines);
      assertFalse(other.err().contains("note"), other.err());
    }
  }

  @Test
  void aFileIsReadTwiceForOtherKindsAndAPipeNeedsAKindThatGrows() throws IOException {
    Path lines = Files.writeString(folder.resolve("lines"), "a\nb\nb\nc");
    Path file = folder.resolve("two.bloom");
    CommandRun build =
        CommandRun.succeed("", "build", "--kind=classic", lines, "--fpp", 0.01, "-o", file);
    assertTrue(
        build.err().startsWith("counted 4 lines of " + lines + "; reading it again"), build.err());
    ClassicBloomFilter<byte[]> expected =
        ClassicBloomFilter.create(HashStrategies.bytes(), 4, 0.01);
    for (String line : List.of("a", "b", "b", "c")) {
      expected.add(line.getBytes(StandardCharsets.UTF_8));
    }
    assertArrayEquals(expected.toBytes(), Files.readAllBytes(file));

    Path grown = folder.resolve("grown.bloom");
    String many = CommandRun.numbers(0, 200_000);
    CommandRun.succeed(many, "build", "--kind=scalable", "--fpp=0.01", "-o", grown);
    Map<String, String> members = CommandRun.inspect(grown);
    assertEquals("\"scalable\"", members.get("kind"));
    assertTrue(Integer.parseInt(members.get("layers")) > 1, members::toString);
    assertTrue(Double.parseDouble(members.get("expectedFpp")) <= 0.01, members::toString);
    assertEquals("", check(grown, many, "-v"));
    assertEquals(
        "bloom: the lines of a pipe cannot be counted in advance, and classic filters"
            + " do not grow: give --items, or a FILE, or leave out --kind",
        CommandRun.fail("a\n", "build", "--kind", "classic", "-o", folder.resolve("x")));
  }

  @Test
  void carriageReturnsOfAllLinesAreToldOf() {
    Path file = folder.resolve("windows.bloom");
    String note = "bloom: note: every line ends with a carriage return, which belongs to it; ";
    for (String command : List.of("build --force -o", "add")) {
      Object[] words = (command + " " + file).split(" ");
      assertTrue(CommandRun.succeed("a\r\nb\r\n", words).err().contains(note));
      assertFalse(CommandRun.succeed("a\r\nb\n", words).err().contains(note));
    }
    Object[] numbers = ("build --strategy longs --force -o " + file).split(" ");
    assertFalse(CommandRun.succeed("1\r\n2\r\n", numbers).err().contains(note));
    assertFalse(CommandRun.succeed("", "build", "--force", "-o", file).err().contains(note));
    assertFalse(CommandRun.succeed("a\r\n", "add", "-f1", file).err().contains(note));
  }

  @Test
  void moreLinesThanItemsAreToldOf() {
    String lines = CommandRun.numbers(0, 100);
    Path file = folder.resolve("small.bloom");
    CommandRun run = CommandRun.succeed(lines, "build", "--items", 10, "-o", file);
    assertTrue(
        run.err().contains("bloom: warning: there were more lines than expected"), run.err());
    Path full = folder.resolve("full.bloom");
    String message = CommandRun.fail(lines, "build", "--kind", "cuckoo", "--items", 10, "-o", full);
    assertTrue(message.startsWith("bloom: line "), message);
    assertTrue(message.endsWith("build the filter again with a larger --items"), message);
    assertFalse(Files.exists(full));
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "dynamic-cuckoo", "guava", "bloomkit-guava"})
  void mergingHoldsWhatBothHold(String variant) throws IOException {
    Path a = Files.move(CommandRun.build(folder, variant, "a\nb\n"), folder.resolve("a.bloom"));
    Path b = Files.move(CommandRun.build(folder, variant, "b\nc\n"), folder.resolve("b.bloom"));
    Path c = Files.move(CommandRun.build(folder, variant, "d\n"), folder.resolve("c.bloom"));
    Path merged = folder.resolve("merged.bloom");
    CommandRun.succeed("", "merge", a, b, c, "-o", merged);
    Path all = CommandRun.build(folder, variant, "a\nb\nb\nc\nd\n");
    assertArrayEquals(Files.readAllBytes(all), Files.readAllBytes(merged));
  }

  /** The second one fits in a little less, and what is merged has its plan. */
  @Test
  void theRefusedThirdFilterIsComparedWithTheFirstFile() {
    List<Path> files = new ArrayList<>();
    for (int items : new int[] {1000, 999, 90_000}) {
      files.add(folder.resolve(items + ".bloom"));
      CommandRun.succeed(
          "a\n", "build", "--kind=blocked", "--items", items, "-o", files.get(files.size() - 1));
    }
    assertEquals(
        "bloom: cannot merge: "
            + files.get(0)
            + " was built with --items 1000 --fpp 0.01, "
            + files.get(2)
            + " with --items 90000 --fpp 0.01: build both with the same --items and --fpp",
        CommandRun.fail(
            "",
            "merge",
            files.get(0),
            files.get(1),
            files.get(2),
            "-o",
            folder.resolve("out.bloom")));
  }

  @Test
  void incompatibleFiltersAreNotMerged() {
    Path classic = CommandRun.build(folder, "classic", "a\n");
    Path counting = CommandRun.build(folder, "counting", "a\n");
    Path guava = CommandRun.build(folder, "guava", "a\n");
    Path cuckoo = CommandRun.build(folder, "cuckoo", "a\n");
    Path out = folder.resolve("out.bloom");
    Path larger = folder.resolve("larger.bloom");
    CommandRun.succeed("a\n", "build", "--kind=classic", "--items", 2000, "-o", larger);
    String size = CommandRun.fail("", "merge", classic, larger, "-o", out);
    assertEquals(
        "bloom: cannot merge: "
            + classic
            + " was built with --items 1000 --fpp 0.0001, "
            + larger
            + " with --items 2000 --fpp 0.01: build both with the same --items and --fpp",
        size);
    String kinds =
        "bloom: cannot merge: %s is of kind %s, %s of kind %s: build both with one --kind";
    assertEquals(
        kinds.formatted(classic, "classic", counting, "counting")
            + ", or convert "
            + counting
            + ": bloom convert --to classic",
        CommandRun.fail("", "merge", classic, counting, "-o", out));
    assertEquals(
        kinds.formatted(counting, "counting", classic, "classic")
            + ", or convert "
            + counting
            + ": bloom convert --to classic",
        CommandRun.fail("", "merge", counting, classic, "-o", out));
    assertEquals(
        kinds.formatted(classic, "classic", guava, "guava"),
        CommandRun.fail("", "merge", classic, guava, "-o", out));
    assertTrue(
        CommandRun.fail("", "merge", cuckoo, cuckoo, "-o", out).contains("cannot be merged"));
    Path utf8 = folder.resolve("utf8.bloom");
    CommandRun.succeed(
        "a\n",
        "build",
        "--kind=classic",
        "--items",
        1000,
        "--fpp",
        0.0001,
        "--strategy",
        "utf8",
        "-o",
        utf8);
    assertEquals(
        "bloom: cannot merge: "
            + utf8
            + " was filled with --strategy utf8, "
            + classic
            + " with --strategy bytes: build both with one strategy",
        CommandRun.fail("", "merge", utf8, classic, "-o", out));
    assertEquals(
        "bloom: cannot intersect: "
            + classic
            + " was filled with --strategy bytes, "
            + utf8
            + " with --strategy utf8: build both with one strategy",
        CommandRun.fail("", "intersect", classic, utf8, "-o", out));
    for (String kind : List.of("parquet", "spark-v1", "guava")) {
      Path small = CommandRun.build(folder, kind, "a\n");
      Path large = folder.resolve("large");
      CommandRun.succeed("a\n", "build", "--force", "--kind", kind, "--items=9k", "-o", large);
      String message = CommandRun.fail("", "merge", small, large, "-o", out);
      assertTrue(message.contains("--items and --fpp"), message);
    }
    assertTrue(
        CommandRun.fail("", "build", "--kind=parquet", "--items=1e15", "-o", out)
            .startsWith("bloom: --items=1000000000000000 and --fpp=0.01 need"));
    assertFalse(Files.exists(out));
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "blocked"})
  void anIntersectionHoldsWhatAllHold(String kind) throws IOException {
    Path a = Files.move(CommandRun.build(folder, kind, "a\nb\nc\n"), folder.resolve("a.bloom"));
    Path b = Files.move(CommandRun.build(folder, kind, "b\nc\nd\n"), folder.resolve("b.bloom"));
    Path c = Files.move(CommandRun.build(folder, kind, "c\nd\ne\n"), folder.resolve("c.bloom"));
    Path out = folder.resolve("common.bloom");
    CommandRun run = CommandRun.succeed("", "intersect", a, b, c, "-o", out);
    String combined = out + ": " + kind + ", combined from %d filters; ";
    assertTrue(run.err().startsWith(combined.formatted(3) + "at most about "), run.err());
    assertEquals("c\n", check(out, "a\nb\nc\nd\ne\n"));
    assertEquals("null", CommandRun.inspect(out).get("netInsertions"));
    String table = CommandRun.succeed("", "inspect", out).out();
    assertTrue(
        table.lines().anyMatch(line -> line.matches("approximate elements +at most about \\d")),
        table);
    run = CommandRun.succeed("", "intersect", a, b, "-o", out, "--force");
    assertTrue(run.err().startsWith(combined.formatted(2) + "about 2 common lines; "), run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"counting", "blocked-counting", "dynamic-cuckoo"})
  void aDifferenceHoldsWhatTheOthersDoNot(String kind) throws IOException {
    Path all = CommandRun.build(folder, kind, "a\na\nb\nc\n");
    all = Files.move(all, folder.resolve("all.bloom"));
    Path a = Files.move(CommandRun.build(folder, kind, "a\n"), folder.resolve("a.bloom"));
    Path b = Files.move(CommandRun.build(folder, kind, "b\n"), folder.resolve("b.bloom"));
    Path out = folder.resolve("rest.bloom");
    CommandRun.succeed("", "subtract", all, a, b, "-o", out);
    Path rest = CommandRun.build(folder, kind, "a\nc\n");
    assertArrayEquals(Files.readAllBytes(rest), Files.readAllBytes(out));
    String tooMuch = CommandRun.fail("", "subtract", a, b, "-o", out, "--force");
    assertTrue(tooMuch.startsWith("bloom: " + b + ": cannot subtract: "), tooMuch);
    assertTrue(tooMuch.contains(" holds "), tooMuch);
    assertArrayEquals(Files.readAllBytes(rest), Files.readAllBytes(out));
  }

  @ParameterizedTest
  @CsvSource({
    "intersect, counting, classic or blocked filters of the same kind",
    "intersect, guava, classic or blocked filters of the same kind",
    "subtract, classic, 'counting, blocked-counting or dynamic-cuckoo filters of one kind'",
    "subtract, bloomkit-guava, 'counting, blocked-counting or dynamic-cuckoo filters of one kind'"
  })
  void kindsThatCannotBeCombinedSoAreRefused(String command, String kind, String needed) {
    Path file = CommandRun.build(folder, kind, "a\n");
    Path out = folder.resolve("out.bloom");
    String message = CommandRun.fail("", command, file, file, "-o", out);
    String expected = "bloom: " + file + ": cannot " + command + ": both must be " + needed;
    String remedy = kind.equals("counting") ? ", which bloom convert --to classic converts" : "";
    assertEquals(expected + ", got a " + kind + " one" + remedy, message);
    Path large = folder.resolve("large");
    CommandRun.succeed("a\n", "build", "--kind", kind, "--items=9k", "-o", large);
    message = CommandRun.fail("", command, file, large, "-o", out);
    assertTrue(message.contains("both must be " + needed), message);
    assertFalse(Files.exists(out));
  }

  @Test
  void kindsThatCannotBeSubtractedAreNoRemedy() {
    Path counting = CommandRun.build(folder, "counting", "a\n");
    Path classic = CommandRun.build(folder, "classic", "a\n");
    assertEquals(
        "bloom: cannot subtract: %s is of kind counting, %s of kind classic: build both with one"
                .formatted(counting, classic)
            + " --kind, which is counting, blocked-counting or dynamic-cuckoo",
        CommandRun.fail("", "subtract", counting, classic, "-o", folder.resolve("out.bloom")));
  }

  @Test
  void aFilterThatInspectCallsOverfullIsBuiltWithAWarning() {
    String lines = IntStream.range(0, 1200).mapToObj(i -> i + "\n").collect(Collectors.joining());
    Path file = folder.resolve("overfull.bloom");
    CommandRun run = CommandRun.succeed(lines, "build", "--items=1000", "-o", file);
    assertEquals("true", CommandRun.inspect(file).get("overfull"));
    assertTrue(
        run.err().contains("bloom: warning: there were more lines than expected"), run.err());
  }

  /** Ten times the items at ten times the rate take the same fingerprints. */
  @Test
  void otherOptionsOfTheSameSizeAreNotBlamed() {
    Path a = CommandRun.build(folder, "dynamic-cuckoo", "a\n");
    Path b = folder.resolve("b.bloom");
    CommandRun.succeed("b\n", "build", "--items", 10_000, "--fpp", 0.001, "-o", b);
    Path out = folder.resolve("out.bloom");
    CommandRun.succeed("", "merge", a, b, "-o", out);
    String message = CommandRun.fail("", "subtract", a, b, "-o", out, "--force");
    assertTrue(message.contains("other holds an element more often"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"counting", "dynamic-cuckoo"})
  void linesAreCounted(String kind) {
    Path file = CommandRun.build(folder, kind, "a\nb\nb\n\nb\n");
    CommandRun run = CommandRun.succeed("b\na\r\nx\n\nb", "count", file);
    assertEquals("3\tb\n0\ta\r\n0\tx\n1\t\n3\tb", run.text());
    CommandRun fields =
        CommandRun.succeed("1,b\n2\n", "count", file, "-f2", "-t,", "--missing=pass");
    assertEquals("3\t1,b\n0\t2\n", fields.text());
    assertEquals("", CommandRun.succeed("", "count", file).text());
    CommandRun stopped = CommandRun.of("b\ta\nc\n", "count", file, "-f2");
    assertEquals(2, stopped.exitCode());
    assertEquals("1\tb\ta\n", stopped.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "expiring-cuckoo", "guava"})
  void linesAreNotCountedInAFilterThatDoesNotKnow(String kind) {
    Path file = CommandRun.build(folder, kind, "a\n");
    assertEquals(
        "bloom: "
            + (kind.startsWith("e") ? "an " : "a ")
            + kind
            + " filter does not count its lines; build a filter with --kind counting or"
            + " blocked-counting or cuckoo or dynamic-cuckoo",
        CommandRun.fail("a\n", "count", file));
  }

  @Test
  void countingFiltersBecomeFiltersOfBits() throws IOException {
    Path counting = CommandRun.build(folder, "counting", "a\nb\nb\n");
    Path out = folder.resolve("bits.bloom");
    CommandRun.succeed("", "convert", counting, "--to", "classic", "-o", out);
    Path classic = CommandRun.build(folder, "classic", "a\nb\nb\n");
    assertArrayEquals(Files.readAllBytes(classic), Files.readAllBytes(out));
    Path blocked = CommandRun.build(folder, "blocked-counting", "a\nb\nb\n");
    CommandRun.succeed("", "convert", blocked, "--to", "blocked", "--force", "-o", out);
    assertEquals("a\nb\n", check(out, "a\nb\nc\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "classic, counting",
    "counting, blocked",
    "dynamic-cuckoo, cuckoo",
    "classic, guava",
    "guava, classic",
    "bloomkit-guava, bloomkit-guava"
  })
  void noOtherKindBecomesAnother(String from, String to) {
    Path file = CommandRun.build(folder, from, "a\n");
    Path out = folder.resolve("other.bloom");
    String message = CommandRun.fail("", "convert", file, "--to", to, "-o", out);
    assertTrue(message.startsWith("bloom: " + file + ": " + from), message);
    assertTrue(message.contains(" filters cannot become " + to + "; "), message);
    assertTrue(
        message.endsWith(
            "; possible conversions: counting becomes classic, blocked-counting becomes blocked,"
                + " bloomkit-guava becomes guava, guava becomes bloomkit-guava; elements cannot be"
                + " recovered from a filter, so build a new filter from the elements"),
        message);
    assertFalse(Files.exists(out));
  }

  @Test
  @Tag("deep")
  void theFillIsDrawn() throws IOException {
    Path plot = folder.resolve("fill.png");
    for (String variant : List.of("classic", "blocked-counting", "cuckoo", "bloomkit-guava")) {
      Path file = CommandRun.build(folder, variant, "a\nb\nc\n");
      CommandRun.succeed("", "inspect", file, "--plot", plot, "--force");
      assertEquals(Charts.WIDTH, ImageIO.read(plot.toFile()).getWidth());
    }
    Path grown = CommandRun.build(folder, "scalable", "a\n");
    CommandRun run = CommandRun.of("", "inspect", grown, "--plot", folder.resolve("new.png"));
    assertEquals(2, run.exitCode());
    assertTrue(run.err().contains("leave out --plot"), run.err());
  }

  @Test
  void additionsAndMergesBeyondThePlanAreReported() {
    String file = folder.resolve("small.bloom").toString();
    String merged = folder.resolve("merged.bloom").toString();
    CommandRun one =
        CommandRun.succeed("a\n", "build", "-o", file, "--kind", "classic", "--items", "1");
    assertFalse(one.err().contains("more lines"), one.err());
    CommandRun added = CommandRun.succeed("b\nc\nd\ne\n", "add", file);
    String warning = "holds more lines than it was made for, 1 at 1";
    assertTrue(added.err().contains(warning), added.err());
    CommandRun merge = CommandRun.succeed("", "merge", file, file, "-o", merged);
    assertTrue(merge.err().contains(warning), merge.err());
    assertTrue(merge.err().endsWith("with a larger --items\n"), merge.err());
    String other = folder.resolve("other.bloom").toString();
    CommandRun.succeed("a\nb\nc\n", "build", "-o", file, "--window", "3", "--force");
    CommandRun.succeed("d\ne\nf\n", "build", "-o", other, "--window", "3");
    merge = CommandRun.succeed("", "merge", file, other, "-o", merged, "--force");
    assertTrue(merge.err().endsWith("with a larger --window\n"), merge.err());
  }

  @Test
  void otherCompressionsAreRefusedByName() {
    Path file = folder.resolve("x.bloom");
    String[][] formats = {
      {"zstd", "(\u00b5/\u00fdx"},
      {"xz", "\u00fd7zXZ\0x"},
      {"bzip2", "BZh51AY&SYx"}
    };
    for (String[] format : formats) {
      String message = CommandRun.fail(format[1], "build", "-o", file, "--items", "10", "--force");
      assertTrue(message.contains("it is compressed by " + format[0]), message);
      CommandRun.succeed(format[1], "build", "-o", file, "--items", "10", "--no-gzip", "--force");
      CommandRun.succeed(
          format[1].substring(0, 3), "build", "-o", file, "--items", "10", "--force");
    }
  }

  @ParameterizedTest
  @CsvSource({"classic", "bloomkit-guava"})
  void bytesThatAreNoTextAreRefusedByLine(String kind) {
    String broken = "ann\nb\u00e9b\n"; // Latin-1
    String problem =
        ": not UTF-8 from its byte 2, 0xe9; convert it, such as by iconv, or build the filter with"
            + " --strategy bytes";
    Object[] build = {
      "build", "--kind", kind, "--items", 9, "--strategy", "utf8", "-o", folder.resolve("new")
    };
    assertEquals("bloom: line 2 of standard input" + problem, CommandRun.fail(broken, build));
    assertFalse(Files.exists(folder.resolve("new")));
    Path filter = CommandRun.build(folder, kind, "ann\nb\u00c3\u00a9b\n", "--strategy", "utf8");
    assertEquals(
        "bloom: line 2 of standard input" + problem, CommandRun.fail(broken, "add", filter));
    assertEquals("ann\n", CommandRun.succeed(broken, "check", filter).text()); // no text is absent
    CommandRun.succeed("\u00f0\u009f\u0098\u0080 four\n", "add", filter);
    for (String wrong :
        List.of("\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00e2\u0082", "12345678\u0080")) {
      String err = CommandRun.fail(wrong, "add", filter);
      assertTrue(err.startsWith("bloom: line 1 of standard input: not UTF-8 from its byte "), err);
    }
  }

  @Test
  void aLineOfAnotherTypeIsNamedInQueriesToo() {
    Path filter = CommandRun.build(folder, "counting", "1\n2\n", "--strategy", "longs");
    for (String command : List.of("check", "count", "remove")) {
      CommandRun run = CommandRun.of("2\nx\n", command, filter);
      assertEquals(2, run.exitCode());
      assertEquals(
          "bloom: line 2 of standard input: 'x' is not a value of type int64, a decimal integer",
          run.err().strip());
    }
  }

  @ParameterizedTest
  @CsvSource({"classic", "blocked", "counting", "guava", "dcso", "parquet", "spark-v2"})
  void aFullFilterSaysThatItsElementsAreUnknown(String kind) {
    Path file = folder.resolve("full.bloom");
    CommandRun.succeed(
        CommandRun.numbers(0, 4000),
        "build",
        "--kind",
        kind,
        "--items",
        1,
        "--fpp",
        0.5,
        "-o",
        file);
    assertEquals("null", CommandRun.inspect(file).get("approximateElements"));
    String table = CommandRun.succeed("", "inspect", file).out();
    assertTrue(
        table.lines().anyMatch(l -> l.matches("approximate elements +unknown: the filter is full")),
        table);
    assertFalse(table.contains("9,223,372") || table.contains("Infinity"), table);
  }
}
