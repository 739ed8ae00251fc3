package io.bloomkit.classic;

import io.bloomkit.internal.IndexDerivation;
import io.bloomkit.internal.WordArrays;

/**
 * Operations on the bits of a {@link ClassicBloomFilter}, as static functions over its array. Each
 * operation has a plain form and a shared form, which is thread-safe.
 *
 * <p>Functions of hot paths have one caller each, for which the JIT compiler profiles them.
 */
final class FlatBits {

  private static final int BITS_PER_WORD_LOG_2 = 6;

  /** Factor from a state to the fourth state after it. */
  private static final long JUMP_OF_FOUR = IndexDerivation.jumpFactor(4);

  private FlatBits() {}

  /** Returns whether all bits of a hash are set. */
  static boolean contains(long[] words, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    int remaining = hashes;
    // Three bits before the first branch, then four: a mispredicted branch costs more than a few
    // loads, and independent states are computed in parallel. The seven hashes of the common rate
    // of 1 % need no loop.
    if (remaining >= 3) {
      long second = IndexDerivation.next(state);
      long third = IndexDerivation.next(second);
      if ((bit(words, positions, state)
              & bit(words, positions, second)
              & bit(words, positions, third)
              & 1)
          == 0) {
        return false;
      }
      state = IndexDerivation.next(third);
      remaining -= 3;
    }
    if (remaining >= 4) {
      if ((fourBits(words, positions, state) & 1) == 0) {
        return false;
      }
      state *= JUMP_OF_FOUR;
      remaining -= 4;
    }
    for (; remaining > 0; remaining--) {
      if ((bit(words, positions, state) & 1) == 0) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  /** The shared form of {@link #contains}. */
  static boolean containsShared(long[] words, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < hashes; i++) {
      if (!isSet(words, IndexDerivation.position(state, positions))) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  /** Sets all bits of a hash. Returns whether any of them was not set before. */
  static boolean add(long[] words, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    long newBits = 0;
    // One, two and four bits, so up to seven hashes need no loop: a loop costs as much as its body,
    // even with a single iteration.
    if ((hashes & 1) != 0) {
      newBits = setBit(words, positions, state);
      state = IndexDerivation.next(state);
    }
    if ((hashes & 2) != 0) {
      long second = IndexDerivation.next(state);
      newBits |= setBit(words, positions, state) | setBit(words, positions, second);
      state = IndexDerivation.next(second);
    }
    if ((hashes & 4) != 0) {
      newBits |= setFourBits(words, positions, state);
      state *= JUMP_OF_FOUR;
    }
    for (int remaining = hashes & ~7; remaining > 0; remaining -= 4) {
      newBits |= setFourBits(words, positions, state);
      state *= JUMP_OF_FOUR;
    }
    return newBits != 0;
  }

  /** The shared form of {@link #add}. */
  static boolean addShared(long[] words, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    boolean added = false;
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      int word = word(position);
      long bit = 1L << position;
      // Does not write a bit that is set, so a repeated insertion does not take the cache line from
      // other threads.
      if (((long) WordArrays.WORDS.getAcquire(words, word) & bit) == 0
          && ((long) WordArrays.WORDS.getAndBitwiseOr(words, word, bit) & bit) == 0) {
        added = true;
      }
      state = IndexDerivation.next(state);
    }
    return added;
  }

  /** Returns whether the bit at a position is set. Thread-safe. */
  static boolean isSet(long[] words, long position) {
    // Acquire: a thread that sees a bit also sees all earlier writes of the thread that set it.
    return ((long) WordArrays.WORDS.getAcquire(words, word(position)) >>> position & 1) != 0;
  }

  /** Returns a word whose lowest bit is the bit of a state. */
  private static long bit(long[] words, long positions, long state) {
    long position = IndexDerivation.position(state, positions);
    return words[word(position)] >>> position;
  }

  /**
   * Returns a word whose lowest bit is set if the bits of a state and of the next three are set.
   */
  private static long fourBits(long[] words, long positions, long state) {
    long second = IndexDerivation.next(state);
    long third = IndexDerivation.next(second);
    return bit(words, positions, state)
        & bit(words, positions, second)
        & bit(words, positions, third)
        & bit(words, positions, IndexDerivation.next(third));
  }

  /** Sets the bit of a state. Returns a mask of the bit, or 0 if it was set before. */
  private static long setBit(long[] words, long positions, long state) {
    long position = IndexDerivation.position(state, positions);
    int word = word(position);
    long bit = 1L << position;
    long before = words[word];
    words[word] = before | bit; // a test first would cost a branch and gain nothing
    return ~before & bit;
  }

  /** {@link #setBit} for a state and the next three, which are independent. */
  private static long setFourBits(long[] words, long positions, long state) {
    long second = IndexDerivation.next(state);
    long third = IndexDerivation.next(second);
    return setBit(words, positions, state)
        | setBit(words, positions, second)
        | setBit(words, positions, third)
        | setBit(words, positions, IndexDerivation.next(third));
  }

  private static int word(long position) {
    return (int) (position >>> BITS_PER_WORD_LOG_2);
  }
}
