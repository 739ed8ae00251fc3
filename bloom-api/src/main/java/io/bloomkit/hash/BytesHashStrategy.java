package io.bloomkit.hash;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A strategy over byte arrays that also hashes ranges of arrays and {@link ByteBuffer}s:
 *
 * <pre>{@code
 * BytesHashStrategy bytes = HashStrategies.bytes();
 * ClassicBloomFilter<byte[]> seen = ClassicBloomFilter.create(bytes, 1_000_000, 0.01);
 * seen.add(packet);
 * seen.addHash(bytes.hashBytes(packet, from, length));
 * seen.addHash(bytes.hashBytes(buffer));
 * }</pre>
 *
 * <p>For a filter whose elements are buffers, use {@link HashStrategies#byteBuffers}.
 *
 * <p><b>For implementations.</b> The array passed to {@link #hashBytes(byte[], int, int)} may be a
 * thread-local array into which a ready-made strategy such as {@link
 * HashStrategies#utf8(BytesHashStrategy)} encoded its element. The next call of a ready-made
 * strategy in the same thread may overwrite this array. So an implementation must not keep the
 * array. An implementation that calls a ready-made strategy must read all bytes of the array before
 * that call.
 */
public interface BytesHashStrategy extends HashStrategy<byte[]> {

  /**
   * Returns the hash of a range of an array. It equals {@link #hash} of an array that consists of
   * these bytes.
   *
   * @param bytes the array
   * @param offset the index of the first byte
   * @param length the number of bytes
   * @throws IndexOutOfBoundsException if the range does not lie within the array
   * @throws NullPointerException if the array is null
   */
  long hashBytes(byte[] bytes, int offset, int length);

  /**
   * Returns the hash of the bytes from the position of a buffer to its limit. It equals {@link
   * #hash} of an array that consists of these bytes. The buffer is not modified, and its byte order
   * has no effect.
   *
   * <p>By default, the bytes of a buffer with an accessible array are hashed in place. The bytes of
   * a direct or read-only buffer are copied to a thread-local array or, if they are more than 768
   * KiB, to a new array. {@link HashStrategies#bytes} and {@link HashStrategies#murmur3} hash every
   * buffer in place. {@link HashStrategies#md5} and {@link HashStrategies#sha384} pass the buffer
   * to {@link java.security.MessageDigest}.
   *
   * @throws NullPointerException if the buffer is null
   */
  default long hashBytes(ByteBuffer bytes) {
    Objects.requireNonNull(bytes, "bytes");
    int length = bytes.remaining();
    if (bytes.hasArray()) {
      return hashBytes(bytes.array(), bytes.arrayOffset() + bytes.position(), length);
    }
    byte[] copy =
        length <= ScratchBuffer.MAX_BYTES ? ScratchBuffer.bytes(length) : new byte[length];
    ScratchBuffer.copy(bytes, copy, length);
    return hashBytes(copy, 0, length);
  }

  /**
   * {@inheritDoc}
   *
   * @throws NullPointerException if the element is null
   */
  @Override
  default long hash(byte[] element) {
    Objects.requireNonNull(element, "element");
    return hashBytes(element, 0, element.length);
  }
}
