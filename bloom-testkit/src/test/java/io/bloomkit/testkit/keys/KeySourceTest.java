package io.bloomkit.testkit.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class KeySourceTest {

  private static final int KEYS = 10_000;

  /** The first, and some that are spread over all indexes. */
  private static void assertDistinct(String name, LongFunction<?> keys) {
    Set<Object> seen = new HashSet<>();
    for (long i = 0; i < KEYS; i++) {
      long far = KeySource.LAST_INDEX - i * 50_003;
      assertTrue(seen.add(identity(keys.apply(i))), name + " " + i);
      assertTrue(seen.add(identity(keys.apply(far))), name + " " + far);
    }
    assertEquals(identity(keys.apply(17)), identity(keys.apply(17)), name + " again");
  }

  @Tag("deep")
  @Test
  void keysOfDifferentIndexesAreDifferent() {
    for (KeySource source : KeySource.values()) {
      for (long seed : new long[] {0, 1, -7}) {
        String name = source.label() + " of seed " + seed;
        assertDistinct(name + " as texts", source.texts(seed));
        assertDistinct(name + " as bytes", source.bytes(seed));
        assertDistinct(name + " as UUIDs", source.uuids(seed));
        if (source.isNumeric()) {
          assertDistinct(name + " as numbers", source.longs(seed));
        }
      }
    }
  }

  @Test
  void seedsGiveOtherKeys() {
    for (KeySource source : KeySource.values()) {
      boolean fixed =
          Set.of(
                  KeySource.SEQUENTIAL,
                  KeySource.SPARSE,
                  KeySource.DOUBLED,
                  KeySource.BIT_REVERSED,
                  KeySource.BYTE_REVERSED)
              .contains(source);
      assertEquals(
          fixed,
          source.texts(1).apply(1000).equals(source.texts(2).apply(1000)),
          () -> source.label());
    }
  }

  @Test
  void keysLookAsTheirKindSays() {
    assertEquals("1234", KeySource.SEQUENTIAL.texts(9).apply(1234));
    assertEquals(24, KeySource.RANDOM.texts(9).apply(1234).length());
    String id = KeySource.IDS.texts(9).apply(1234);
    assertTrue(id.matches("\\d{2}(0[1-9]|1[0-2])([01]\\d|2[0-8])[3-9]\\d{5}"), id);
    assertEquals(Long.parseLong(id), KeySource.IDS.longs(9).apply(1234));
    assertTrue(passesLuhn(id), id);
    String url = KeySource.URLS.texts(9).apply(1234);
    assertTrue(
        url.matches("https://www\\.example\\.com/[a-z]+/item-1234/reviews\\?page=\\d+"), url);
    UUID uuid = KeySource.UUIDS.uuids(9).apply(1234);
    assertEquals(4, uuid.version());
    assertEquals(2, uuid.variant());
    assertEquals(uuid.toString(), KeySource.UUIDS.texts(9).apply(1234));
    String time = KeySource.TIMESTAMPS.texts(9).apply(1234);
    assertTrue(time.startsWith("2026-01-01T00:20:34"), time);
    assertEquals(0, KeySource.SPARSE.longs(9).apply(0));
    assertEquals(64, KeySource.SPARSE.texts(9).apply(1).length());
    String hexadecimal = Long.toHexString(KeySource.LOW_ENTROPY.longs(9).apply(1234));
    assertTrue(hexadecimal.matches("[0-3]+"), hexadecimal);
    assertTrue(KeySource.LOW_ENTROPY.texts(9).apply(1234).matches("[ab]{64}"));
  }

  @Test
  void familiesOfNumbersAreAsTheirFormulasSay() {
    assertEquals(1234 * 0x1_0000_0001L, KeySource.DOUBLED.longs(9).apply(1234));
    assertEquals(Long.reverse(1234), KeySource.BIT_REVERSED.longs(9).apply(1234));
    assertEquals(Long.reverseBytes(1234), KeySource.BYTE_REVERSED.longs(9).apply(1234));
    Set<Long> factors = new HashSet<>();
    for (long seed = 0; seed < 1000; seed++) {
      LongFunction<Long> shifted = KeySource.SHIFTED.longs(seed);
      long factor = shifted.apply(1);
      factors.add(factor);
      assertEquals(1, Long.bitCount(factor));
      assertEquals(1234 * factor, shifted.apply(1234));
      LongFunction<Long> interleaved = KeySource.INTERLEAVED.longs(seed);
      assertProgression(i -> interleaved.apply(2 * i));
      assertProgression(i -> interleaved.apply(2 * i + 1));
    }
    assertEquals(35, factors.size());
  }

  private static void assertProgression(LongUnaryOperator numbers) {
    long step = numbers.applyAsLong(1) - numbers.applyAsLong(0);
    assertTrue(step >= 1 && step <= 1 << 20, () -> "step " + step);
    assertEquals(numbers.applyAsLong(0) + 617 * step, numbers.applyAsLong(617));
  }

  private static boolean passesLuhn(String digits) {
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int doubled = i % 2 == 0 ? digit : 2 * digit;
      sum += doubled / 10 + doubled % 10;
    }
    return sum % 10 == 0;
  }

  @Test
  void sparseNumbersComeInTheOrderOfTheirBits() {
    long last = 0;
    for (long i = 1; i < 50_000; i++) {
      long number = SparseBits.number(i);
      int more = Long.bitCount(number) - Long.bitCount(last);
      assertTrue(more == 1 || (more == 0 && Long.compareUnsigned(number, last) > 0), "number " + i);
      last = number;
    }
    assertEquals(1, Long.bitCount(SparseBits.number(64)));
    assertEquals(0b11, SparseBits.number(65));
    assertEquals(2, Long.bitCount(SparseBits.number(64 + 2016)));
    assertEquals(0b111, SparseBits.number(65 + 2016));
  }

  @Test
  void kindsAreFoundByTheirNames() {
    for (KeySource source : KeySource.values()) {
      assertEquals(source, KeySource.of(source.label()));
    }
    assertEquals("low-entropy", KeySource.LOW_ENTROPY.label());
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> KeySource.of("urns"));
    assertTrue(String.valueOf(refusal.getMessage()).contains("\"urns\""));
    assertTrue(String.valueOf(refusal.getMessage()).contains("urls, uuids"));
  }

  @Test
  void sourcesOfTextsGiveNoNumbers() {
    assertEquals(
        Set.of(KeySource.URLS, KeySource.UUIDS),
        Set.copyOf(Arrays.stream(KeySource.values()).filter(s -> !s.isNumeric()).toList()));
    UnsupportedOperationException refusal =
        assertThrows(UnsupportedOperationException.class, () -> KeySource.URLS.longs(1));
    assertTrue(String.valueOf(refusal.getMessage()).contains("urls"));
  }

  @Test
  void anIndexOutOfRangeIsRefused() {
    for (long index : new long[] {-1, KeySource.LAST_INDEX + 1}) {
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class, () -> KeySource.RANDOM.longs(1).apply(index));
      assertTrue(String.valueOf(refusal.getMessage()).contains(Long.toString(index)));
    }
    assertFalse(KeySource.IDS.texts(1).apply(KeySource.LAST_INDEX).isEmpty());
  }

  /** Equal for equal keys, for arrays too. */
  private static Object identity(Object key) {
    return key instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : key;
  }
}
