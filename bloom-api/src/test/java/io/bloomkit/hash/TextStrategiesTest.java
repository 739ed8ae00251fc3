package io.bloomkit.hash;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.CharBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts hash as their UTF-8 bytes or their code units, whatever class holds them. */
class TextStrategiesTest {

  private static final List<BytesHashStrategy> BYTES_HASHES =
      List.of(HashStrategies.bytes(), HashStrategies.md5(), HashStrategies.sipHash24(new byte[16]));

  /** Any char values, so surrogates without a partner too, and texts of several lengths of code. */
  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> any = Arbitraries.chars().all().list().ofMaxSize(80).map(this::join);
    Arbitrary<String> surrogates =
        Arbitraries.chars().range('\ud7f0', '\ue00f').list().ofMaxSize(40).map(this::join);
    Arbitrary<String> mixed =
        Arbitraries.of(
                "a", "\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\ud834\udd1e", "\ud834")
            .list()
            .ofMaxSize(60)
            .map(parts -> String.join("", parts));
    return Arbitraries.oneOf(any, surrogates, mixed, Arbitraries.strings().ascii());
  }

  private String join(List<Character> chars) {
    StringBuilder text = new StringBuilder();
    chars.forEach(text::append);
    return text.toString();
  }

  @Property(tries = 2000, seed = "18")
  void utf8IsTheHashOfTheUtf8Bytes(@ForAll("texts") String text) {
    for (BytesHashStrategy bytesHash : BYTES_HASHES) {
      assertUtf8(bytesHash, text);
    }
  }

  private static void assertUtf8(BytesHashStrategy bytesHash, String text) {
    long expected = bytesHash.hash(text.getBytes(UTF_8));
    HashStrategy<CharSequence> utf8 = HashStrategies.utf8(bytesHash);
    assertEquals(expected, utf8.hash(text));
    assertEquals(expected, utf8.hash(builder(text)));
    assertEquals(expected, utf8.hash(CharBuffer.wrap(text)));
    assertEquals(expected, utf8.hash(CharBuffer.wrap("<" + text + ">", 1, 1 + text.length())));
  }

  /** The one character among others that needs two bytes, or the last that needs one. */
  @Test
  void everyCharacterOfATextIsLookedAt() {
    for (int length = 1; length <= 40; length++) {
      for (int i = 0; i < length; i++) {
        for (String unit : List.of("\u007f", "\u0080", "\u00ff", "\u0100", "\u0161")) {
          String text = "a".repeat(i) + unit + "z".repeat(length - i - 1);
          assertUtf8(HashStrategies.bytes(), text);
        }
      }
    }
  }

  @Test
  void hashThatChangesItsBytesDoesNotChangeTheText() {
    BytesHashStrategy careless =
        new BytesHashStrategy() {
          @Override
          public String id() {
            return "careless";
          }

          @Override
          public long fingerprint() {
            return 1;
          }

          @Override
          public long hashBytes(byte[] bytes, int offset, int length) {
            Arrays.fill(bytes, (byte) '!');
            return length;
          }
        };
    for (int length : new int[] {3, 300, 1_000_000}) {
      String text = "abc".repeat(length / 3);
      assertEquals(text.length(), HashStrategies.utf8(careless).hash(text));
      assertEquals("abc".repeat(length / 3), text);
    }
  }

  @Property(tries = 1000, seed = "19")
  void charsIsTheHashOfTheCodeUnits(@ForAll("texts") String text) {
    long expected = HashStrategies.bytes().hash(codeUnits(text));
    assertEquals(expected, HashStrategies.chars().hash(text));
    assertEquals(expected, HashStrategies.chars().hash(builder(text)));
    assertEquals(expected, HashStrategies.chars().hash(CharBuffer.wrap(text)));
  }

  @SuppressWarnings("UnnecessaryStringBuilder") // a text of another class is what is wanted
  private static CharSequence builder(String text) {
    return new StringBuilder(text);
  }

  private static byte[] codeUnits(String text) {
    byte[] bytes = new byte[2 * text.length()];
    for (int i = 0; i < text.length(); i++) {
      bytes[2 * i] = (byte) text.charAt(i);
      bytes[2 * i + 1] = (byte) (text.charAt(i) >>> 8);
    }
    return bytes;
  }

  @Test
  void theCodeUnitsOfAWellFormedTextAreItsUtf16Bytes() {
    String text = "Bloom \u0416\u20ac\ud834\udd1e";
    assertEquals(
        HashStrategies.bytes().hash(text.getBytes(UTF_16LE)), HashStrategies.chars().hash(text));
  }

  @ParameterizedTest
  @ValueSource(ints = {(1 << 18) - 1, 1 << 18, (1 << 18) + 1, 1 << 20})
  void longTextsHashTheSame(int length) {
    for (String unit : List.of("a", "\u0416", "\u20ac", "\ud834\udd1e", "\udd1e")) {
      assertUtf8(HashStrategies.bytes(), unit.repeat(length / unit.length()));
      assertUtf8(HashStrategies.bytes(), "x" + unit.repeat(length / unit.length()) + "\ud834");
      assertUtf8(HashStrategies.md5(), unit.repeat(length / unit.length()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {84, 85, 86, 300, 1000})
  void theFirstTextOfAThreadMayBeOfAnyLength(int length) throws Exception {
    String text = "\u20ac".repeat(length);
    FutureTask<Long> hash = new FutureTask<>(() -> HashStrategies.utf8().hash(text));
    new Thread(hash).start();
    assertEquals(HashStrategies.bytes().hash(text.getBytes(UTF_8)), hash.get());
  }

  @Test
  void everySurrogateWithoutPartnerIsAQuestionMarkInUtf8Alone() {
    HashStrategy<CharSequence> utf8 = HashStrategies.utf8();
    assertEquals(utf8.hash("?"), utf8.hash("\ud834"));
    assertEquals(utf8.hash("??"), utf8.hash("\udd1e\ud834"));
    assertNotEquals(HashStrategies.chars().hash("?"), HashStrategies.chars().hash("\ud834"));
  }

  @Test
  void textsThatLookAlikeHaveDifferentHashes() {
    for (HashStrategy<CharSequence> strategy :
        List.of(HashStrategies.chars(), HashStrategies.utf8())) {
      Set<Long> hashes = new HashSet<>();
      int texts = 0;
      for (int length = 0; length <= 300; length++) {
        for (char c : new char[] {'a', '\u0161', '\u6100', '\0'}) {
          if (length > 0 || c == 'a') {
            hashes.add(strategy.hash(String.valueOf(c).repeat(length)));
            texts++;
          }
        }
      }
      assertEquals(texts, hashes.size());
    }
  }

  @Test
  void bothHalvesOfATextCount() {
    // A published filter read as many bytes as there are characters, half of them.
    String front = "\u043a\u043b\u044e\u0447-";
    Set<Long> hashes = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      hashes.add(HashStrategies.utf8().hash(front + i));
      hashes.add(HashStrategies.chars().hash(front + i));
    }
    assertEquals(2000, hashes.size());
  }
}
