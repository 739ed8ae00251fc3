package io.bloomkit.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Over a bytes hash, numbers and UUIDs hash as the little-endian bytes of their encoding. */
class NumberStrategiesTest {

  private static final List<BytesHashStrategy> BYTES_HASHES =
      List.of(
          HashStrategies.bytes(),
          HashStrategies.md5(),
          HashStrategies.sha384(),
          HashStrategies.murmur3(7),
          HashStrategies.sipHash24(new byte[16]),
          HashStrategies.seeded(HashStrategies.bytes(), 7));

  static Stream<BytesHashStrategy> bytesHashes() {
    return BYTES_HASHES.stream();
  }

  @Property(seed = "14")
  void longsOverBytesAreXxh3OfEightLittleEndianBytes(@ForAll long number) {
    LongHashStrategy xxh3 = HashStrategies.longs(HashStrategies.bytes());
    long expected = HashStrategies.bytes().hash(littleEndian(number));
    assertEquals(expected, xxh3.hashLong(number));
    assertEquals(expected, xxh3.hash(number));
  }

  @Property(seed = "15")
  void intsHashAsTheSameNumberAmongLongs(@ForAll int number) {
    assertEquals(HashStrategies.longs().hashLong(number), HashStrategies.ints().hash(number));
  }

  @Property(seed = "16")
  void uuidsAreXxh3OfTheirTwoHalves(@ForAll long max, @ForAll long min) {
    assertEquals(
        HashStrategies.bytes().hash(littleEndian(max, min)),
        HashStrategies.uuids().hash(new UUID(max, min)));
  }

  @Property(tries = 200, seed = "17")
  void anyBytesHashTakesTheSameEncodings(@ForAll long max, @ForAll long min) {
    for (BytesHashStrategy bytesHash : BYTES_HASHES) {
      assertEquals(
          bytesHash.hash(littleEndian(max)), HashStrategies.longs(bytesHash).hashLong(max));
      assertEquals(bytesHash.hash(littleEndian(max)), HashStrategies.longs(bytesHash).hash(max));
      assertEquals(
          bytesHash.hash(littleEndian(max, min)),
          HashStrategies.uuids(bytesHash).hash(new UUID(max, min)));
    }
  }

  @Test
  void theHalvesOfAUuidAreNotInterchangeable() {
    assertNotEquals(
        HashStrategies.uuids().hash(new UUID(1, 2)), HashStrategies.uuids().hash(new UUID(2, 1)));
  }

  @ParameterizedTest
  @MethodSource("bytesHashes")
  void theIdNamesTheEncodingAndTheBytesHash(BytesHashStrategy bytesHash) {
    assertEquals("longs(" + bytesHash.id() + ")", HashStrategies.longs(bytesHash).id());
    assertEquals("uuids(" + bytesHash.id() + ")", HashStrategies.uuids(bytesHash).id());
    assertEquals("utf8(" + bytesHash.id() + ")", HashStrategies.utf8(bytesHash).id());
  }

  /** The direct strategies and those over encoded bytes are one function, so they may meet. */
  @Test
  void xxh3OfTypesIsCompatibleWithItsDetourThroughBytes() {
    assertEquals(
        StrategyIdentity.of(HashStrategies.longs(HashStrategies.bytes())),
        StrategyIdentity.of(new BytesLongHashStrategy(HashStrategies.bytes())));
    assertEquals(
        StrategyIdentity.of(HashStrategies.uuids()),
        StrategyIdentity.of(HashStrategies.uuids(HashStrategies.bytes())));
    assertEquals(
        StrategyIdentity.of(HashStrategies.utf8()),
        StrategyIdentity.of(HashStrategies.utf8(HashStrategies.bytes())));
  }

  private static byte[] littleEndian(long... numbers) {
    ByteBuffer buffer =
        ByteBuffer.allocate(Long.BYTES * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long number : numbers) {
      buffer.putLong(number);
    }
    return buffer.array();
  }
}
