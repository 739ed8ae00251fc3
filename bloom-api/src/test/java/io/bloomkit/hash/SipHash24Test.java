package io.bloomkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomkit.Refusals;
import io.bloomkit.internal.LittleEndian;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SipHash-2-4 against the vectors of its authors, and what becomes of the key. */
class SipHash24Test {

  private static final byte[] KEY = counting(16);

  /**
   * The published vectors: under the key 00 01 … 0f, the message of n bytes 00 01 … (n−1), for n
   * from 0 to 63, each line the eight bytes of the hash in the authors' order.
   */
  @ParameterizedTest
  @CsvFileSource(resources = "siphash24-vectors.csv", numLinesToSkip = 1)
  void isThatOfThePublishedVectors(int length, String bytes) {
    assertEquals(littleEndian(bytes), HashStrategies.sipHash24(KEY).hash(counting(length)));
  }

  /** Appendix A of the paper walks through this one. */
  @Test
  void isThatOfThePapersExample() {
    assertEquals(0xa129ca6149be45e5L, HashStrategies.sipHash24(KEY).hash(counting(15)));
  }

  @Test
  void messagesOf256BytesWrapTheLengthByte() {
    // Computed with another implementation.
    assertEquals(
        littleEndian("d7bfa7d226059d99"), HashStrategies.sipHash24(KEY).hash(counting(256)));
    assertEquals(
        littleEndian("a6c9319ed63e9bdb"), HashStrategies.sipHash24(KEY).hash(counting(1000)));
  }

  @Test
  void aPartOfAnArrayHashesAsItsCopy() {
    BytesHashStrategy strategy = HashStrategies.sipHash24(KEY);
    byte[] bytes = counting(100);
    for (int from = 0; from < 20; from++) {
      for (int to = from; to <= 100; to++) {
        assertEquals(
            strategy.hash(Arrays.copyOfRange(bytes, from, to)),
            strategy.hashBytes(bytes, from, to - from));
      }
    }
  }

  @Test
  void everyBitOfTheKeyCounts() {
    byte[] message = counting(9);
    long hash = HashStrategies.sipHash24(KEY).hash(message);
    for (int bit = 0; bit < 128; bit++) {
      byte[] other = KEY.clone();
      other[bit / 8] = (byte) (other[bit / 8] ^ (1 << (bit % 8)));
      assertNotEquals(hash, HashStrategies.sipHash24(other).hash(message));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8, 15, 17, 32})
  void aKeyOfAnotherLengthIsRefused(int length) {
    Refusals.assertRefused(
        () -> HashStrategies.sipHash24(new byte[length]), "key", "16", Integer.toString(length));
  }

  @Test
  void theKeyIsCopied() {
    byte[] key = KEY.clone();
    BytesHashStrategy strategy = HashStrategies.sipHash24(key);
    Arrays.fill(key, (byte) 0);
    assertEquals(HashStrategies.sipHash24(KEY).hash(KEY), strategy.hash(KEY));
  }

  @Test
  void twoKeysDifferInFingerprintAndNotInId() {
    BytesHashStrategy one = HashStrategies.sipHash24(KEY);
    BytesHashStrategy other = HashStrategies.sipHash24(new byte[16]);
    assertEquals(one.id(), other.id());
    assertNotEquals(one.fingerprint(), other.fingerprint());
    assertNotEquals(StrategyIdentity.of(one), StrategyIdentity.of(other));
    assertEquals(one.fingerprint(), HashStrategies.sipHash24(KEY).fingerprint());
    assertNotEquals(
        HashStrategies.utf8(one).fingerprint(), HashStrategies.utf8(other).fingerprint());
  }

  @Test
  void nothingThatIsShownDependsOnTheKey() {
    byte[] other = new byte[16];
    assertEquals("siphash24", HashStrategies.sipHash24(KEY).id());
    for (byte[] key : new byte[][] {KEY, other}) {
      BytesHashStrategy strategy = HashStrategies.sipHash24(key);
      assertShown("siphash24", strategy);
      assertShown("utf8(siphash24)", HashStrategies.utf8(strategy));
      assertShown("longs(siphash24)", HashStrategies.longs(strategy));
      assertShown("uuids(siphash24)", HashStrategies.uuids(strategy));
      assertShown("seeded(siphash24,0x1)", HashStrategies.seeded(strategy, 1));
    }
  }

  private static void assertShown(String text, HashStrategy<?> strategy) {
    assertEquals(text, strategy.id());
    assertEquals(text, strategy.toString());
  }

  @Test
  void theFingerprintIsNoHashOfAnAttackersChoice() {
    BytesHashStrategy strategy = HashStrategies.sipHash24(KEY);
    for (int length = 0; length < 64; length++) {
      assertNotEquals(strategy.hash(counting(length)), strategy.fingerprint());
    }
  }

  private static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private static long littleEndian(String bytes) {
    return LittleEndian.getLong(HexFormat.of().parseHex(bytes), 0);
  }
}
