package io.bloomkit.interop.spark;

import io.bloomkit.internal.LittleEndian;

/**
 * MurmurHash3 for 32-bit machines (A. Appleby, <i>MurmurHash3_x86_32</i>, 2011, public domain) in
 * Spark's variant: unlike in the published algorithm, each of the last one to three bytes is
 * sign-extended and mixed as a separate word.
 */
final class Murmur3 {

  // The constants of the published algorithm.
  private static final int C_1 = 0xcc9e2d51;
  private static final int C_2 = 0x1b873593;
  private static final int ADDEND = 0xe6546b64;
  private static final int FINISH_1 = 0x85ebca6b;
  private static final int FINISH_2 = 0xc2b2ae35;

  private Murmur3() {}

  static int hashLong(long value, int seed) {
    return finished(mixed(mixed(seed, (int) value), (int) (value >>> Integer.SIZE)), Long.BYTES);
  }

  static int hashBytes(byte[] bytes, int offset, int length, int seed) {
    int hash = seed;
    int at = offset;
    int end = offset + length;
    for (; at <= end - Integer.BYTES; at += Integer.BYTES) {
      hash = mixed(hash, LittleEndian.getInt(bytes, at));
    }
    for (; at < end; at++) {
      hash = mixed(hash, bytes[at]);
    }
    return finished(hash, length);
  }

  private static int mixed(int hash, int word) {
    int mixed = Integer.rotateLeft(word * C_1, 15) * C_2;
    return Integer.rotateLeft(hash ^ mixed, 13) * 5 + ADDEND;
  }

  private static int finished(int hash, int length) {
    int mixed = hash ^ length;
    mixed = (mixed ^ mixed >>> 16) * FINISH_1;
    mixed = (mixed ^ mixed >>> 13) * FINISH_2;
    return mixed ^ mixed >>> 16;
  }
}
