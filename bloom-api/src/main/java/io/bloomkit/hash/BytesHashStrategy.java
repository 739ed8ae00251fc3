package io.bloomkit.hash;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A strategy over byte arrays that also hashes ranges of arrays and {@link ByteBuffer}s, without a
 * copy:
 *
 * <pre>{@code
 * BytesHashStrategy bytes = HashStrategies.bytes();
 * ClassicBloomFilter<byte[]> seen = ClassicBloomFilter.create(bytes, 1_000_000, 0.01);
 * seen.add(packet);
 * seen.addHash(bytes.hashBytes(packet, from, length));
 * seen.addHash(bytes.hashBytes(buffer));
 * }</pre>
 *
 * <p>In a filter of buffers, {@link HashStrategies#byteBuffers}, the buffers are the elements.
 *
 * <p>Strategies over other types, such as {@link HashStrategies#utf8(BytesHashStrategy)}, encode an
 * element into a thread-local buffer and hash that. An implementation must therefore read its bytes
 * before it calls a ready-made strategy over another type.
 */
public interface BytesHashStrategy extends HashStrategy<byte[]> {

  /**
   * Returns what {@link #hash} returns for an array of just these bytes.
   *
   * @param bytes the array
   * @param offset the index of the first
   * @param length the number of bytes
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   */
  long hashBytes(byte[] bytes, int offset, int length);

  /**
   * Returns what {@link #hash} returns for an array of the bytes from the position of a buffer to
   * its limit. The buffer is not modified, and its byte order has no effect.
   *
   * <p>The bytes of a buffer with an accessible array are read where they are. Those of a direct or
   * read-only buffer are copied to a thread-local array, unless the strategy overrides this method:
   * {@link HashStrategies#bytes} and {@link HashStrategies#murmur3} read them where they are, and
   * for {@link HashStrategies#md5} and {@link HashStrategies#sha384} the JDK copies some kilobytes
   * at a time.
   */
  default long hashBytes(ByteBuffer bytes) {
    Objects.requireNonNull(bytes, "bytes");
    int length = bytes.remaining();
    if (bytes.hasArray()) {
      return hashBytes(bytes.array(), bytes.arrayOffset() + bytes.position(), length);
    }
    byte[] copy = length <= Scratch.MAX_BYTES ? Scratch.bytes(length) : new byte[length];
    bytes.get(bytes.position(), copy, 0, length);
    return hashBytes(copy, 0, length);
  }

  @Override
  default long hash(byte[] element) {
    Objects.requireNonNull(element, "element");
    return hashBytes(element, 0, element.length);
  }
}
