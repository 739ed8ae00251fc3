package io.bloomkit.interop.parquet;

import io.bloomkit.internal.LittleEndian;

/**
 * XXH64 with seed 0 (Y. Collet, <i>xxHash fast digest algorithm</i>, 2014), the hash of Parquet's
 * Bloom filters.
 */
final class Xxh64 {

  private static final long PRIME_1 = 0x9e3779b185ebca87L;
  private static final long PRIME_2 = 0xc2b2ae3d27d4eb4fL;
  private static final long PRIME_3 = 0x165667b19e3779f9L;
  private static final long PRIME_4 = 0x85ebca77c2b2ae63L;
  private static final long PRIME_5 = 0x27d4eb2f165667c5L;

  private static final long PRIMES_1_AND_2 = 0x60ea27eeadc0b5d6L; // their sum modulo 2^64

  private static final int STRIPE_BYTES = 4 * Long.BYTES;

  private Xxh64() {}

  /** Returns the hash of the four little-endian bytes of a number. */
  static long hashInt(int value) {
    return finished(mixedInt(PRIME_5 + Integer.BYTES, value));
  }

  /** Returns the hash of the eight little-endian bytes of a number. */
  static long hashLong(long value) {
    return finished(mixedLong(PRIME_5 + Long.BYTES, value));
  }

  static long hashBytes(byte[] bytes, int offset, int length) {
    int at = offset;
    int end = offset + length;
    long hash = PRIME_5;
    if (length >= STRIPE_BYTES) {
      long v1 = PRIMES_1_AND_2;
      long v2 = PRIME_2;
      long v3 = 0;
      long v4 = -PRIME_1;
      for (; at <= end - STRIPE_BYTES; at += STRIPE_BYTES) {
        v1 = round(v1, LittleEndian.getLong(bytes, at));
        v2 = round(v2, LittleEndian.getLong(bytes, at + Long.BYTES));
        v3 = round(v3, LittleEndian.getLong(bytes, at + 2 * Long.BYTES));
        v4 = round(v4, LittleEndian.getLong(bytes, at + 3 * Long.BYTES));
      }
      hash =
          Long.rotateLeft(v1, 1)
              + Long.rotateLeft(v2, 7)
              + Long.rotateLeft(v3, 12)
              + Long.rotateLeft(v4, 18);
      hash = merged(merged(merged(merged(hash, v1), v2), v3), v4);
    }
    hash += length;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      hash = mixedLong(hash, LittleEndian.getLong(bytes, at));
    }
    if (at <= end - Integer.BYTES) {
      hash = mixedInt(hash, LittleEndian.getInt(bytes, at));
      at += Integer.BYTES;
    }
    for (; at < end; at++) {
      hash = Long.rotateLeft(hash ^ (bytes[at] & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    return finished(hash);
  }

  private static long round(long state, long word) {
    return Long.rotateLeft(state + word * PRIME_2, 31) * PRIME_1;
  }

  private static long merged(long hash, long state) {
    return (hash ^ round(0, state)) * PRIME_1 + PRIME_4;
  }

  private static long mixedLong(long hash, long word) {
    return Long.rotateLeft(hash ^ round(0, word), 27) * PRIME_1 + PRIME_4;
  }

  private static long mixedInt(long hash, int word) {
    return Long.rotateLeft(hash ^ (word & 0xffffffffL) * PRIME_1, 23) * PRIME_2 + PRIME_3;
  }

  private static long finished(long hash) {
    long mixed = (hash ^ hash >>> 33) * PRIME_2;
    mixed = (mixed ^ mixed >>> 29) * PRIME_3;
    return mixed ^ mixed >>> 32;
  }
}
