package io.bloomkit.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Limits of, and atomic access to, arrays of 64-bit words. */
public final class WordArrays {

  /** The length of the longest array that every virtual machine can make. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

  /**
   * Words before the first block of a blocked filter. The data of an array begins sixteen bytes
   * into the object, and large objects begin at a multiple of 64 bytes: with six more words a block
   * is one cache line and not parts of two (docs/lab/performance.md).
   */
  public static final int BLOCK_PADDING = 6;

  /** Atomic access to the words of an array. */
  public static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private WordArrays() {}
}
