package io.bloomkit.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.pages.Node;
import io.bloomkit.cli.pages.PageScripts;
import io.bloomkit.formattests.FileChecks;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The reader in contrib/bloomkit.mjs: by Node where it is on the PATH, and by GraalJS. {@code
 * -Dbloomkit.keys=1000000} sets the number of keys of the campaign.
 */
@EnabledForJreRange(max = JRE.JAVA_21) // those on which GraalJS 23.1 runs
class JavaScriptReaderTest {

  private static final Path READER = PageScripts.READER.toAbsolutePath();
  private static final Set<Integer> VARIANTS_READ = Set.of(1, 2, 10);
  private static final Set<String> KINDS = Set.of("classic", "blocked", "dynamic-cuckoo");
  private static final HexFormat HEX = HexFormat.of();

  @TempDir private static Path folder;

  /** What runs a function of the module and of a text, and returns the text that it returns. */
  private interface Engine {

    String run(String function, String input) throws Exception;

    default void end() {}
  }

  private static final class Graal implements Engine {

    private final PageScripts scripts = new PageScripts();
    private final Value module = scripts.reader();

    Graal() throws IOException {}

    @Override
    public String run(String function, String input) {
      return scripts.call(function, module, input).asString();
    }

    @Override
    public void end() {
      scripts.close();
    }

    @Override
    public String toString() {
      return "GraalJS";
    }
  }

  private static final class NodeEngine implements Engine {

    @Override
    public String run(String function, String input) throws IOException, InterruptedException {
      Path program = folder.resolve("program.mjs");
      Files.writeString(
          program,
          "import * as bloomkit from '"
              + READER.toUri()
              + "';\nimport { readFileSync, writeSync } from 'node:fs';\n"
              + "import process from 'node:process';\n"
              + "const run = "
              + function
              + ";\nprocess.stdout.write(run(bloomkit, readFileSync(0, 'utf8')));\n");
      return Node.run(program, input);
    }

    @Override
    public String toString() {
      return "Node";
    }
  }

  private static final List<Engine> ENGINES = new ArrayList<>();

  private static synchronized List<Engine> engines() throws IOException, InterruptedException {
    if (ENGINES.isEmpty()) {
      ENGINES.add(new Graal());
      ENGINES.addAll(node());
    }
    return ENGINES;
  }

  private static List<Engine> node() throws IOException, InterruptedException {
    return Node.isInstalled() ? List.of(new NodeEngine()) : List.of();
  }

  /** Node needs a tenth of the time. */
  private static List<Engine> fastestEngine() throws IOException, InterruptedException {
    return node().isEmpty() ? engines() : node();
  }

  @AfterAll
  static void endEngines() {
    ENGINES.forEach(Engine::end);
    ENGINES.clear();
  }

  private static List<String> lines(Engine engine, String function, Stream<?> lines)
      throws Exception {
    String input = String.join("\n", lines.map(String::valueOf).toList());
    return engine.run(function, input).lines().toList();
  }

  private static Stream<String> hex(Stream<byte[]> arrays) {
    return arrays.map(HEX::formatHex);
  }

  private static final String FROM_HEX =
      "const fromHex = (text) =>"
          + " Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));\n";

  /** The answers for each file, as {@link ReaderCases#answers} gives them. */
  private static final String ANSWERS =
      """
      (bloomkit, input) => {
        %s
        const answers = (data) => {
          try {
            const found = bloomkit.open(data);
            const all = [];
            for (let number = -%d; number <= %d; number++) {
              all.push(found.counting ? found.count(number) : +found.mightContain(number));
            }
            return all.join(" ");
          } catch (error) {
            if (
              error instanceof bloomkit.FormatError ||
              (error instanceof TypeError && error.message.includes("which is not supported: pass hashes"))
            ) {
              return "refused";
            }
            throw error;
          }
        };
        return input.split("\\n").map((line) => answers(fromHex(line))).join("\\n");
      }
      """
          .formatted(FROM_HEX, ReaderCases.MAX, ReaderCases.MAX);

  private static void compareAnswers(Engine engine, List<byte[]> files) throws Exception {
    List<String> answers = lines(engine, ANSWERS, hex(files.stream()));
    for (int i = 0; i < files.size(); i++) {
      String file = HEX.formatHex(files.get(i));
      assertEquals(ReaderCases.answers(files.get(i)), answers.get(i), () -> "of " + file);
    }
  }

  private static List<byte[]> goldenFiles() throws IOException {
    List<byte[]> files = new ArrayList<>();
    for (Path file : ReaderCases.goldenFiles()) {
      byte[] bytes = Files.readAllBytes(file);
      if (VARIANTS_READ.contains(ReaderCases.variantOf(bytes))) {
        files.add(bytes);
      }
    }
    return files;
  }

  @ParameterizedTest
  @MethodSource("fastestEngine")
  void everyGoldenFileIsAnsweredForAsByTheLibrary(Engine engine) throws Exception {
    assertTrue(goldenFiles().size() >= 17, "golden files: " + goldenFiles().size());
    compareAnswers(engine, goldenFiles());
  }

  /** Damage that checksums do not find: the reader refuses what the library refuses. */
  @Tag("deep")
  @ParameterizedTest
  @MethodSource("engines")
  void forgedFilesAreRefusedOrAnsweredForAsByTheLibrary(Engine engine) throws Exception {
    compareForgeries(engine, 2);
  }

  @Tag("campaign")
  @ParameterizedTest
  @MethodSource("engines")
  void manyForgedFilesAreRefusedOrAnsweredForAsByTheLibrary(Engine engine) throws Exception {
    compareForgeries(engine, engine instanceof NodeEngine ? 300 : 30);
  }

  private static void compareForgeries(Engine engine, int forgeriesOfAFile) throws Exception {
    List<byte[]> files = new ArrayList<>();
    for (byte[] golden : goldenFiles()) {
      files.addAll(ReaderCases.forgeries(golden, forgeriesOfAFile));
    }
    compareAnswers(engine, files);
  }

  /** What is read in spite of damage: each truncation, and some flips of a bit. */
  private static final String FLIPS =
      """
      (bloomkit, input) => {
        %s
        const found = [];
        const step = Number(input.slice(0, input.indexOf(" ")));
        const good = fromHex(input.slice(input.indexOf(" ") + 1));
        const attempt = (bytes, name) => {
          try {
            bloomkit.open(bytes);
            found.push(name);
          } catch (error) {
            if (!(error instanceof bloomkit.FormatError)) {
              throw error;
            }
          }
        };
        for (let length = 0; length < good.length; length++) {
          attempt(good.slice(0, length), `length ${length}`);
        }
        for (let bit = 0; bit < 8 * good.length; bit += step) {
          const bytes = good.slice();
          bytes[bit >> 3] ^= 1 << (bit & 7);
          attempt(bytes, `bit ${bit}`);
        }
        return found.join("\\n");
      }
      """
          .formatted(FROM_HEX);

  private static void flip(Engine engine, int step) throws Exception {
    for (String name :
        List.of("classic-one.bloom", "blocked-planned.bloom", "dynamic-cuckoo-wide.bloom")) {
      byte[] good = Files.readAllBytes(ReaderCases.goldenFile(name));
      assertEquals("", engine.run(FLIPS, step + " " + HEX.formatHex(good)), name);
    }
  }

  @ParameterizedTest
  @MethodSource("fastestEngine")
  void flippedBitsAndTruncationsAreRefused(Engine engine) throws Exception {
    flip(engine, 31);
  }

  @Tag("deep")
  @ParameterizedTest
  @MethodSource("engines")
  void manyFlippedBitsAreRefused(Engine engine) throws Exception {
    flip(engine, engine instanceof NodeEngine ? 1 : 7);
  }

  private static final String RESULTS =
      """
      (bloomkit, input) => {
        %s
        const [base, ...deltas] = input.split("\\n").map(fromHex);
        const result = (delta) => {
          try {
            const bytes = bloomkit.applyDelta(base, delta);
            return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
          } catch (error) {
            if (error instanceof bloomkit.FormatError || error.constructor === Error) {
              return "refused";
            }
            throw error;
          }
        };
        return deltas.map(result).join("\\n");
      }
      """
          .formatted(FROM_HEX);

  @Tag("deep")
  @ParameterizedTest
  @MethodSource("engines")
  void deltasAreAppliedOrRefusedAsByTheLibrary(Engine engine) throws Exception {
    compareDeltas(engine, 8);
  }

  @Tag("campaign")
  @ParameterizedTest
  @MethodSource("engines")
  void manyForgedDeltasAreAppliedOrRefusedAsByTheLibrary(Engine engine) throws Exception {
    compareDeltas(engine, engine instanceof NodeEngine ? 1000 : 100);
  }

  private static void compareDeltas(Engine engine, int forgeries) throws Exception {
    for (ReaderCases.Versions<?> versions : ReaderCases.versions(KINDS, 200)) {
      List<byte[]> deltas = versions.hostileDeltas(forgeries);
      Stream<byte[]> input = Stream.concat(Stream.of(versions.before), deltas.stream());
      List<String> results = lines(engine, RESULTS, hex(input));
      assertEquals(HEX.formatHex(versions.after), results.get(0), () -> versions.toString());
      for (int i = 0; i < deltas.size(); i++) {
        String delta = HEX.formatHex(deltas.get(i));
        assertEquals(
            versions.resultOf(deltas.get(i)), results.get(i), () -> versions + ", delta " + delta);
      }
    }
  }

  /** Elements as {@link ReaderCases.Versions} makes them, and a digit for each answer. */
  private static final String DIGITS =
      """
      (bloomkit, input) => {
        %s
        const [before, delta, elements, keys] = input.split("\\n");
        const text = (i) => (i %% 3 ? "key " : "\\u0416\\ud834\\udd1e \\u20ac") + i;
        const scattered = (i) => BigInt(i) * 0x9e3779b97f4a7c15n;
        const digits = (value) => BigInt.asUintN(64, value).toString(16).padStart(16, "0");
        const element = {
          texts: text,
          bytes: (i) =>
            Uint8Array.from(unescape(encodeURIComponent(text(i))), (c) => c.charCodeAt(0)),
          longs: (i) => BigInt.asIntN(64, scattered(i)),
          uuids: (i) =>
            (digits(scattered(i)) + digits(BigInt(i)))
              .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
        }[elements];
        const file = bloomkit.applyDelta(fromHex(before), fromHex(delta));
        const plain = bloomkit.open(file);
        const key = Uint8Array.from("sixteen bytes...", (c) => c.charCodeAt(0));
        const found = plain.strategy.includes("siphash24") ? bloomkit.open(file, { key }) : plain;
        const answers = [];
        for (let i = 0; i < Number(keys); i++) {
          const e = element(i);
          answers.push(Math.min(9, Number(found.counting ? found.count(e) : found.mightContain(e))));
        }
        return answers.join("");
      }
      """
          .formatted(FROM_HEX);

  private static void compareDigits(Engine engine, ReaderCases.Versions<?> versions, int keys)
      throws Exception {
    Stream<String> files = hex(Stream.of(versions.before, versions.delta));
    Stream<?> input = Stream.concat(files, Stream.of(versions.elementsName, keys));
    assertEquals(
        List.of(versions.answersAfter(keys)),
        lines(engine, DIGITS, input),
        () -> versions.toString());
  }

  @Tag("deep")
  @ParameterizedTest
  @MethodSource("engines")
  void aFilterChangedByADeltaAnswersAsInJava(Engine engine) throws Exception {
    int keys = engine instanceof NodeEngine ? 10_000 : 1_000; // GraalJS interprets here
    for (ReaderCases.Versions<?> versions : ReaderCases.versions(KINDS, keys)) {
      compareDigits(engine, versions, keys);
    }
    compareDigits(engine, ReaderCases.ofLongs("blocked", HashStrategies.longs(), keys), keys);
  }

  @Tag("campaign")
  @ParameterizedTest
  @MethodSource("engines")
  void aFilterChangedByADeltaAnswersAsInJavaForManyKeys(Engine engine) throws Exception {
    int most = Integer.getInteger("bloomkit.keys", 100_000);
    int keys = engine instanceof NodeEngine ? most : Math.min(most, 20_000);
    compareDigits(
        engine, ReaderCases.ofLongs("dynamic-cuckoo", HashStrategies.longs(), keys), keys);
  }

  private static final String HASHES =
      """
      (bloomkit, input) => {
        %s
        const [file, ...elements] = input.split("\\n").map(fromHex);
        const key = Uint8Array.from("sixteen bytes...", (c) => c.charCodeAt(0));
        const isKeyed = bloomkit.open(file).strategy === "siphash24";
        const found = bloomkit.open(file, isKeyed ? { key } : {});
        return elements
          .map((bytes) => found.hash(bytes).toString(16).padStart(16, "0"))
          .join("\\n");
      }
      """
          .formatted(FROM_HEX);

  @ParameterizedTest
  @MethodSource("fastestEngine")
  void hashesOfEveryLengthAreThoseOfTheLibrary(Engine engine) throws Exception {
    SplittableRandom random = new SplittableRandom(20261127);
    List<byte[]> elements = new ArrayList<>();
    for (int length = 0; length < 3300; length += length < 300 ? 1 : 127) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      elements.add(bytes);
    }
    BytesHashStrategy sip = HashStrategies.sipHash24(ReaderCases.KEY);
    for (BytesHashStrategy strategy : List.of(HashStrategies.bytes(), sip)) {
      byte[] file = ClassicBloomFilter.create(strategy, 1, 0.5).toBytes();
      Stream<byte[]> input = Stream.concat(Stream.of(file), elements.stream());
      assertEquals(
          elements.stream().map(bytes -> HEX.toHexDigits(strategy.hash(bytes))).toList(),
          lines(engine, HASHES, hex(input)),
          strategy.id());
    }
  }

  private static final String FAULTS =
      """
      (bloomkit, input) => {
        %s
        const data = fromHex(input);
        const attempt = (action) => {
          try {
            return action();
          } catch (error) {
            return `${error.name}: ${error.message}`;
          }
        };
        return [
          attempt(() => bloomkit.open(data).mightContain("a")),
          attempt(() => bloomkit.open(data, { key: new Uint8Array(16) }).mightContain("a")),
          attempt(() => bloomkit.open(data).mightContain("a\\ud800b")),
        ].join("\\n");
      }
      """
          .formatted(FROM_HEX);

  private static List<String> faults(Engine engine, byte[] file) throws Exception {
    return lines(engine, FAULTS, Stream.of(HEX.formatHex(file)));
  }

  @ParameterizedTest
  @MethodSource("fastestEngine")
  void errorsNameWhatCannotBeReadOrQueried(Engine engine) throws Exception {
    HashStrategy<CharSequence> keyed =
        HashStrategies.utf8(HashStrategies.sipHash24(ReaderCases.KEY));
    List<String> faults = faults(engine, ClassicBloomFilter.create(keyed, 9, 0.1).toBytes());
    assertTrue(faults.get(0).endsWith(" has a secret key: pass { key }"), faults.get(0));
    assertEquals(
        "FormatError: at byte 32: the filter was filled with another key of utf8(siphash24)",
        faults.get(1));
    HashStrategy<byte[]> mine = HashStrategy.of("mine", (byte[] bytes) -> bytes.length);
    faults = faults(engine, ClassicBloomFilter.create(mine, 9, 0.1).toBytes());
    assertTrue(faults.get(0).startsWith("TypeError: the strategy mine#"), faults.get(0));
    assertTrue(
        faults
            .get(0)
            .endsWith(
                " is a function in Java, which is not supported: pass hashes, or fill the filter in"
                    + " Java by bytes(), utf8(), longs() or uuids()"),
        faults.get(0));
    assertEquals("TypeError: the strategy mine takes no key", faults.get(1));
    byte[] numbers = ClassicBloomFilter.create(HashStrategies.longs(), 9, 0.1).toBytes();
    assertEquals(
        "TypeError: the strategy of this filter takes an integer, as a number or a bigint of 64"
            + " bits, got \"a\"",
        faults(engine, numbers).get(0));
    byte[] bytes = ClassicBloomFilter.create(HashStrategies.bytes(), 9, 0.1).toBytes();
    assertEquals(
        "TypeError: the strategy of this filter takes a Uint8Array, of a text that of TextEncoder,"
            + " got \"a\"",
        faults(engine, bytes).get(0));
    ClassicBloomFilter<CharSequence> texts =
        ClassicBloomFilter.create(HashStrategies.utf8(), 9, 0.1);
    texts.add("a?b"); // as which a lone surrogate is hashed
    assertEquals("true", faults(engine, texts.toBytes()).get(2));
  }

  private static final String FIELDS =
      """
      (bloomkit, input) => {
        %s
        const [file, ...probes] = input.split("\\n");
        const key = Uint8Array.from("sixteen bytes...", (c) => c.charCodeAt(0));
        try {
          const isKeyed = bloomkit.describe(fromHex(file)).strategy.includes("siphash24");
          const users = bloomkit.open(fromHex(file), isKeyed ? { key, probes } : { probes });
          return ["bob@example.org", "?"].map((field) => users.mightContain(field)).join(" ");
        } catch (error) {
          return `${error.name}: ${error.message}`;
        }
      }
      """
          .formatted(FROM_HEX);

  @ParameterizedTest
  @MethodSource("fastestEngine")
  void aFilterByAFieldIsQueriedWithTheField(Engine engine) throws Exception {
    record User(String email) {}
    User alice = new User("alice@example.org");
    HashStrategy<CharSequence> keyed =
        HashStrategies.utf8(HashStrategies.sipHash24(ReaderCases.KEY));
    List<String> none = List.of();
    List<String> some = List.of(alice.email(), "");
    for (Map.Entry<HashStrategy<User>, List<String>> strategy :
        List.of(
            Map.entry(HashStrategies.utf8().<User>on("email", User::email), none),
            Map.entry(HashStrategies.utf8().on("email", User::email, alice, new User("")), some),
            Map.entry(keyed.on("email", User::email, alice, new User("")), some))) {
      ClassicBloomFilter<User> users = ClassicBloomFilter.create(strategy.getKey(), 100, 0.001);
      users.add(new User("bob@example.org"));
      List<String> input = new ArrayList<>(List.of(HEX.formatHex(users.toBytes())));
      input.addAll(strategy.getValue());
      assertEquals("true false", engine.run(FIELDS, String.join("\n", input)));
      input.add("another@example.org");
      String fault = engine.run(FIELDS, String.join("\n", input));
      assertTrue(
          fault.startsWith("TypeError: the strategy on(email=utf8(")
              && fault.endsWith(
                  " was made with other probes or a key than were given: pass { probes }, the field"
                      + " of each probe in Java"),
          fault);
    }
  }

  private static final String REFUSALS =
      """
      (bloomkit, input) => {
        %s
        const refusal = (data) => {
          try {
            bloomkit.open(data);
            return "read";
          } catch (error) {
            return `${error.name}: ${error.message}`;
          }
        };
        return input.split("\\n").map((line) => refusal(fromHex(line))).join("\\n");
      }
      """
          .formatted(FROM_HEX);

  @ParameterizedTest
  @MethodSource("fastestEngine")
  void aKindThatIsNotReadIsNamedWithReadersOfIt(Engine engine) throws Exception {
    List<byte[]> files = new ArrayList<>();
    for (Path file : ReaderCases.goldenFiles()) {
      byte[] bytes = Files.readAllBytes(file);
      if (!VARIANTS_READ.contains(ReaderCases.variantOf(bytes))) {
        files.add(bytes);
      }
    }
    List<String> faults = lines(engine, REFUSALS, hex(files.stream()));
    Set<String> found = new TreeSet<>();
    for (int i = 0; i < files.size(); i++) {
      found.add(ReaderCases.variantOf(files.get(i)) + " " + faults.get(i));
    }
    assertEquals(
        Stream.of(
                "3 FormatError: at byte 10: CountingBloomFilter",
                "4 FormatError: at byte 10: BlockedCountingBloomFilter",
                "5 FormatError: at byte 10: CuckooFilter",
                "6 FormatError: at byte 10: ScalableBloomFilter",
                "9 FormatError: at byte 10: GuavaBloomFilter",
                "11 FormatError: at byte 10: ExpiringCuckooFilter")
            .map(fault -> fault + " is not read here; bloomkit.py and Java read it")
            .map(fault -> fault.startsWith("3") ? fault + convertedTo("classic") : fault)
            .map(fault -> fault.startsWith("4") ? fault + convertedTo("blocked") : fault)
            .collect(Collectors.toCollection(TreeSet::new)),
        found);
  }

  private static String convertedTo(String kind) {
    return ", and \"bloom convert --to " + kind + "\" makes a filter that is";
  }

  /** Counts the bytes of all arrays that are made while a file is opened. */
  private static final String MEMORY =
      """
      (bloomkit, input) => {
        let allocated = 0;
        const counted = (Type) =>
          class extends Type {
            constructor(...args) {
              super(...args);
              allocated += typeof args[0] === "number" ? this.byteLength : 0;
            }
          };
        const { Uint8Array: bytes, Float64Array: numbers } = globalThis;
        globalThis.Uint8Array = counted(bytes);
        globalThis.Float64Array = counted(numbers);
        try {
          return input
            .split("\\n")
            .map((line) => {
              const data = Uint8Array.from(line.match(/../g), (digits) => parseInt(digits, 16));
              allocated = data.length;
              try {
                return `${bloomkit.open(data).mightContain(0)} ${allocated}`;
              } catch (error) {
                return `${error.name} ${allocated}`;
              }
            })
            .join("\\n");
        } finally {
          globalThis.Uint8Array = bytes;
          globalThis.Float64Array = numbers;
        }
      }
      """;

  /** A sparse filter is fourteen times as large as its code. */
  @Tag("deep")
  @ParameterizedTest
  @MethodSource("engines")
  void openingTakesAtMostSixteenTimesTheBytes(Engine engine) throws Exception {
    Map<String, byte[]> files = ReaderCases.densestFiles(KINDS);
    assertEquals(KINDS, files.keySet());
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      byte[] good = file.getValue();
      List<String> answers =
          lines(engine, MEMORY, hex(Stream.of(good, ReaderCases.promisingTooMuch(good))));
      assertTrue(answers.get(0).startsWith("true "), answers.get(0));
      assertTrue(answers.get(1).startsWith("FormatError "), answers.get(1));
      for (String answer : answers) {
        long allocated = Long.parseLong(answer.substring(answer.indexOf(' ') + 1));
        String found = file.getKey() + " of " + good.length + " bytes: " + allocated + " in arrays";
        assertTrue(
            allocated >= good.length
                && allocated
                    <= FileChecks.MEMORY_PER_BYTE * good.length + FileChecks.MEMORY_AT_ONCE,
            found);
      }
    }
  }

  /** A header that promises a gigabyte does not lead to an array of that size. */
  @ParameterizedTest
  @MethodSource("fastestEngine")
  void aHeaderThatPromisesTooMuchIsRefused(Engine engine) throws Exception {
    byte[] file = ClassicBloomFilter.create(HashStrategies.utf8(), 9, 0.1).toBytes();
    ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int entry = 48 + 2 * 8 + 16;
    buffer.putLong(48, 1L << 33).putLong(entry + 8, 1L << 27).putLong(entry + 16, 1L << 30);
    ReaderCases.repairChecksums(file);
    assertEquals(
        "FormatError: at byte " + file.length + ": the filter ends within section 0",
        faults(engine, file).get(0));
    assertEquals("utf8(xxh3)", new String(file, entry + 24, 10, UTF_8));
  }
}
