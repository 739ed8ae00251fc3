package io.bloomkit.hash;

/**
 * A byte array of each thread's own in which elements are encoded just before they are hashed, so
 * that hashing needs no garbage. Its content is worthless as soon as the hash is computed.
 */
final class Scratch {

  /** The largest array that a thread keeps: 3 bytes for each of 2^18 characters. */
  static final int MAX_BYTES = 3 << 18;

  private static final ThreadLocal<byte[]> BYTES = ThreadLocal.withInitial(() -> new byte[256]);

  private Scratch() {}

  /** An array of at least this many bytes, not more than {@link #MAX_BYTES}. */
  static byte[] bytes(int atLeast) {
    byte[] bytes = BYTES.get();
    if (bytes.length < atLeast) {
      bytes = new byte[Math.max(atLeast, Math.min(MAX_BYTES, 2 * bytes.length))];
      BYTES.set(bytes);
    }
    return bytes;
  }
}
