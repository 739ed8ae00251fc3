package io.bloomkit.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Buffers of every kind hash as arrays of their remaining bytes, and are left as they were. */
class ByteBufferStrategiesTest {

  /** A bytes hash of a user, which does not know buffers. */
  private static final BytesHashStrategy OF_A_USER =
      new BytesHashStrategy() {
        @Override
        public long hashBytes(byte[] bytes, int offset, int length) {
          return HashStrategies.bytes().hashBytes(bytes, offset, length) + 1;
        }

        @Override
        public String id() {
          return "mine/1";
        }
      };

  static Stream<BytesHashStrategy> bytesHashes() {
    return Stream.concat(StrategyContractTest.bytesHashes(), Stream.of(OF_A_USER));
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 37 + (i >>> 3));
    }
    return bytes;
  }

  /** Buffers whose remaining bytes are these, between others. */
  private static List<ByteBuffer> buffersOf(byte[] bytes) {
    ByteBuffer heap = filled(ByteBuffer.allocate(bytes.length + 5), bytes);
    ByteBuffer direct = filled(ByteBuffer.allocateDirect(bytes.length + 5), bytes);
    return List.of(
        heap,
        heap.slice(),
        ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length + 2), 0, bytes.length),
        heap.asReadOnlyBuffer(),
        direct,
        direct.slice(),
        direct.duplicate().order(ByteOrder.LITTLE_ENDIAN),
        direct.asReadOnlyBuffer());
  }

  private static ByteBuffer filled(ByteBuffer buffer, byte[] bytes) {
    buffer.position(3).put(bytes).put((byte) 99).flip().position(3).limit(3 + bytes.length);
    return buffer;
  }

  @ParameterizedTest
  @MethodSource("bytesHashes")
  void aBufferHashesAsTheArrayOfItsBytes(BytesHashStrategy strategy) {
    for (int length = 0; length < 300; length += length < 70 ? 1 : 23) {
      byte[] bytes = bytes(length);
      for (ByteBuffer buffer : buffersOf(bytes)) {
        ByteBuffer before = buffer.duplicate().order(buffer.order());
        assertEquals(strategy.hash(bytes), strategy.hashBytes(buffer), () -> before.toString());
        assertEquals(
            strategy.hash(bytes), HashStrategies.byteBuffers(strategy).hash(buffer), "as element");
        assertEquals(before.position(), buffer.position());
        assertEquals(before.limit(), buffer.limit());
        assertEquals(before.order(), buffer.order());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("bytesHashes")
  void aBufferLargerThanTheScratchBufferHashesAsItsBytes(BytesHashStrategy strategy) {
    byte[] bytes = bytes(ScratchBuffer.MAX_BYTES + 1);
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    assertEquals(strategy.hash(bytes), strategy.hashBytes(direct));
  }

  @ParameterizedTest
  @MethodSource("bytesHashes")
  void buffersAndArraysAreTheSameElements(BytesHashStrategy strategy) {
    HashStrategy<ByteBuffer> buffers = HashStrategies.byteBuffers(strategy);
    assertEquals(StrategyIdentity.of(strategy), StrategyIdentity.of(buffers));
    assertEquals(strategy.id(), buffers.toString());
  }

  @Test
  void theDefaultIsOverTheDefaultBytesHash() {
    byte[] range = bytes(40);
    assertEquals(
        HashStrategies.bytes().hashBytes(range, 7, 20),
        HashStrategies.byteBuffers().hash(ByteBuffer.wrap(range, 7, 20)));
    assertEquals("xxh3", HashStrategies.byteBuffers().id());
  }

  /** The array of a user's own hash is never written, even if it lies behind a buffer. */
  @Test
  void theArrayBehindABufferIsReadOnly() {
    byte[] bytes = bytes(64);
    byte[] before = bytes.clone();
    bytesHashes().forEach(strategy -> strategy.hashBytes(ByteBuffer.wrap(bytes, 3, 20)));
    assertArrayEquals(before, bytes);
  }
}
