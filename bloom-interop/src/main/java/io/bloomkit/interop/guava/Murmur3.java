package io.bloomkit.interop.guava;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * MurmurHash3 for 64-bit machines with 128 bits and seed 0 (A. Appleby, <i>MurmurHash3_x64_128</i>,
 * 2011, public domain), the hash of Guava's Bloom filters.
 *
 * <p>A {@link io.bloomkit.hash.HashStrategy} returns only 64 bits. An object of this class stores
 * both halves of a hash. Each thread reuses one object, so hashing allocates nothing. The object is
 * written only after the whole element was read, so an element's own methods may query a filter.
 */
final class Murmur3 {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final ThreadLocal<Murmur3> OF_THREAD = ThreadLocal.withInitial(Murmur3::new);

  private static final int BLOCK_BYTES = 16;
  private static final int CHARS_PER_WORD = Long.BYTES / Character.BYTES;
  private static final int CHARS_PER_BLOCK = BLOCK_BYTES / Character.BYTES;

  // The constants of the published algorithm.
  private static final long C_1 = 0x87c37b91114253d5L;
  private static final long C_2 = 0x4cf5ad432745937fL;
  private static final long ADDEND_1 = 0x52dce729L;
  private static final long ADDEND_2 = 0x38495ab5L;
  private static final long FINISH_1 = 0xff51afd7ed558ccdL;
  private static final long FINISH_2 = 0xc4ceb9fe1a85ec53L;

  private long low;
  private long high;

  private Murmur3() {}

  /** Returns the object of the current thread. The next hash of the thread overwrites it. */
  static Murmur3 ofThisThread() {
    return OF_THREAD.get();
  }

  /** Returns the first eight bytes of the last hash, little-endian. */
  long low() {
    return low;
  }

  /** Returns the last eight bytes of the last hash, little-endian. */
  long high() {
    return high;
  }

  void hashBytes(byte[] bytes) {
    long h1 = 0;
    long h2 = 0;
    int at = 0;
    for (; at <= bytes.length - BLOCK_BYTES; at += BLOCK_BYTES) {
      h1 = next1(h1, h2, (long) LONGS.get(bytes, at));
      h2 = next2(h1, h2, (long) LONGS.get(bytes, at + Long.BYTES));
    }
    finish(h1, h2, tail(bytes, at), tail(bytes, at + Long.BYTES), bytes.length);
  }

  /** Returns the little-endian word at an index; missing bytes at the end are 0. */
  private static long tail(byte[] bytes, int from) {
    long word = 0;
    for (int i = Math.min(from + Long.BYTES, bytes.length) - 1; i >= from; i--) {
      word = word << Byte.SIZE | (bytes[i] & 0xff);
    }
    return word;
  }

  /** Hashes UTF-16 code units, each as two little-endian bytes. */
  void hashChars(CharSequence chars) {
    int length = chars.length();
    long h1 = 0;
    long h2 = 0;
    int at = 0;
    for (; at <= length - CHARS_PER_BLOCK; at += CHARS_PER_BLOCK) {
      h1 = next1(h1, h2, word(chars, at, at + CHARS_PER_WORD));
      h2 = next2(h1, h2, word(chars, at + CHARS_PER_WORD, at + CHARS_PER_BLOCK));
    }
    int middle = Math.min(at + CHARS_PER_WORD, length);
    int bytes = length * Character.BYTES; // wraps above 2^30 characters, as in Guava
    finish(h1, h2, word(chars, at, middle), word(chars, middle, length), bytes);
  }

  private static long word(CharSequence chars, int from, int to) {
    long word = 0;
    for (int i = to - 1; i >= from; i--) {
      word = word << Character.SIZE | chars.charAt(i);
    }
    return word;
  }

  void hashLong(long value) {
    finish(0, 0, value, 0, Long.BYTES);
  }

  void hashInt(int value) {
    finish(0, 0, Integer.toUnsignedLong(value), 0, Integer.BYTES);
  }

  private static long next1(long h1, long h2, long word) {
    return (Long.rotateLeft(h1 ^ mixed1(word), 27) + h2) * 5 + ADDEND_1;
  }

  /** Returns the next second half, given the first half after this round. */
  private static long next2(long h1, long h2, long word) {
    return (Long.rotateLeft(h2 ^ mixed2(word), 31) + h1) * 5 + ADDEND_2;
  }

  /** Mixes in the words of an incomplete last block (0 if there is none) and the length. */
  private void finish(long h1, long h2, long word1, long word2, int bytes) {
    long first = h1 ^ mixed1(word1) ^ bytes;
    long second = h2 ^ mixed2(word2) ^ bytes;
    first += second;
    second += first;
    first = finished(first);
    second = finished(second);
    low = first + second;
    high = second + low;
  }

  private static long mixed1(long word) {
    return Long.rotateLeft(word * C_1, 31) * C_2;
  }

  private static long mixed2(long word) {
    return Long.rotateLeft(word * C_2, 33) * C_1;
  }

  private static long finished(long value) {
    long mixed = (value ^ value >>> 33) * FINISH_1;
    mixed = (mixed ^ mixed >>> 33) * FINISH_2;
    return mixed ^ mixed >>> 33;
  }
}
