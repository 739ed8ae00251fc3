package io.bloomkit.cli.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cli.CommandRun;
import io.bloomkit.format.FilterKind;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The facts and the answers of the site's page that inspects a file. */
@EnabledForJreRange(max = JRE.JAVA_21) // those on which GraalJS 23.1 runs
class InspectTest {

  private static final String READ =
      """
      (reader, hex, key) => {
        const bytes = (digits) => Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
        return BloomkitInspect.read(reader, bytes(hex), key === "" ? undefined : bytes(key));
      }
      """;

  private static PageScripts scripts;
  private static Value reader;

  @TempDir private Path folder;

  @BeforeAll
  static void load() throws Exception {
    scripts = new PageScripts("sizes.js", "inspect.js");
    reader = scripts.reader();
  }

  @AfterAll
  static void end() {
    scripts.close();
  }

  private static Value read(byte[] bytes) {
    return read(bytes, new byte[0]);
  }

  private static Value read(byte[] bytes, byte[] key) {
    HexFormat hex = HexFormat.of();
    return scripts.call(READ, reader, hex.formatHex(bytes), hex.formatHex(key));
  }

  private static Map<String, String> facts(byte[] bytes) {
    Map<String, String> facts = new LinkedHashMap<>();
    Value pairs =
        scripts.call(
            "(read, length) => BloomkitInspect.factsOf(read.header, read.filter, length)",
            read(bytes),
            bytes.length);
    for (int i = 0; i < pairs.getArraySize(); i++) {
      Value pair = pairs.getArrayElement(i);
      facts.put(pair.getArrayElement(0).asString(), pair.getArrayElement(1).asString());
    }
    return facts;
  }

  private Path build(String kind, Object... options) {
    Path file = folder.resolve(kind + ".bloom");
    Object[] words = {"build", "--kind", kind, "--items", 1_000, "--output", file};
    Object[] all = new Object[words.length + options.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(options, 0, all, words.length, options.length);
    String lines = IntStream.range(0, 500).mapToObj(i -> i + "\n").collect(Collectors.joining());
    CommandRun.succeed(lines, all);
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "blocked", "dynamic-cuckoo"})
  void factsEqualThoseOfTheCommand(String kind) throws Exception {
    Path file = build(kind, "--fpp", 0.003);
    Map<String, String> expected = CommandRun.inspect(file);
    Map<String, String> facts = facts(Files.readAllBytes(file));
    assertEquals("right", facts.get("Checksum"));
    assertEquals(Files.size(file), number(facts.get("File")));
    assertEquals("xxh3", facts.get("Strategy"));
    assertEquals(expected.get("fingerprint"), "\"" + facts.get("Fingerprint") + "\"");
    assertEquals("500", facts.get("Net insertions"));
    assertEquals("1,000 elements at 0.3 %", facts.get("Plan"));
    assertEquals(
        Long.parseLong(expected.get("approximateElements")),
        number(facts.get("Distinct elements")));
    assertEquals(100 * Double.parseDouble(expected.get("fill")), percent(facts.get("Fill")), 0.005);
    double rate = 100 * Double.parseDouble(expected.get("expectedFpp"));
    assertEquals(rate, percent(facts.get("False-positive rate now")), 1e-3 * rate);
  }

  private static long number(String text) {
    return Long.parseLong(text.replaceAll("\\D", ""));
  }

  private static double percent(String text) {
    return Double.parseDouble(text.replace(" %", ""));
  }

  @Test
  void answersAreThoseOfTheCommand() throws Exception {
    for (String kind : List.of("classic", "blocked", "dynamic-cuckoo")) {
      Path file = build(kind);
      Value found = read(Files.readAllBytes(file)).getMember("filter");
      List<String> lines = IntStream.range(400, 700).mapToObj(String::valueOf).toList();
      String positive = CommandRun.of(String.join("\n", lines) + "\n", "check", file).text();
      for (String line : lines) {
        Value answer = scripts.call("BloomkitInspect.answerOf", found, line);
        assertEquals(
            positive.lines().anyMatch(line::equals),
            answer.getMember("isPositive").asBoolean(),
            () -> kind + ": " + line);
      }
    }
  }

  @Test
  void countsAreShown() throws Exception {
    Path file = folder.resolve("counts.bloom");
    CommandRun.succeed("bob\nalice\nbob\n", "build", "--items", 100, "--output", file);
    Value found = read(Files.readAllBytes(file)).getMember("filter");
    assertEquals("probably in the set, 2 ×", answer(found, "bob"));
    assertEquals("probably in the set, 1 ×", answer(found, "alice"));
    assertEquals("not in the set", answer(found, "carol"));
  }

  private static String answer(Value filter, String line) {
    return scripts.call("BloomkitInspect.answerOf", filter, line).getMember("text").asString();
  }

  private static <T> byte[] fileOf(HashStrategy<? super T> strategy, List<T> elements)
      throws Exception {
    ClassicBloomFilter<T> filter = ClassicBloomFilter.create(strategy, 1_000, 1e-6);
    elements.forEach(filter::add);
    return filter.toBytes();
  }

  @Test
  void linesAreElementsOfTheStrategy() throws Exception {
    Value texts = read(fileOf(HashStrategies.utf8(), List.of("Ж€𝄞 %"))).getMember("filter");
    assertEquals("probably in the set", answer(texts, "Ж€𝄞 %"));
    Value bytes =
        read(fileOf(HashStrategies.bytes(), List.of("Ж€𝄞 %".getBytes(UTF_8)))).getMember("filter");
    assertEquals("probably in the set", answer(bytes, "Ж€𝄞 %"));
    Value longs =
        read(fileOf(HashStrategies.longs(), List.of(-5L, Long.MIN_VALUE))).getMember("filter");
    assertEquals("probably in the set", answer(longs, "-5"));
    assertEquals("probably in the set", answer(longs, String.valueOf(Long.MIN_VALUE)));
    assertEquals("probably in the set", answer(longs, "-9,223,372,036,854,775,808"));
    assertEquals("not in the set", answer(longs, "6"));
    assertEquals("not an integer of 64 bits", answer(longs, "-0,5"));
    assertEquals("not an integer of 64 bits", answer(longs, "9223372036854775808"));
    assertEquals("not an integer of 64 bits", answer(longs, "alice"));
    HashStrategy<String> byLength = HashStrategies.longs().on("length", s -> (long) s.length());
    Value fields = read(fileOf(byLength, List.of("alice"))).getMember("filter");
    assertEquals("probably in the set", answer(fields, "5"));
    assertEquals("not in the set", answer(fields, "6"));
  }

  @Test
  void aSecretKeyIsAskedFor() throws Exception {
    byte[] key = "sixteen bytes...".getBytes(UTF_8);
    byte[] file = fileOf(HashStrategies.utf8(HashStrategies.sipHash24(key)), List.of("alice"));
    Value locked = read(file).getMember("filter");
    assertTrue(answer(locked, "alice").endsWith(" has a secret key: enter it above"));
    Value opened = read(file, key).getMember("filter");
    assertEquals("probably in the set", answer(opened, "alice"));
    assertEquals("not in the set", answer(opened, "mallory"));
    key[0]++;
    assertThrows(PolyglotException.class, () -> read(file, key));
    assertEquals(
        16,
        scripts.call("BloomkitInspect.keyOf", "00112233445566778899aabbccddeeff").getArraySize());
  }

  @Test
  void theHeaderOfEachKindIsShown() throws Exception {
    for (FilterKind kind : FilterKind.installed()) {
      Path file =
          kind.label().startsWith("expiring")
              ? build(kind.label(), "--window", "1h")
              : build(kind.label());
      Map<String, String> facts = facts(Files.readAllBytes(file));
      assertEquals("right", facts.get("Checksum"), kind.label());
      assertEquals("xxh3", facts.get("Strategy"), kind.label());
      assertEquals(
          kind.filterClass().getSimpleName(),
          read(Files.readAllBytes(file)).getMember("header").getMember("kind").asString());
    }
  }

  @Test
  void whatIsNotQueriedHereIsToldWhatToDo() throws Exception {
    String ofDelta = scripts.call("BloomkitInspect.remedyFor", "Delta").asString();
    assertTrue(ofDelta.contains("bloom apply"), ofDelta);
    String ofCounters = scripts.call("BloomkitInspect.remedyFor", "CountingBloomFilter").asString();
    assertTrue(ofCounters.contains("bloom check"), ofCounters);
    HashStrategy<String> byWord = HashStrategies.utf8().on("word", word -> word, "a probe");
    String answer = answer(read(fileOf(byWord, List.of("a"))).getMember("filter"), "a");
    assertTrue(answer.endsWith(": query it by contrib/bloomkit.py --probe"), answer);
  }

  @Test
  void aDamagedFileIsRefusedWithThePlace() throws Exception {
    for (FilterKind kind : FilterKind.installed()) {
      if (!kind.label().startsWith("expiring")) {
        byte[] bytes = Files.readAllBytes(build(kind.label()));
        bytes[bytes.length - 10] ^= 1;
        PolyglotException refusal =
            assertThrows(PolyglotException.class, () -> read(bytes), kind.label());
        assertTrue(refusal.getMessage().contains("at byte "), refusal.getMessage());
      }
    }
  }

  @Test
  void aFullFilterHasNoNumberOfElements() throws Exception {
    for (String kind : List.of("classic", "blocked")) {
      Path file = folder.resolve(kind + "-full.bloom");
      String lines =
          IntStream.range(0, 5_000).mapToObj(i -> i + "\n").collect(Collectors.joining());
      CommandRun.succeed(lines, "build", "--kind", kind, "--items", 2, "--output", file);
      Map<String, String> facts = facts(Files.readAllBytes(file));
      assertEquals("unknown: the filter is full", facts.get("Distinct elements"), kind);
      assertEquals("100 %", facts.get("False-positive rate now"), kind);
    }
  }
}
