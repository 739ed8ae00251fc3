package io.bloomkit.hash;

import io.bloomkit.internal.JdkInternals;
import io.bloomkit.internal.NotOnAndroid;
import java.nio.ByteBuffer;

/**
 * A thread-local byte array in which an element is encoded before it is hashed, so that hashing
 * allocates nothing. The contents are not used after the hash is computed.
 */
final class ScratchBuffer {

  /** The largest array that a thread keeps: 3 bytes for each of 2^18 characters. */
  static final int MAX_BYTES = 3 << 18;

  private static final ThreadLocal<byte[]> BYTES = ThreadLocal.withInitial(() -> new byte[256]);

  private static final boolean IS_ANDROID = JdkInternals.version() == 0;

  private ScratchBuffer() {}

  /**
   * Returns the array of this thread, with at least the given length.
   *
   * @param atLeast at most {@link #MAX_BYTES}
   */
  static byte[] bytes(int atLeast) {
    byte[] bytes = BYTES.get();
    if (bytes.length < atLeast) {
      bytes = new byte[Math.max(atLeast, Math.min(MAX_BYTES, 2 * bytes.length))];
      BYTES.set(bytes);
    }
    return bytes;
  }

  /** Copies the first bytes of a buffer, which is not modified. */
  static void copy(ByteBuffer from, byte[] to, int length) {
    if (IS_ANDROID) {
      from.duplicate().get(to, 0, length);
    } else {
      OfJava.copy(from, to, length);
    }
  }

  @NotOnAndroid("a duplicate of the buffer")
  private static final class OfJava {

    static void copy(ByteBuffer from, byte[] to, int length) {
      from.get(from.position(), to, 0, length); // allocates nothing
    }
  }
}
