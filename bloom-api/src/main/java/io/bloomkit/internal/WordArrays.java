package io.bloomkit.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Limits of large arrays, their allocation, and atomic access to them. Allocation that fails states
 * the bytes.
 */
public final class WordArrays {

  /** The length of the longest array that every virtual machine can allocate. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

  /**
   * The number of words before the first block of a blocked filter. The data of an array begins
   * sixteen bytes into the object, and large objects begin at a multiple of 64 bytes. With six more
   * words, each block is one cache line instead of parts of two (bloom-bench/laboratory.md).
   */
  public static final int BLOCK_PADDING = 6;

  /** Atomic access to the words of an array. */
  public static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private WordArrays() {}

  /**
   * Returns an array of zeros.
   *
   * @param length at most {@link #MAX_LENGTH}
   * @throws OutOfMemoryError if the heap has no room; the message states the bytes
   */
  public static long[] allocate(int length) {
    try {
      return new long[length];
    } catch (OutOfMemoryError e) {
      throw outOfMemory("an array", (long) length * Long.BYTES, e);
    }
  }

  /** Returns an array of zeros, as {@link #allocate}. */
  public static byte[] allocateBytes(int length) {
    try {
      return new byte[length];
    } catch (OutOfMemoryError e) {
      throw outOfMemory("an array", length, e);
    }
  }

  /** Returns a copy of a range, zeros behind the end of the array; throws as {@link #allocate}. */
  public static long[] copyOfRange(long[] words, int from, int to) {
    try {
      return Arrays.copyOfRange(words, from, to);
    } catch (OutOfMemoryError e) {
      throw outOfMemory("an array", (long) (to - from) * Long.BYTES, e);
    }
  }

  /** Returns a copy of an array; throws as {@link #allocate}. */
  public static long[] copyOf(long[] words) {
    return copyOfRange(words, 0, words.length);
  }

  /**
   * Returns a copy with a length, zeros behind the end of the array; throws as {@link #allocate}.
   */
  public static byte[] copyOf(byte[] bytes, int length) {
    try {
      return Arrays.copyOf(bytes, length);
    } catch (OutOfMemoryError e) {
      throw outOfMemory("an array", length, e);
    }
  }

  /** Returns the number of set bits. */
  public static long countBits(long[] words) {
    long bits = 0;
    for (long word : words) {
      bits += Long.bitCount(word);
    }
    return bits;
  }

  /** Returns an error that states the bytes for which there was no room. */
  @SuppressWarnings("UnnecessaryStringBuilder")
  public static OutOfMemoryError outOfMemory(String what, long bytes, OutOfMemoryError cause) {
    String message = // + would initialize a class of the JDK, which, if it fails, fails for ever
        new StringBuilder(what)
            .append(" of ")
            .append(bytes)
            .append(" bytes does not fit into the Java heap, of at most ")
            .append(Runtime.getRuntime().maxMemory())
            .append(" bytes: plan a smaller filter or set -Xmx")
            .toString();
    OutOfMemoryError error = new OutOfMemoryError(message);
    error.initCause(cause);
    return error;
  }
}
