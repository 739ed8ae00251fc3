package io.bloomkit.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.durable.DurableContents;
import io.bloomkit.durable.DurableFilter;
import io.bloomkit.durable.Recovery;
import io.bloomkit.format.FilterKind;
import io.bloomkit.formattests.FileChecks;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reader in contrib/bloomkit.py, where there is a Python to run it. {@code
 * -Dbloomkit.keys=1000000} sets the number of keys of the campaign.
 */
class PythonReaderTest {

  private static final Path CONTRIB = Path.of("..", "contrib").toAbsolutePath();
  private static final Path READER = CONTRIB.resolve("bloomkit.py");
  private static final Path GOLDEN_FOLDERS =
      Path.of("..", "bloom-durable", "src", "test", "resources", "golden-folders")
          .toAbsolutePath()
          .normalize();

  @TempDir private Path folder;

  @BeforeAll
  static void requirePython() throws InterruptedException {
    int exit;
    try {
      exit =
          new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 8))")
              .start()
              .waitFor();
    } catch (IOException e) {
      exit = -1;
    }
    assumeTrue(exit == 0, "skipped: there is no python3 of version 3.8 or newer on the PATH");
  }

  /** What a process has printed, each byte of the output as a character. */
  private record Result(int exit, String output, String errors) {}

  private Result python(byte[] input, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3"));
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    ProcessBuilder process = new ProcessBuilder(command);
    process.environment().put("PYTHONPATH", CONTRIB.toString());
    process.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    process.environment().put("PYTHONUTF8", "1");
    Path errors = folder.resolve("errors");
    Path output = folder.resolve("output");
    int exit =
        process
            .redirectInput(Files.write(folder.resolve("input"), input).toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start()
            .waitFor();
    return new Result(exit, Files.readString(output, ISO_8859_1), Files.readString(errors));
  }

  /** Runs a program that reads text lines. */
  private List<String> script(String program, Stream<?> lines) throws Exception {
    String input = String.join("\n", lines.map(String::valueOf).toList());
    Path file = Files.writeString(folder.resolve("program.py"), program); // Windows eats quotes
    Result result = python(input.getBytes(StandardCharsets.UTF_8), file);
    assertEquals("", result.errors());
    return result.output().lines().toList();
  }

  /** Prints the answers for each file, as {@link ReaderCases#answers} does. */
  private static final String ANSWERS =
      """
      import sys, bloomkit
      def answers(data):
          try:
              found = bloomkit.read(data, clock=lambda: %d)
              ask = found.count if found.counting else found.might_contain
              return " ".join("%%d" %% ask(number) for number in range(-%d, %d + 1))
          except bloomkit.FormatError:
              return "refused"
          except TypeError as fault:
              if "which is not supported: pass hashes" in str(fault):
                  return "refused"
              raise
      for line in sys.stdin.read().split("\\n"):
          print(answers(bytes.fromhex(line)))
      """
          .formatted(ReaderCases.MILLIS, ReaderCases.MAX, ReaderCases.MAX);

  private void compareAnswers(List<byte[]> files) throws Exception {
    List<String> expected = new ArrayList<>();
    for (byte[] file : files) {
      expected.add(ReaderCases.answers(file));
    }
    List<String> answers = script(ANSWERS, files.stream().map(HexFormat.of()::formatHex));
    for (int i = 0; i < files.size(); i++) {
      String file = HexFormat.of().formatHex(files.get(i));
      assertEquals(expected.get(i), answers.get(i), () -> "of " + file);
    }
  }

  @Test
  void everyGoldenFolderIsAnsweredForAsByTheLibrary() throws Exception {
    List<Path> folders;
    try (Stream<Path> all = Files.list(GOLDEN_FOLDERS)) {
      folders =
          all.filter(path -> !path.endsWith("EXPIRING") && !path.endsWith("WINDOW"))
              .sorted()
              .toList();
    }
    assertEquals(10, folders.size());
    List<String> expected = new ArrayList<>();
    for (Path path : folders) {
      DurableContents<Long> contents = DurableContents.readFrom(path, HashStrategies.longs());
      StringBuilder answers = new StringBuilder();
      for (long i = 0; i < 45; i++) {
        answers.append(contents.filter().mightContain(i) ? '1' : '0');
      }
      Recovery recovery = contents.recovery();
      expected.add(answers + " " + recovery.updates() + " " + recovery.bytesCut());
    }
    String program =
        """
        import sys, bloomkit
        for line in sys.stdin.read().split("\\n"):
            found = bloomkit.open_folder(line)
            answers = "".join("%d" % found.might_contain(i) for i in range(45))
            print(answers, len(found.updates), found.bytes_cut)
        """;
    assertEquals(expected, script(program, folders.stream()));
  }

  @Test
  void aLogThatRemovesAllElementsIsReadAsByTheLibrary(@TempDir Path folder) throws Exception {
    try (DurableFilter<Long> filter =
        DurableFilter.open(
            folder, CountingBloomFilter.builder(HashStrategies.longs()).expecting(60, 0.01))) {
      for (long i = 0; i < 30; i++) {
        filter.add(i);
        if (i == 20) {
          filter.compact();
        }
      }
      filter.clear();
      filter.add(5L);
      filter.add(40L);
    }
    String program =
        """
        import glob, os, sys, bloomkit
        path = sys.stdin.read()
        found = bloomkit.open_folder(path)
        print(" ".join("%d" % i for i in range(45) if i in found), found.is_cleared)
        snapshot = glob.glob(path + "/snapshot*")[0]
        os.rename(snapshot, snapshot[:-14] + "00000000.bloom")
        try:
            bloomkit.open_folder(path)
        except bloomkit.FormatError as fault:
            print(fault)
        """;
    assertEquals(
        List.of(
            "5 40 True", "at byte 44: the segment does not follow the one before, or the snapshot"),
        script(program, Stream.of(folder.toString())));
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aFolderThatIsOpenIsRefused(@TempDir Path folder) throws Exception {
    String program =
        """
        import sys, bloomkit
        path = sys.stdin.read()
        try:
            print(len(bloomkit.open_folder(path).updates))
        except ValueError as fault:
            print(fault)
        """;
    try (DurableFilter<Long> filter =
        DurableFilter.open(
            folder, CountingBloomFilter.builder(HashStrategies.longs()).expecting(60, 0.01))) {
      filter.add(1L);
      assertEquals(
          List.of("another process has this folder open"),
          script(program, Stream.of(folder.toString())));
    }
    assertEquals(List.of("1"), script(program, Stream.of(folder.toString())));
  }

  /** As by the library: before the first update, and while the segment before is still there. */
  @Test
  void aSnapshotOfAnotherFolderIsRefused(@TempDir Path folder) throws Exception {
    DurableFilter.open(
            folder, CountingBloomFilter.builder(HashStrategies.longs()).expecting(60, 0.01))
        .close();
    String program =
        """
        import glob, os, shutil, struct, sys, bloomkit
        path = sys.stdin.read()
        def refusal():
            try:
                bloomkit.open_folder(path)
            except ValueError as fault:
                print(fault)
        snapshot = glob.glob(path + "/snapshot*")[0]
        foreign = snapshot[:-14] + "00000000.bloom"
        shutil.copy(snapshot, foreign)
        refusal()
        os.remove(snapshot)
        refusal()
        os.rename(foreign, foreign.replace("-0000000001-", "-0000000002-"))
        shutil.copy(path + "/log-0000000001", path + "/log-0000000002")
        end = struct.pack("<I4sIqQ", 0, b"ENDS", 0, 0, 0)
        with open(path + "/log-0000000001", "ab") as log:
            log.write(struct.pack("<I", bloomkit.crc32c(end)) + end)
        refusal()
        """;
    assertEquals(
        List.of(
            "one folder has no two snapshots with the same number",
            "at byte 32: the segment does not follow the snapshot",
            "at byte 0: the newest snapshot does not follow the segment before it"),
        script(program, Stream.of(folder.toString())));
  }

  /** As by the library; the updates of a segment would be missed without a word. */
  @Test
  void aFolderThatLacksItsLastSegmentIsRefused() throws Exception {
    Path golden = GOLDEN_FOLDERS.resolve("COUNTING");
    Path copy = Files.createDirectory(folder.resolve("copy"));
    for (String name : List.of("identity", "log-0000000002")) {
      Files.copy(golden.resolve(name), copy.resolve(name));
    }
    try (Stream<Path> files = Files.list(golden)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".bloom")).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    String fault = python(new byte[0], READER, copy, "5").errors();
    assertTrue(fault.contains("log-0000000003 is missing"), fault);
    Files.copy(golden.resolve("log-0000000003"), copy.resolve("log-0000000003"));
    Result result = python(new byte[0], READER, copy, "5");
    assertEquals(0, result.exit(), result.errors());
    Path identity = copy.resolve("identity");
    Files.write(identity, new byte[1], StandardOpenOption.APPEND);
    fault = python(new byte[0], READER, copy, "5").errors();
    assertTrue(fault.contains("at byte 40: there must be no bytes after the identity"), fault);
  }

  @Test
  void everyGoldenFileIsAnsweredForAsByTheLibrary() throws Exception {
    List<byte[]> files = new ArrayList<>();
    for (Path file : ReaderCases.goldenFiles()) {
      files.add(Files.readAllBytes(file));
    }
    assertTrue(files.size() >= 53, "golden files: " + files.size());
    compareAnswers(files);
  }

  @Test
  void expiredElementsAreNegativeAsInTheLibrary() throws Exception {
    compareExpiry(2);
  }

  @Test
  @Tag("deep")
  void expiredElementsOfAllFilesAreNegativeAsInTheLibrary() throws Exception {
    compareExpiry(Integer.MAX_VALUE);
  }

  /** A file is read at each time, and one filter is queried as time passes and the clock fails. */
  private void compareExpiry(int files) throws Exception {
    String program =
        """
        import sys, bloomkit
        file, epoch, start = sys.stdin.read().split("\\n")
        data = bytes.fromhex(file)
        times = [int(start) + i * int(epoch) for i in range(-1, 18)]
        def answers(found):
            return " ".join("%%d" %% (number in found) for number in range(-%d, %d + 1))
        for time in times:
            print(answers(bloomkit.read(data, clock=lambda: time)))
        time = times[0]
        found = bloomkit.read(data, clock=lambda: time)
        for time in times:
            print(answers(found))
        time = times[0]
        print(answers(found))
        """
            .formatted(ReaderCases.MAX, ReaderCases.MAX);
    Set<String> different = new HashSet<>();
    int compared = 0;
    for (Path file : ReaderCases.goldenFiles()) {
      byte[] bytes = Files.readAllBytes(file);
      if (ReaderCases.variantOf(bytes) == ExpiringCuckooFilter.KIND.code() && compared < files) {
        compared++;
        ByteBuffer fields = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        boolean isOfInsertions = fields.getLong(48 + 5 * 8) == 1;
        long epochMillis = fields.getLong(48 + 2 * 8) / 15;
        long start = isOfInsertions ? 0 : fields.getLong(48 + 4 * 8) * epochMillis;
        List<String> expected = new ArrayList<>();
        for (int i = -1; i < 18; i++) {
          expected.add(ReaderCases.answers(bytes, start + i * epochMillis));
        }
        different.addAll(expected);
        expected.addAll(List.copyOf(expected));
        expected.add(expected.get(expected.size() - 1));
        Stream<?> input = Stream.of(HexFormat.of().formatHex(bytes), epochMillis, start);
        assertEquals(expected, script(program, input), file.toString());
      }
    }
    assertTrue(different.size() > 10, different.size() + " different answers");
  }

  /** Damage that checksums do not find: the reader refuses what the library refuses. */
  @Tag("deep")
  @Test
  void forgedFilesAreRefusedOrAnsweredForAsByTheLibrary() throws Exception {
    compareForgeries(20);
  }

  @Tag("campaign")
  @Test
  void manyForgedFilesAreRefusedOrAnsweredForAsByTheLibrary() throws Exception {
    compareForgeries(100);
  }

  private void compareForgeries(int forgeriesOfAFile) throws Exception {
    List<byte[]> files = new ArrayList<>();
    for (Path file : ReaderCases.goldenFiles()) {
      files.addAll(ReaderCases.forgeries(Files.readAllBytes(file), forgeriesOfAFile));
    }
    compareAnswers(files);
  }

  /** Applies deltas and prints what they make of a filter. */
  private static final String RESULTS =
      """
      import sys, bloomkit
      base = None
      for line in sys.stdin.read().split("\\n"):
          if base is None:
              base = bytes.fromhex(line)
              continue
          try:
              print(bloomkit.apply_delta(base, bytes.fromhex(line)).hex())
          except ValueError:
              print("refused")
      """;

  private static final Set<String> KINDS =
      FilterKind.installed().stream().map(FilterKind::label).collect(Collectors.toSet());

  @Test
  void deltasAreAppliedOrRefusedAsByTheLibrary() throws Exception {
    compareDeltas(Set.of("blocked", "dynamic-cuckoo", "scalable"), 40);
  }

  @Tag("deep")
  @Test
  void deltasOfAllKindsAreAppliedOrRefusedAsByTheLibrary() throws Exception {
    compareDeltas(KINDS, 60);
  }

  @Tag("campaign")
  @Test
  void manyForgedDeltasAreAppliedOrRefusedAsByTheLibrary() throws Exception {
    compareDeltas(KINDS, 300);
  }

  private void compareDeltas(Set<String> kinds, int forgeries) throws Exception {
    for (ReaderCases.Versions<?> versions : ReaderCases.versions(kinds, 200)) {
      List<byte[]> deltas = versions.hostileDeltas(forgeries);
      List<String> expected = new ArrayList<>();
      for (byte[] delta : deltas) {
        expected.add(versions.resultOf(delta));
      }
      assertEquals(HexFormat.of().formatHex(versions.after), expected.get(0));
      Stream<byte[]> lines = Stream.concat(Stream.of(versions.before), deltas.stream());
      List<String> results = script(RESULTS, lines.map(HexFormat.of()::formatHex));
      for (int i = 0; i < deltas.size(); i++) {
        String delta = HexFormat.of().formatHex(deltas.get(i));
        assertEquals(expected.get(i), results.get(i), () -> versions + ", delta " + delta);
      }
    }
  }

  @Test
  void aDeltaIsAppliedOnlyToTheVersionThatItIsFor() throws Exception {
    ReaderCases.Versions<Long> versions =
        ReaderCases.ofLongs("classic", HashStrategies.longs(), 1000);
    String program =
        """
        import sys, bloomkit
        before, delta, after = map(bytes.fromhex, sys.stdin.read().split("\\n"))
        for base in (after, delta, bloomkit.apply_delta(before, delta)):
            try:
                print(len(bloomkit.apply_delta(base, delta)))
            except ValueError as fault:
                print(fault)
        """;
    List<String> faults =
        script(
            program,
            Stream.of(versions.before, versions.delta, versions.after)
                .map(HexFormat.of()::formatHex));
    String applied = "but the base is that newer version already: the delta was applied before";
    assertTrue(faults.get(0).endsWith(applied), faults.get(0));
    assertTrue(faults.get(1).contains("but the base is a Delta of strategy"), faults.get(1));
    assertTrue(faults.get(2).endsWith(applied), faults.get(2));
  }

  /** Elements as {@link ReaderCases.Versions} makes them, and a digit for each answer. */
  private static final String DIGITS =
      """
      import sys, uuid, bloomkit
      def text(i):
          return ("key " if i %% 3 else "\\u0416\\U0001d11e \\u20ac") + str(i)
      def scattered(i):
          return i * 0x9E3779B97F4A7C15 & (1 << 64) - 1
      def long(i):
          value = scattered(i)
          return value - (value >> 63 << 64)
      ELEMENTS = {
          "texts": text,
          "bytes": lambda i: text(i).encode(),
          "longs": long,
          "uuids": lambda i: uuid.UUID(int=scattered(i) << 64 | i),
      }
      before, delta, elements, keys = sys.stdin.read().split("\\n")
      file = bloomkit.apply_delta(open(before, "rb").read(), open(delta, "rb").read())
      plain = bloomkit.read(file, clock=lambda: %d)
      keyed = "siphash24" in plain.strategy
      found = bloomkit.read(file, key=b"sixteen bytes...") if keyed else plain
      ask = found.count if found.counting else found.might_contain
      print("".join(str(min(9, int(ask(ELEMENTS[elements](i))))) for i in range(int(keys))))
      """
          .formatted(ReaderCases.MILLIS);

  @Test
  @Tag("deep")
  void aFilterChangedByADeltaAnswersAsInJava() throws Exception {
    for (ReaderCases.Versions<?> versions : ReaderCases.versions(KINDS, 10_000)) {
      compareDigits(versions, 10_000);
    }
  }

  @Tag("campaign")
  @Test
  void aFilterChangedByADeltaAnswersAsInJavaForManyKeys() throws Exception {
    int keys = Integer.getInteger("bloomkit.keys", 100_000);
    compareDigits(ReaderCases.ofLongs("dynamic-cuckoo", HashStrategies.longs(), keys), keys);
  }

  private void compareDigits(ReaderCases.Versions<?> versions, int keys) throws Exception {
    Path before = Files.write(folder.resolve("before"), versions.before);
    Path delta = Files.write(folder.resolve("delta"), versions.delta);
    Stream<?> lines = Stream.of(before, delta, versions.elementsName, keys);
    assertEquals(
        List.of(versions.answersAfter(keys)), script(DIGITS, lines), () -> versions.toString());
  }

  @Test
  void anotherKeyOrNoneIsNamed() throws Exception {
    ReaderCases.Versions<Long> versions =
        ReaderCases.ofLongs(
            "dynamic-cuckoo", HashStrategies.longs(HashStrategies.sipHash24(ReaderCases.KEY)), 10);
    String program =
        """
        import sys, bloomkit
        data = bytes.fromhex(sys.stdin.read())
        for key in (None, bytes(16), bytes(15)):
            try:
                print(1 in bloomkit.read(data, key=key))
            except (TypeError, ValueError) as fault:
                print(fault)
        """;
    List<String> faults = script(program, Stream.of(HexFormat.of().formatHex(versions.before)));
    assertTrue(faults.get(0).endsWith("has a secret key: pass key="), faults.get(0));
    assertEquals(
        List.of(
            "at byte 32: the filter was filled with another key of longs(siphash24)",
            "the key must have 16 bytes, got 15"),
        faults.subList(1, 3));
  }

  /** A stream without end takes no memory. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void anEndlessFileIsRefused() throws Exception {
    String program =
        """
        import os, sys, threading, tracemalloc, bloomkit
        def feed(pipe, good):
            try:
                os.write(pipe, good)
                while True:
                    os.write(pipe, bytes(4096))
            except BrokenPipeError:
                pass
        tracemalloc.start()
        for path in ["/dev/zero"] + sys.stdin.read().split("\\n"):
            pipe = path
            if path != "/dev/zero":
                pipe, into = os.pipe()
                good = open(path, "rb").read()
                thread = threading.Thread(target=feed, args=(into, good))
                thread.start()
            try:
                bloomkit.open_filter(pipe)
            except bloomkit.FormatError as fault:
                print(fault)
            if path != "/dev/zero":
                thread.join()
                os.close(into)
        print(tracemalloc.get_traced_memory()[1] < 1 << 20)
        """;
    List<String> expected =
        new ArrayList<>(
            List.of("at byte 0: this is no filter of Bloomkit; bloom inspect names other formats"));
    for (Path file : ReaderCases.goldenFiles()) {
      expected.add("at byte " + Files.size(file) + ": the filter ends here, but more bytes follow");
    }
    expected.add("True");
    assertEquals(expected, script(program, ReaderCases.goldenFiles().stream()));
  }

  /** The command line of Java hashes the bytes of a line, whatever they are. */
  @Test
  void aLineOfInvalidTextIsFoundAsItWasAdded() throws Exception {
    byte[] lines = "caf\u00e9\n\u00ff\n\ngood\n".getBytes(StandardCharsets.ISO_8859_1);
    Path file = folder.resolve("bytes");
    String input = new String(lines, StandardCharsets.ISO_8859_1);
    CommandRun.succeed(input, "build", "--kind=classic", "--items", 100, "-o", file);
    Result result = python(lines, READER, file, "-");
    assertEquals("", result.errors());
    assertEquals("caf\u00e9\t1\n\u00ff\t1\n\t1\ngood\t1\n", result.output());
  }

  @Test
  void elementsAreArguments() throws Exception {
    Path file = folder.resolve("texts");
    ClassicBloomFilter<CharSequence> texts =
        ClassicBloomFilter.create(HashStrategies.utf8(), 100, 0.001);
    texts.add("good");
    texts.add("-");
    texts.writeTo(file);
    Result result = python(new byte[0], READER, file, "good", "bad", "-", "two words");
    assertEquals("", result.errors());
    assertEquals("good\t1\nbad\t0\n-\t1\ntwo words\t0\n", result.output());
    Path counted = folder.resolve("counted");
    CountingBloomFilter<Long> longs =
        CountingBloomFilter.create(HashStrategies.longs(), 100, 0.001);
    longs.add(-7L);
    longs.add(-7L);
    longs.writeTo(counted);
    assertEquals("-7\t2\n8\t0\n", python(new byte[0], READER, counted, "-7", "8").output());
    result = python(new byte[0], READER, counted, "8", "x");
    assertEquals(1, result.exit());
    assertEquals("argument 2 is no 64-bit integer: b'x'", result.errors().strip());
  }

  @Test
  void linesThatAreNoNumbersAreNamed() throws Exception {
    Path file = folder.resolve("longs");
    ClassicBloomFilter.<Long>create(HashStrategies.longs(), 100, 0.01).writeTo(file);
    for (String wrong : List.of("seventeen", "1_7", "- 7")) {
      byte[] lines = (" +17 \n" + wrong + "\n").getBytes(StandardCharsets.US_ASCII);
      Result result = python(lines, READER, file, "-");
      assertEquals(1, result.exit());
      assertEquals(
          "standard input: line 2 is no 64-bit integer: b'" + wrong + "'", result.errors().strip());
    }
  }

  @Test
  void aStrategyThatTheReaderDoesNotKnowIsNamed() throws Exception {
    Path file = folder.resolve("unknown");
    HashStrategy<byte[]> unknown = HashStrategy.of("mine", (byte[] bytes) -> bytes.length);
    ClassicBloomFilter.create(unknown, 100, 0.01).writeTo(file);
    Result result = python(new byte[] {'a', '\n'}, READER, file, "-");
    assertEquals(1, result.exit());
    assertTrue(
        result.errors().startsWith(file + ": the strategy mine#")
            && result
                .errors()
                .strip()
                .endsWith(
                    " is a function in Java, which is not supported: pass hashes, or fill the"
                        + " filter in Java by bytes(), utf8(), longs() or uuids()"),
        result.errors());
  }

  @Test
  void aFilterByAFieldIsQueriedWithTheField() throws Exception {
    record User(String email, long id) {}
    User alice = new User("alice@example.org", -7);
    BytesHashStrategy sip = HashStrategies.sipHash24(ReaderCases.KEY);
    List<HashStrategy<User>> strategies =
        List.of(
            HashStrategies.utf8().on("email", User::email),
            HashStrategies.utf8().on("email", User::email, alice, new User("", 0)),
            HashStrategies.utf8(sip).on("email", User::email, alice),
            HashStrategies.longs().on("id", User::id, alice));
    Path file = folder.resolve("users");
    String program =
        """
        import sys, bloomkit
        def answers(key=None, probes=(), fields=("bob@example.org", "?")):
            found = bloomkit.open_filter(sys.stdin.read(), key=key, probes=probes)
            return [field in found for field in fields]
        """;
    List<String> calls =
        List.of(
            "answers()",
            "answers(probes=['alice@example.org', ''])",
            "answers(b'sixteen bytes...', ['alice@example.org'])",
            "answers(probes=[-7], fields=(2, 3))");
    for (int i = 0; i < strategies.size(); i++) {
      ClassicBloomFilter<User> users = ClassicBloomFilter.create(strategies.get(i), 100, 0.001);
      users.add(new User("bob@example.org", 2));
      users.writeTo(file);
      assertEquals(
          List.of("[True, False]"),
          script(program + "print(" + calls.get(i) + ")\n", Stream.of(file)),
          calls.get(i));
    }
    Result result = python(new byte[0], READER, "--probe=-7", file, "2", "3");
    assertEquals("2\t1\n3\t0\n", result.output(), result.errors());
    result = python(new byte[0], READER, "--probe=-8", file, "2");
    assertEquals(1, result.exit());
    assertTrue(result.errors().startsWith(file + ": the strategy on(id=longs(rrmxmx))#"));
    assertTrue(
        result
            .errors()
            .strip()
            .endsWith(
                " was made with other probes or a key than were given: pass --probe, the field of"
                    + " each probe in Java"),
        result.errors());
  }

  @Test
  void theFolderOfADurableFilterIsQueriedOnTheCommandLine(@TempDir Path folder) throws Exception {
    try (DurableFilter<Long> filter =
        DurableFilter.open(
            folder, CountingBloomFilter.builder(HashStrategies.longs()).expecting(60, 0.01))) {
      filter.add(5L);
      filter.add(5L);
    }
    Result result = python(new byte[0], READER, folder, "5", "6");
    assertEquals("5\t2\n6\t0\n", result.output(), result.errors());
    String open = "import bloomkit, sys; bloomkit.open_%s(sys.argv[1])";
    String fault = python(new byte[0], "-c", open.formatted("filter"), folder).errors();
    assertTrue(fault.strip().endsWith(folder + " is a folder: see open_folder"), fault);
    fault = python(new byte[0], "-c", "import bloomkit; bloomkit.read('a.bloom')").errors();
    assertTrue(fault.contains("data must be bytes; open_filter reads"), fault);
    Path empty = Files.createDirectory(this.folder.resolve("empty"));
    assertEquals(
        empty + ": this folder has no durable filter: the file identity is missing",
        python(new byte[0], READER, empty, "5").errors().strip());
    Files.copy(folder.resolve("identity"), empty.resolve("identity"));
    assertEquals(
        empty + ": the snapshot of this folder is missing: restore it from a backup",
        python(new byte[0], READER, empty, "5").errors().strip());
  }

  @Test
  void aKeyFileOpensAFilterOnTheCommandLine() throws Exception {
    Path file = folder.resolve("keyed");
    ClassicBloomFilter<byte[]> filter =
        ClassicBloomFilter.create(HashStrategies.sipHash24(ReaderCases.KEY), 100, 0.001);
    filter.add(new byte[] {'a'});
    filter.writeTo(file);
    byte[] lines = "a\nb\n".getBytes(US_ASCII);
    Result result = python(lines, READER, file, "-");
    assertEquals(1, result.exit());
    assertTrue(result.errors().startsWith(file + ": the strategy siphash24#"), result.errors());
    assertTrue(
        result.errors().strip().endsWith(" has a secret key: pass --key-file"), result.errors());
    Path key = folder.resolve("key");
    Files.writeString(key, HexFormat.of().formatHex(ReaderCases.KEY) + "\n");
    result = python(lines, READER, "--key-file", key, file, "-");
    assertEquals("", result.errors());
    assertEquals("a\t1\nb\t0\n", result.output());
    Files.writeString(key, "0".repeat(32));
    assertEquals(
        file + ": at byte 32: the filter was filled with another key of siphash24",
        python(lines, READER, "--key-file", key, file, "-").errors().strip());
    Files.writeString(key, "secret");
    assertEquals(
        key + ": must contain a key of 32 hexadecimal digits",
        python(lines, READER, "--key-file", key, file, "-").errors().strip());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void aClosedPipeEndsTheReaderQuietly() throws Exception {
    Path file = folder.resolve("some");
    ClassicBloomFilter.create(HashStrategies.utf8(), 100, 0.01).writeTo(file);
    Path errors = folder.resolve("errors");
    ProcessBuilder shell =
        new ProcessBuilder(
            "sh", "-c", "yes | head -n 200000 | python3 \"$0\" \"$1\" - | head -n 1");
    shell.command().addAll(List.of(READER.toString(), file.toString()));
    Process process = shell.redirectError(errors.toFile()).start();
    assertEquals("y\t0\n", new String(process.getInputStream().readAllBytes(), US_ASCII));
    process.waitFor();
    assertEquals("", Files.readString(errors));
  }

  /** A sparse filter is fourteen times as large as its code. */
  @Test
  @Tag("deep")
  void readingTakesAtMostSixteenTimesTheBytes() throws Exception {
    String program =
        """
        import sys, tracemalloc, bloomkit
        for path in sys.stdin.read().split("\\n"):
            tracemalloc.start()
            try:
                found = 0 in bloomkit.open_filter(path)
            except bloomkit.FormatError:
                found = "refused"
            print(tracemalloc.get_traced_memory()[1], found)
            tracemalloc.stop()
        """;
    Map<String, byte[]> files = ReaderCases.densestFiles(KINDS);
    assertEquals(KINDS, files.keySet());
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      byte[] good = file.getValue();
      Path path = Files.write(folder.resolve("good"), good);
      Path forged = Files.write(folder.resolve("forged"), ReaderCases.promisingTooMuch(good));
      List<String> answers = script(program, Stream.of(path, forged));
      assertTrue(answers.get(0).endsWith(" True"), answers.get(0));
      assertTrue(answers.get(1).endsWith(" refused"), answers.get(1));
      for (String answer : answers) {
        long peak = Long.parseLong(answer.substring(0, answer.indexOf(' ')));
        String found = file.getKey() + " of " + good.length + " bytes: " + peak + " of memory";
        assertTrue(
            peak <= FileChecks.MEMORY_PER_BYTE * good.length + FileChecks.MEMORY_AT_ONCE, found);
      }
    }
  }

  /** Two checksums find them all; the program prints what it read in spite of it. */
  @Test
  @Tag("deep")
  void everyFlippedBitAndEveryTruncationIsRefused() throws Exception {
    String program =
        """
        import sys, bloomkit
        for path in sys.stdin.read().split("\\n"):
            good = open(path, "rb").read()
            bad = [good[:length] for length in range(len(good))] + [good + b"\\0"]
            for bit in range(0, 8 * len(good)):
                flipped = bytearray(good)
                flipped[bit >> 3] ^= 1 << (bit & 7)
                bad.append(flipped)
            for data in bad:
                try:
                    print(path, bloomkit.read(data))
                except bloomkit.FormatError:
                    pass
        """;
    assertEquals(
        List.of(),
        script(
            program,
            Stream.of(
                    "blocked-planned.bloom",
                    "classic-one.bloom",
                    "counting-sparse.bloom",
                    "blocked-counting-sparse.bloom",
                    "cuckoo-stash.bloom",
                    "dynamic-cuckoo-wide.bloom",
                    "expiring-cuckoo-wide.bloom",
                    "scalable-one.bloom",
                    "guava-planned.bloom")
                .map(ReaderCases::goldenFile)));
  }

  @Test
  void hashesOfEveryLengthAreThoseOfTheLibrary() throws Exception {
    BytesHashStrategy plain = HashStrategies.bytes();
    BytesHashStrategy keyed = HashStrategies.sipHash24(ReaderCases.KEY);
    SplittableRandom random = new SplittableRandom(20261123);
    List<String> lines = new ArrayList<>();
    List<String> hashes = new ArrayList<>();
    for (int length = 0; length < 4200; length += length < 1100 ? 1 : 61) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      lines.add(HexFormat.of().formatHex(bytes));
      hashes.add(HexFormat.of().toHexDigits(plain.hash(bytes)));
      hashes.add(HexFormat.of().toHexDigits(keyed.hash(bytes)));
    }
    String program =
        """
        import sys, bloomkit
        for line in sys.stdin.read().split("\\n"):
            print("%016x" % bloomkit.xxh3(bytes.fromhex(line)))
            print("%016x" % bloomkit.siphash24(b"sixteen bytes...", bytes.fromhex(line)))
        """;
    assertEquals(hashes, script(program, lines.stream()));
  }
}
