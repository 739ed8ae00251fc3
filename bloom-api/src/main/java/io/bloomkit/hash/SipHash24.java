package io.bloomkit.hash;

import io.bloomkit.internal.LittleEndian;
import java.util.Objects;

/**
 * SipHash-2-4, a keyed function whose output is indistinguishable from random bits without the key:
 * J.-P. Aumasson, D. Bernstein, <i>SipHash: a fast short-input PRF</i>, 2012, section 2.
 */
final class SipHash24 implements BytesHashStrategy {

  static final int KEY_BYTES = 16;

  // "somepseudorandomlygeneratedbytes", the initial state in the paper
  private static final long INITIAL_0 = 0x736f6d6570736575L;
  private static final long INITIAL_1 = 0x646f72616e646f6dL;
  private static final long INITIAL_2 = 0x6c7967656e657261L;
  private static final long INITIAL_3 = 0x7465646279746573L;

  private final long key0;
  private final long key1;

  SipHash24(byte[] key) {
    Objects.requireNonNull(key, "key");
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "key must have " + KEY_BYTES + " bytes, got " + key.length);
    }
    key0 = LittleEndian.getLong(key, 0);
    key1 = LittleEndian.getLong(key, Long.BYTES);
  }

  @Override
  public long hashBytes(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    long v0 = key0 ^ INITIAL_0;
    long v1 = key1 ^ INITIAL_1;
    long v2 = key0 ^ INITIAL_2;
    long v3 = key1 ^ INITIAL_3;
    int end = offset + length;
    int lastWord = end - (length & 7);
    // Each iteration is one round: two rounds per word, and four after the last word. The code of a
    // round occurs only once, so that the state stays in registers.
    int at = offset;
    long word =
        at < lastWord ? LittleEndian.getLong(bytes, at) : tail(bytes, lastWord, end, length);
    v3 ^= word;
    int remainingRounds = 2;
    boolean finishing = false;
    while (true) {
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
      if (--remainingRounds > 0) {
        continue;
      }
      if (finishing) {
        return v0 ^ v1 ^ v2 ^ v3;
      }
      v0 ^= word;
      if (at < lastWord) {
        at += Long.BYTES;
        word = at < lastWord ? LittleEndian.getLong(bytes, at) : tail(bytes, lastWord, end, length);
        v3 ^= word;
        remainingRounds = 2;
      } else {
        v2 ^= 0xff;
        remainingRounds = 4;
        finishing = true;
      }
    }
  }

  /**
   * Returns the last word of a message: its remaining bytes, and its length modulo 256 in the top
   * byte.
   */
  private static long tail(byte[] bytes, int from, int end, int length) {
    long word = (long) length << 56;
    for (int i = from; i < end; i++) {
      word |= (bytes[i] & 0xffL) << (8 * (i - from));
    }
    return word;
  }

  @Override
  public String id() {
    return "siphash24";
  }

  /**
   * {@inheritDoc}
   *
   * <p>Combines the hashes of fixed elements under the key into 64 bits, so that it reveals no
   * output of the function.
   */
  @Override
  public long fingerprint() {
    return Probes.fingerprint(this);
  }

  @Override
  public String toString() {
    return id();
  }
}
