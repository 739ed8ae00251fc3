package io.bloomkit.hash;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A strategy over byte arrays that also takes a part of one and a {@link ByteBuffer}, so that a
 * caller need not copy:
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
 * <p>It is what other types build on: see {@link HashStrategies#utf8(BytesHashStrategy)}. These
 * hand it a buffer of the thread's own, so an implementation must not hash an element of another
 * type by a ready-made strategy before it has read its bytes.
 */
public interface BytesHashStrategy extends HashStrategy<byte[]> {

  /**
   * Returns what {@link #hash} returns for an array of just these bytes.
   *
   * @param bytes where they stand
   * @param offset the index of the first
   * @param length how many there are
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   */
  long hashBytes(byte[] bytes, int offset, int length);

  /**
   * Returns what {@link #hash} returns for an array of the bytes from the position of a buffer to
   * its limit. The buffer does not change, nor does its byte order matter.
   *
   * <p>The bytes of a buffer with an accessible array are read where they are. Those of a direct or
   * read-only buffer are copied to an array of the thread's own, unless the strategy overrides
   * this: {@link HashStrategies#bytes} and {@link HashStrategies#murmur3} read them where they are,
   * and for {@link HashStrategies#md5} and {@link HashStrategies#sha384} the JDK copies some
   * kilobytes at a time.
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
