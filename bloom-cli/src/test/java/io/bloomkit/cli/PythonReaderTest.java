package io.bloomkit.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FlatShape;
import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.testkit.file.FileChecks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The reader in contrib/bloomkit.py, where there is a Python to run it. */
class PythonReaderTest {

  private static final Path CONTRIB = Path.of("..", "contrib").toAbsolutePath();
  private static final Path READER = CONTRIB.resolve("bloomkit.py");
  private static final int LAST_KIND_READ = 4;

  @TempDir private Path folder;

  private interface Builder<T> {
    InsertableFilter<T> build(HashStrategy<? super T> strategy, long elements, double fpp);
  }

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

  /** What a process has printed. */
  private static final class Result {

    private final int exit;
    private final byte[] output;
    private final String errors;

    Result(int exit, byte[] output, String errors) {
      this.exit = exit;
      this.output = output;
      this.errors = errors;
    }

    int exit() {
      return exit;
    }

    byte[] output() {
      return output;
    }

    String errors() {
      return errors;
    }
  }

  private Result python(byte[] input, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3"));
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    ProcessBuilder process = new ProcessBuilder(command);
    process.environment().put("PYTHONPATH", CONTRIB.toString());
    process.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Path errors = folder.resolve("errors");
    Path output = folder.resolve("output");
    int exit =
        process
            .redirectInput(Files.write(folder.resolve("input"), input).toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start()
            .waitFor();
    return new Result(exit, Files.readAllBytes(output), Files.readString(errors));
  }

  /** Runs a program that reads text lines. */
  private List<String> script(String program, Stream<?> lines) throws Exception {
    String input = String.join("\n", lines.map(String::valueOf).toList());
    Result result = python(input.getBytes(StandardCharsets.UTF_8), "-c", program);
    assertEquals("", result.errors());
    return new String(result.output(), StandardCharsets.UTF_8).lines().toList();
  }

  private static List<Path> goldenFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String module : List.of("bloom-classic", "bloom-counting", "bloom-scalable")) {
      Path golden = Path.of("..", module, "src", "test", "resources", "golden-files");
      try (Stream<Path> all = Files.list(golden)) {
        all.sorted().forEach(files::add);
      }
    }
    return files;
  }

  private static int kindOf(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return FilterHeader.readFrom(in).variant();
    }
  }

  private static StorableFilter<Long> read(Path file) throws IOException {
    LongHashStrategy longs = HashStrategies.longs();
    return switch (kindOf(file)) {
      case 1 -> ClassicBloomFilter.readFrom(file, longs);
      case 2 -> BlockedBloomFilter.readFrom(file, longs);
      case 3 -> CountingBloomFilter.readFrom(file, longs);
      default -> BlockedCountingBloomFilter.readFrom(file, longs);
    };
  }

  private static <T> long answer(StorableFilter<T> filter, T element) {
    return filter instanceof DeletableFilter<T> counting
        ? counting.count(element)
        : filter.mightContain(element) ? 1 : 0;
  }

  @Test
  @Tag("deep")
  void everyGoldenFileIsAnsweredForOrRefusedByItsKind() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (long element = -1000; element < 1000; element++) {
      lines.append(element).append('\n');
    }
    byte[] input = lines.toString().getBytes(StandardCharsets.US_ASCII);
    int answered = 0;
    List<Path> others = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    for (Path file : goldenFiles()) {
      int kind = kindOf(file);
      if (kind > LAST_KIND_READ) {
        others.add(file);
        refusals.add("at byte 10: variant " + kind + " is not read here");
      } else {
        Result result = python(input, READER, file, "-");
        StorableFilter<Long> filter = read(file);
        StringBuilder expected = new StringBuilder();
        for (long element = -1000; element < 1000; element++) {
          expected.append(element).append('\t').append(answer(filter, element)).append('\n');
        }
        assertEquals("", result.errors());
        assertEquals(expected.toString(), new String(result.output(), StandardCharsets.US_ASCII));
        answered++;
      }
    }
    assertTrue(answered >= 21, "answered: " + answered);
    Result refused = python(input, READER, others.get(0), "-");
    assertEquals(1, refused.exit());
    assertEquals(others.get(0) + ": " + refusals.get(0), refused.errors().strip());
    String program =
        """
        import sys, bloomkit
        for path in sys.stdin.read().split("\\n"):
            try:
                print(bloomkit.open_filter(path))
            except bloomkit.FormatError as fault:
                print(fault)
        """;
    assertEquals(refusals, script(program, others.stream()));
  }

  /** The command line of Java hashes the bytes of a line, whatever they are. */
  @Test
  void aLineOfInvalidTextIsFoundAsItWasAdded() throws Exception {
    byte[] lines = "caf\u00e9\n\u00ff\n\ngood\n".getBytes(StandardCharsets.ISO_8859_1);
    for (String strategy : List.of("utf8", "bytes")) {
      Path file = folder.resolve(strategy);
      String input = new String(lines, StandardCharsets.ISO_8859_1);
      CommandRun.succeed(input, "build", "--strategy", strategy, "--items", 100, "-o", file);
      Result result = python(lines, READER, file, "-");
      assertEquals("", result.errors());
      assertEquals(
          "caf\u00e9\t1\n\u00ff\t1\n\t1\ngood\t1\n",
          new String(result.output(), StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  void linesThatAreNoNumbersAreNamed() throws Exception {
    Path file = folder.resolve("longs");
    ClassicBloomFilter.<Long>create(HashStrategies.longs(), 100, 0.01).writeTo(file);
    byte[] lines = "17\nseventeen\n".getBytes(StandardCharsets.US_ASCII);
    Result result = python(lines, READER, file, "-");
    assertEquals(1, result.exit());
    assertEquals(
        "standard input: line 2 is no 64-bit integer: b'seventeen'", result.errors().strip());
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
                .endsWith(" is not supported; query it with hashes, from Python"),
        result.errors());
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
  void readingTakesAtMostSixteenTimesTheBytes() throws Exception {
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(HashStrategies.longs()).shape(new FlatShape(1 << 22, 7)).build();
    filter.add(42L);
    Path file = folder.resolve("sparse");
    filter.writeTo(file);
    String program =
        """
        import sys, tracemalloc, bloomkit
        path = sys.stdin.read()
        tracemalloc.start()
        found = bloomkit.open_filter(path)
        print(tracemalloc.get_traced_memory()[1], 42 in found, 43 in found)
        """;
    String[] answers = script(program, Stream.of(file)).get(0).split(" ", -1);
    long peak = Long.parseLong(answers[0]);
    long most = FileChecks.MEMORY_PER_BYTE * Files.size(file) + FileChecks.MEMORY_AT_ONCE;
    assertTrue(peak <= most, peak + " bytes of memory, at most " + most);
    assertEquals("True False", answers[1] + " " + answers[2]);
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
            goldenFiles().stream()
                .filter(
                    file ->
                        file.endsWith("blocked-planned.bloom")
                            || file.endsWith("classic-one.bloom")
                            || file.endsWith("counting-sparse.bloom")
                            || file.endsWith("blocked-counting-overflowed.bloom"))));
  }

  /** Damage that checksums do not find: each has the right ones, and is refused or read. */
  @Tag("deep")
  @Test
  void forgedHeadersNeverBreakTheReader() throws Exception {
    String program =
        """
        import random, sys, struct, bloomkit
        random.seed(20261123)
        for path in sys.stdin.read().split("\\n"):
            good = open(path, "rb").read()
            length = struct.unpack_from("<I", good, 12)[0]
            for _ in range(20000):
                forged = bytearray(good)
                for _ in range(random.randint(1, 3)):
                    at = random.randrange(8, length - 4)
                    forged[at] = random.choice((0, 1, 255, random.randrange(256)))
                end = struct.unpack_from("<I", forged, 12)[0]
                if 16 <= end <= len(forged):
                    struct.pack_into("<I", forged, end - 4, bloomkit.crc32c(forged[: end - 4]))
                try:
                    bloomkit.read(forged).might_contain_hash(1)
                except bloomkit.FormatError:
                    pass
        """;
    assertEquals(
        List.of(),
        script(
            program,
            goldenFiles().stream()
                .filter(
                    file ->
                        file.endsWith("classic-sparse.bloom")
                            || file.endsWith("blocked-counting-overflowed.bloom"))));
  }

  @Test
  void hashesOfEveryLengthAreThoseOfTheLibrary() throws Exception {
    BytesHashStrategy strategy = HashStrategies.bytes();
    SplittableRandom random = new SplittableRandom(20261123);
    List<String> lines = new ArrayList<>();
    List<String> hashes = new ArrayList<>();
    for (int length = 0; length < 4200; length += length < 1100 ? 1 : 61) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      lines.add(HexFormat.of().formatHex(bytes));
      hashes.add(HexFormat.of().toHexDigits(strategy.hash(bytes)));
    }
    String program =
        """
        import sys, bloomkit
        for line in sys.stdin.read().split("\\n"):
            print("%016x" % bloomkit.xxh3(bytes.fromhex(line)))
        """;
    assertEquals(hashes, script(program, lines.stream()));
  }

  @Test
  void aHundredThousandKeysAreAnsweredForAsByTheLibrary() throws Exception {
    IntFunction<String> texts = i -> (i % 3 == 0 ? "\u0416\ud834\udd1e " : "key ") + i;
    IntFunction<byte[]> arrays = PythonReaderTest::lineOfBytes;
    List<Builder<CharSequence>> ofTexts =
        List.of(
            ClassicBloomFilter::create,
            BlockedBloomFilter::create,
            CountingBloomFilter::create,
            BlockedCountingBloomFilter::create);
    for (Builder<CharSequence> builder : ofTexts) {
      compare(
          builder.build(HashStrategies.utf8(), 6000, 0.01),
          12_500,
          texts,
          text -> text.toString().getBytes(StandardCharsets.UTF_8));
    }
    List<Builder<byte[]>> ofArrays =
        List.of(
            ClassicBloomFilter::create,
            BlockedBloomFilter::create,
            CountingBloomFilter::create,
            BlockedCountingBloomFilter::create);
    for (Builder<byte[]> builder : ofArrays) {
      compare(builder.build(HashStrategies.bytes(), 6000, 0.01), 12_500, arrays, bytes -> bytes);
    }
  }

  private static byte[] lineOfBytes(int i) {
    SplittableRandom random = new SplittableRandom(i);
    byte[] bytes = new byte[random.nextInt(4, 300)];
    random.nextBytes(bytes);
    for (int j = 0; j < bytes.length; j++) {
      bytes[j] = bytes[j] == '\n' ? 0 : bytes[j];
    }
    return bytes;
  }

  private interface Encoding<T> {
    byte[] bytesOf(T element);
  }

  /** Half of the keys are added, some of them up to twenty times. */
  private <T> void compare(
      InsertableFilter<T> filter, int keys, IntFunction<? extends T> elements, Encoding<T> encoding)
      throws Exception {
    ByteArrayOutputStream input = new ByteArrayOutputStream();
    for (int i = 0; i < keys; i++) {
      T element = elements.apply(i);
      for (int copies = i % 2 == 0 ? 0 : i % 100 == 1 ? 20 : 1; copies > 0; copies--) {
        filter.add(element);
      }
      input.writeBytes(encoding.bytesOf(element));
      input.write('\n');
    }
    StorableFilter<T> stored = (StorableFilter<T>) filter;
    Path file = folder.resolve("filter");
    stored.writeTo(file);
    Result result = python(input.toByteArray(), READER, file, "-");
    assertEquals("", result.errors());
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < keys; i++) {
      T element = elements.apply(i);
      expected.writeBytes(encoding.bytesOf(element));
      String answer = "\t" + answer(stored, element) + "\n";
      expected.writeBytes(answer.getBytes(StandardCharsets.US_ASCII));
    }
    assertEquals(
        HexFormat.of().formatHex(expected.toByteArray()),
        HexFormat.of().formatHex(result.output()),
        filter.toString());
  }
}
