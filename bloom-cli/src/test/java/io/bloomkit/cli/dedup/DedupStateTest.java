package io.bloomkit.cli.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.cli.CommandRun;
import io.bloomkit.cli.DedupRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code bloom dedup --state}, and the other commands on its folder. */
class DedupStateTest {

  @TempDir private Path temporary;

  private String state = "";

  @BeforeEach
  void setState() {
    state = temporary.resolve("state").toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--items=1000",
        "--items=1000 --fpp=1e-7",
        "--window=1h",
        "--window=100",
        "--sync",
        "--window=1h --sync"
      })
  void linesOfEarlierRunsAreRepeats(String options) {
    String[] arguments = (options + " --state " + state).trim().split(" ");
    assertEquals("a\nb\n", DedupRun.of("a\nb\na\n", arguments).text());
    assertEquals("c\n", DedupRun.of("b\nc\nc\na\n", arguments).text());
    assertEquals("", DedupRun.of("a\nb\nc\n", arguments).text());
  }

  /** Else the first line of the next run would be appended to it in a file of output. */
  @ParameterizedTest
  @ValueSource(strings = {"", "--window=1h", "--sync", "--missing=pass --fields=2"})
  void aLastLineIsTerminated(String options) {
    String[] arguments = (options + " --state " + state).trim().split(" ");
    assertEquals("a\nb\n", DedupRun.of("a\nb", arguments).text());
    assertEquals("a\0", DedupRun.of("a", "-z", "--state", state + "2").text());
  }

  /** Windows shorter than a batch, and times that are far apart within one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--items=100000",
        "--window=1",
        "--window=30",
        "--window=1500",
        "--window=150s --time-field=2",
        "--window=2h --time-field=2"
      })
  void aStateChangesNothingOfWhatIsPrinted(String options) {
    SplittableRandom random = new SplittableRandom(20_261_128);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 12_000; i++) {
      int seconds = 30 * i / 2 - random.nextInt(20); // some are late
      lines.append(random.nextInt(1 << random.nextInt(1, 12))).append(' ').append(seconds + 100);
      lines.append('\n');
    }
    String[] without = (options + " --fpp=1e-7 --fields=1").trim().split(" ");
    String[] with = (options + " --fpp=1e-7 --fields=1 --state=" + state).trim().split(" ");
    assertEquals(
        DedupRun.of(lines.toString(), without).text(), DedupRun.of(lines.toString(), with).text());
  }

  @Test
  void theDamagedFileOfAFolderIsNamed() throws IOException {
    DedupRun.of("a\nb\n", "--state=" + state);
    Path log = Path.of(state, "log-0000000001");
    byte[] bytes = Files.readAllBytes(log);
    bytes[9]++;
    Files.write(log, bytes);
    DedupRun run = DedupRun.of("a\n", "--state=" + state);
    assertTrue(run.err().startsWith("bloom: cannot read " + log + ", at byte "), run.err());
    assertEquals(2, run.exitCode());
  }

  @Test
  void linesAreForgottenByTheTimeInTheLines() {
    String[] arguments = {"--window=15s", "--time-field=2", "--fields=1", "--state=" + state};
    assertEquals("a 0\nb 10\n", DedupRun.of("a 0\nb 10\na 14\n", arguments).text());
    assertEquals(
        "b 40\n",
        DedupRun.of("a 20\nb 40\na 41\nb 42\n", arguments)
                .text()
                .lines()
                .filter(line -> line.startsWith("b"))
                .findFirst()
                .orElse("")
            + "\n");
  }

  /** A run that is repeated from the beginning prints all lines that one whole run prints. */
  @ParameterizedTest
  @ValueSource(strings = {"", "--sync"})
  void aRunThatIsRepeatedFromTheBeginningLosesNoLine(String option) {
    SplittableRandom random = new SplittableRandom(20_261_130);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 3000; i++) { // each differs by its number
      lines.add(random.nextInt(1 << random.nextInt(1, 9)) + " " + 2 * i + " " + i);
    }
    String[] options =
        ("--window=150s --time-field=2 --fields=1 --fpp=1e-9 " + option).trim().split(" ");
    List<String> all = DedupRun.of(text(lines), options).text().lines().toList();
    for (int end : new int[] {1, 500, 1501, 2999}) {
      String[] with = with(state + end, options);
      Set<String> printed = new HashSet<>();
      DedupRun.of(text(lines.subList(0, end)), with).text().lines().forEach(printed::add);
      DedupRun again = DedupRun.of(text(lines), with);
      again.text().lines().forEach(printed::add);
      assertTrue(printed.containsAll(all), "after " + end);
      assertEquals(end > 10, again.err().contains(" earlier than those of earlier runs"));
    }
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }

  @Test
  void timeGoesOnWhileNoRunIsActive() {
    InstantSource first = InstantSource.fixed(Instant.ofEpochSecond(1000));
    InstantSource soon = InstantSource.fixed(Instant.ofEpochSecond(1010));
    InstantSource later = InstantSource.fixed(Instant.ofEpochSecond(1040));
    for (InstantSource time : new InstantSource[] {first, soon, later}) {
      DedupRun run =
          DedupRun.of(
              new ByteArrayInputStream("a\n".getBytes(StandardCharsets.US_ASCII)),
              time,
              "--window=15s",
              "--state=" + state);
      assertEquals(time == soon ? "" : "a\n", run.text(), String.valueOf(time.instant()));
    }
  }

  private static String[] with(String state, String... options) {
    return Stream.concat(Stream.of(options), Stream.of("--state", state)).toArray(String[]::new);
  }

  private static void refuses(String state, String message, String... options) {
    DedupRun.of("a\n", with(state, options))
        .isNoSuccess("bloom: the lines in " + state + " were remembered " + message);
  }

  private static void accepts(String state, String... options) {
    DedupRun run = DedupRun.of("a\n", with(state, options));
    assertEquals(0, run.exitCode(), run.err());
  }

  @Test
  void otherOptionsThanThoseOfTheFirstRunAreRefused() {
    accepts(state, "--items=1000");
    refuses(state, "with --items 1000; leave out --items, or name another", "--items=2000");
    refuses(state, "with --fpp 0.0001; leave out --fpp, or name another", "--fpp=1%");
    refuses(state, "with --fpp 0.0001; ", "--fpp=1e-7", "--items=1000"); // another kind
    refuses(state, "without a window; leave out --window, or name another", "--window=1h");
    accepts(state);
    accepts(state, "--items=1k", "--fpp=0.01%");
    DedupRun.of("a\n", "--sync").isNoSuccess("bloom: --sync requires --state");
    DedupRun.of("a\n", "--state=").isNoSuccess("bloom: --state must name a folder");
  }

  @Test
  void otherOptionsThanThoseOfAGrowingFilterAreRefused() {
    accepts(state, "--fpp=0.01");
    refuses(state, "with --fpp 0.01; leave out --fpp, or name another folder", "--fpp=0.001");
    refuses(state, "without --items; leave it out, or name another folder", "--items=1000");
    accepts(state, "--fpp=0.01");
    accepts(state);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1h", "1000"})
  void otherWindowsThanThatOfTheFirstRunAreRefused(String window) {
    accepts(state, "--window", window, "--fpp=0.01");
    String message = "with --window " + window + "; give the same, or name another folder";
    refuses(state, message);
    refuses(state, message, "--window=2h");
    refuses(state, message, "--window=100");
    refuses(state, "with --fpp 0.01; leave out --fpp", "--window", window, "--fpp=0.1");
    accepts(state, "--window", window.replace("1h", "60m"));
  }

  @Test
  void theNumberOfAWindowIsThatOfTheFirstRun() {
    accepts(state, "--window=1h", "--items=5000");
    accepts(state, "--window=1h");
    refuses(state, "with --items 5000; leave out --items", "--window=1h", "--items=6000");
  }

  @Test
  void aFolderOfOtherFiltersIsRefused() throws IOException {
    Path cuckoo = Files.createDirectory(temporary.resolve("cuckoo"));
    CommandRun.succeed("a\n", "build", "--items=9", "-o", cuckoo);
    DedupRun.of("a\n", "--fpp=0.01", "--state", cuckoo.toString())
        .isNoSuccess(
            "bloom: " + cuckoo + " has a filter of the kind dynamic-cuckoo, which dedup does not");
    Path utf8 = Files.createDirectory(temporary.resolve("utf8"));
    CommandRun.succeed(
        "a\n", "build", "--strategy=utf8", "--kind=blocked", "--items=9", "-o", utf8);
    DedupRun.of("a\n", "--state", utf8.toString())
        .isNoSuccess(
            "bloom: "
                + utf8
                + " has a filter of the kind blocked and the strategy utf8(xxh3), which");
  }

  @Test
  void aFileInTheFolderIsNamed() throws IOException {
    Path others = Files.createDirectory(temporary.toRealPath().resolve("others"));
    Path text = Files.writeString(others.resolve("a.txt"), "a");
    DedupRun.of("a\n", "--state=" + others)
        .isNoSuccess("bloom: cannot write " + text + ": the folder must be empty or have a");
    DedupRun.of("a\n", "--items=9", "--state=" + state);
    Path folder = Path.of(state).toRealPath();
    Path log = folder.resolve("log-0000000001");
    Files.delete(log);
    DedupRun.of("a\n", "--state=" + state)
        .isNoSuccess("bloom: cannot write " + log + ": the file is missing: restore it from a");
    String message = CommandRun.fail("a\n", "check", folder);
    assertTrue(message.startsWith("bloom: cannot read " + log + ": the file is"), message);
  }

  /** An output that fails, as that of a run that is killed. */
  private static final class Broken extends OutputStream {

    private final StringBuilder text = new StringBuilder();

    @Override
    public void write(int b) throws IOException {
      if (text.length() == 400) {
        throw new IOException("the output is broken");
      }
      text.append((char) b);
    }
  }

  @Test
  void noLineIsRememberedThatWasNotPrinted() {
    StringBuilder lines = new StringBuilder();
    for (int i = 100; i < 900; i++) {
      lines.append(i).append('\n');
    }
    byte[] input = lines.toString().getBytes(StandardCharsets.US_ASCII);
    Broken out = new Broken();
    DedupRun.of(new ByteArrayInputStream(input), out, InstantSource.system(), "--state=" + state);
    String again = DedupRun.of(input, "--state=" + state).text();
    assertTrue((out.text + again).contains(lines.substring(400)), again);
    for (int i = 100; i < 900; i++) {
      assertTrue((out.text + again).contains(i + "\n"), "lost " + i);
    }
  }

  @Test
  void otherCommandsReadTheFolder() throws IOException {
    DedupRun.of("a\nb\n", "--items=1000", "--state=" + state);
    CommandRun inspect = CommandRun.of("", "inspect", state);
    assertEquals(0, inspect.exitCode(), inspect.err());
    assertTrue(inspect.out().contains("log updates"), inspect.out());
    Path lines = Files.writeString(temporary.resolve("lines"), "a\nc\nb\n");
    CommandRun check = CommandRun.of("", "check", state, lines.toString());
    assertEquals("a\nb\n", check.text(), check.err());
    Path built = temporary.resolve("built.bloom");
    CommandRun build =
        CommandRun.of(
            "",
            "build",
            "--kind=blocked",
            "--items=1000",
            "--fpp=0.0001",
            "--output=" + built,
            lines.toString());
    assertEquals(0, build.exitCode(), build.err());
    Path merged = temporary.resolve("merged.bloom");
    CommandRun merge = CommandRun.of("", "merge", state, built.toString(), "--output=" + merged);
    assertEquals(0, merge.exitCode(), merge.err());
    assertEquals(
        "a\nc\nb\n", CommandRun.of("", "check", merged.toString(), lines.toString()).text());
  }

  @Test
  void aFolderIsBuilt() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("built"));
    Path lines = Files.writeString(temporary.resolve("lines"), "a\nb\n");
    String[] build = {
      "build",
      "--kind=blocked",
      "--items=1000",
      "--fpp=0.0001",
      "--output=" + folder,
      lines.toString()
    };
    CommandRun run = CommandRun.of("", (Object[]) build);
    assertEquals(0, run.exitCode(), run.err());
    Files.move(folder.resolve("identity"), folder.resolve("identity.new")); // as if it was killed
    assertEquals(0, CommandRun.of("", (Object[]) build).exitCode());
    assertEquals("c\n", DedupRun.of("a\nc\n", "--items=1000", "--state=" + folder).text());
    assertEquals(2, CommandRun.of("", (Object[]) build).exitCode());
    for (String file : List.of("identity", "log-0000000001")) {
      Files.delete(folder.resolve(file));
    }
    try (Stream<Path> snapshots =
        Files.list(folder).filter(it -> it.toString().endsWith("bloom"))) {
      Files.delete(snapshots.findFirst().orElseThrow());
    }
    Files.createFile(folder.resolve("identity.new.tmp")); // killed before
    Files.createFile(folder.resolve("unforced"));
    assertEquals(0, CommandRun.of("", (Object[]) build).exitCode());
  }

  /** Nothing is read or written first, and no lock is left. */
  @Test
  void whatCannotBeWrittenToAFolderIsRefusedAtOnce() throws IOException {
    Path lines = Files.writeString(temporary.resolve("lines"), "a\nb\n");
    Path empty = Files.createDirectory(temporary.resolve("empty"));
    Path others = Files.createDirectory(temporary.resolve("others"));
    Files.writeString(others.resolve("a.txt"), "a");
    isRefused("is a folder with other files", "build", "--output=" + others, lines);
    isRefused("but not a guava filter", "build", "--kind=guava", "--output=" + empty, lines);
    isRefused("can be mapped", "build", "--uncompressed", "--output=" + empty, lines);
    assertEquals(List.of("a.txt"), List.of(Objects.requireNonNull(others.toFile().list())));
    DedupRun.of("a\n", "--items=1000", "--state=" + state);
    isRefused("give --output", "add", state, lines);
    isRefused("but not a delta", "delta", state, state, "--output=" + empty);
    try (Stream<Path> files = Files.list(temporary)) {
      assertEquals(List.of(), files.filter(it -> it.toString().endsWith(".lock")).toList());
    }
    Path changed = temporary.resolve("changed.bloom");
    assertEquals(0, CommandRun.of("", "add", state, lines, "--output=" + changed).exitCode());
    assertEquals("a\nb\n", CommandRun.of("", "check", changed, lines).text());
    assertEquals("a\n", CommandRun.of("", "check", state, lines).text());
    assertEquals(0, Objects.requireNonNull(empty.toFile().list()).length);
  }

  private static void isRefused(String message, Object... arguments) {
    CommandRun run = CommandRun.of("", arguments);
    assertEquals(2, run.exitCode(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }
}
