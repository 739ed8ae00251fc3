package io.bloomkit.hash;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MD5, SHA-384 and Murmur3 against published vectors. Bytes are written in their own order. */
class DigestStrategiesTest {

  /** RFC 1321, appendix A.5: the first eight bytes of each. */
  @ParameterizedTest
  @CsvSource({
    "'', d41d8cd98f00b204",
    "a, 0cc175b9c0f1b6a8",
    "abc, 900150983cd24fb0",
    "message digest, f96b697d7cb7938d",
    "abcdefghijklmnopqrstuvwxyz, c3fcd3d76192e400",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789, d174ab98d277d9f5",
  })
  void md5IsThatOfTheRfc(String message, String firstBytes) {
    assertEquals(littleEndian(firstBytes), HashStrategies.md5().hash(message.getBytes(US_ASCII)));
  }

  /** The examples of the standard, FIPS 180-4: the first eight bytes of each. */
  @ParameterizedTest
  @CsvSource({
    "'', 38b060a751ac9638",
    "abc, cb00753f45a35e8b",
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
        + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu, 09330c33f71147e8",
  })
  void sha384IsThatOfTheStandard(String message, String firstBytes) {
    assertEquals(
        littleEndian(firstBytes), HashStrategies.sha384().hash(message.getBytes(US_ASCII)));
  }

  @Property(tries = 500, seed = "20")
  void digestsAreTheFirstEightBytesOfTheRuntimes(@ForAll byte[] message)
      throws NoSuchAlgorithmException {
    assertEquals(first64Bits("MD5", message), HashStrategies.md5().hash(message));
    assertEquals(first64Bits("SHA-384", message), HashStrategies.sha384().hash(message));
  }

  private static long first64Bits(String algorithm, byte[] message)
      throws NoSuchAlgorithmException {
    return ByteBuffer.wrap(MessageDigest.getInstance(algorithm).digest(message))
        .order(ByteOrder.LITTLE_ENDIAN)
        .getLong();
  }

  /** The first line is published everywhere; the salted ones were computed in another language. */
  @ParameterizedTest
  @CsvSource({
    "0, The quick brown fox jumps over the lazy dog, e34bbc7bbc071b6c",
    "0, '', 0000000000000000",
    "0, a, 85555565f6597889",
    "1, '', 4610abe56eff5cb5",
    "1, The quick brown fox jumps over the lazy dog, e533566dbbd1e13e",
    "42, a, 28259ca4fdf626b0",
    "-1, The quick brown fox jumps over the lazy dog, 691c1d73a800a18a",
  })
  void murmur3IsTheFirstHalfOfTheX64Variant(int salt, String message, String hash) {
    assertEquals(
        Long.parseUnsignedLong(hash, 16),
        HashStrategies.murmur3(salt).hash(message.getBytes(US_ASCII)));
  }

  @Test
  void theSaltIsPartOfTheId() {
    assertEquals("murmur3(0x0)", HashStrategies.murmur3(0).id());
    assertEquals("murmur3(0x2a)", HashStrategies.murmur3(42).id());
    assertEquals("murmur3(0xffffffff)", HashStrategies.murmur3(-1).id());
    assertNotEquals(
        HashStrategies.murmur3(1).fingerprint(), HashStrategies.murmur3(2).fingerprint());
  }

  private static long littleEndian(String bytes) {
    return Long.reverseBytes(Long.parseUnsignedLong(bytes, 16));
  }
}
