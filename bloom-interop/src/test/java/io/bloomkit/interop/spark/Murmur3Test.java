package io.bloomkit.interop.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Hashes as the class of the same purpose in spark-sketch 4.2.0 returned them. */
class Murmur3Test {

  private static void assertHashed(int expected, int seed, int... bytes) {
    byte[] framed = new byte[bytes.length + 2];
    framed[0] = 77;
    framed[bytes.length + 1] = 78;
    for (int i = 0; i < bytes.length; i++) {
      framed[i + 1] = (byte) bytes[i];
    }
    assertEquals(expected, Murmur3.hashBytes(framed, 1, bytes.length, seed));
  }

  @Test
  void bytesHaveTheirKnownHashes() {
    assertHashed(0, 0);
    assertHashed(142593372, 42);
    assertHashed(721651713, 0, 97);
    assertHashed(1398487324, 42, -1);
    assertHashed(1322437556, 42, 97, 98, 99);
    assertHashed(650594863, -7, 1, 2, 3, 4);
    assertHashed(970160017, -7, 1, 2, 3, 4, -5);
    assertHashed(686262233, 42, -1, -2, -3, -4, -5, -6, -7, -8, 9, -10, 11);
    byte[] sentence = "the quick brown fox".getBytes(StandardCharsets.US_ASCII);
    assertEquals(-913886432, Murmur3.hashBytes(sentence, 0, sentence.length, 0));
  }

  @Test
  void longsHaveTheirKnownHashes() {
    assertEquals(1669671676, Murmur3.hashLong(0, 0));
    assertEquals(-1712319331, Murmur3.hashLong(1, 42));
    assertEquals(-939490007, Murmur3.hashLong(-1, 42));
    assertEquals(1366273829, Murmur3.hashLong(Long.MIN_VALUE, 0));
    assertEquals(750710625, Murmur3.hashLong(0x123456789abcdef0L, 42));
  }

  @Test
  void wholeWordsAreHashedAsByGuava() {
    SplittableRandom random = new SplittableRandom(32);
    for (int words = 0; words < 20; words++) {
      byte[] bytes = new byte[Integer.BYTES * words];
      random.nextBytes(bytes);
      int seed = random.nextInt();
      assertEquals(
          Hashing.murmur3_32_fixed(seed).hashBytes(bytes).asInt(),
          Murmur3.hashBytes(bytes, 0, bytes.length, seed));
      long value = random.nextLong();
      assertEquals(
          Hashing.murmur3_32_fixed(seed).hashLong(value).asInt(), Murmur3.hashLong(value, seed));
    }
  }
}
