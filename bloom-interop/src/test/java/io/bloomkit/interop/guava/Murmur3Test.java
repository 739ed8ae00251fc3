package io.bloomkit.interop.guava;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.hash.HashCode;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class Murmur3Test {

  private static final HashFunction GUAVAS = Hashing.murmur3_128();
  private static final BytesHashStrategy OF_THE_API = HashStrategies.murmur3(0);

  private final Murmur3 hash = Murmur3.ofThisThread();

  private void assertHashed(HashCode expected) {
    ByteBuffer halves = ByteBuffer.wrap(expected.asBytes()).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(halves.getLong(), hash.low());
    assertEquals(halves.getLong(), hash.high());
  }

  @Test
  void sentenceHasItsKnownHash() {
    hash.hashBytes(
        "The quick brown fox jumps over the lazy dog".getBytes(StandardCharsets.US_ASCII));
    assertEquals(0xe34bbc7bbc071b6cL, hash.low());
    assertEquals(0x7a433ca9c49a9347L, hash.high());
  }

  @Test
  void bytesOfEveryLengthAreHashedAsByGuavaAndByTheApi() {
    SplittableRandom random = new SplittableRandom(128);
    for (int length = 0; length < 300; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      hash.hashBytes(bytes);
      assertHashed(GUAVAS.hashBytes(bytes));
      assertEquals(OF_THE_API.hash(bytes), hash.low());
    }
  }

  @Test
  void charsOfEveryLengthAreHashedAsByGuava() {
    SplittableRandom random = new SplittableRandom(129);
    for (int length = 0; length < 300; length++) {
      char[] chars = new char[length];
      for (int i = 0; i < length; i++) {
        chars[i] = (char) random.nextInt(1 << Character.SIZE);
      }
      String text = new String(chars);
      hash.hashChars(text);
      assertHashed(GUAVAS.hashUnencodedChars(text));
      hash.hashChars(CharBuffer.wrap(chars));
      assertHashed(GUAVAS.hashUnencodedChars(text));
    }
  }

  @Test
  void numbersAreHashedAsByGuava() {
    SplittableRandom random = new SplittableRandom(130);
    for (int i = 0; i < 1000; i++) {
      long number = random.nextLong() >> random.nextInt(Long.SIZE);
      hash.hashLong(number);
      assertHashed(GUAVAS.hashLong(number));
      hash.hashInt((int) number);
      assertHashed(GUAVAS.hashInt((int) number));
    }
  }
}
