package io.bloomkit.classic;

import io.bloomkit.internal.BlockedIndexDerivation;
import io.bloomkit.internal.WordArrays;
import java.lang.invoke.VarHandle;

/**
 * Operations on the bits of a {@link BlockedBloomFilter}, as static functions over its array. The
 * blocks begin after {@link WordArrays#BLOCK_PADDING} words. Each operation has a plain form and a
 * shared form, which is thread-safe.
 *
 * <p>{@link #contains}, {@link #add} and their shared forms are for filters whose blocks consist of
 * 64-bit words, which nearly all do. The slower forms whose names have {@code Any} accept every
 * shape. Words are counted from the middle of the array, as in {@link
 * BlockedIndexDerivation#offset}. Functions of hot paths have one caller each, for which the JIT
 * compiler profiles them.
 */
final class BlockedBits {

  /**
   * The masks for three positions per word, as at the common false-positive rate of 1 %. A constant
   * saves two instructions and a register.
   */
  private static final int TABLE_OF_THREE = BlockedIndexDerivation.maskTable(3);

  private BlockedBits() {}

  /** Returns whether all bits of a hash are set. */
  static boolean contains(long[] words, long blockWordCount, int middle, int maskTable, long hash) {
    return maskTable == TABLE_OF_THREE
        ? containsMasked(words, blockWordCount, middle, TABLE_OF_THREE, hash)
        : containsMasked(words, blockWordCount, middle, maskTable, hash);
  }

  private static boolean containsMasked(
      long[] words, long blockWordCount, int middle, int maskTable, long hash) {
    long offset = BlockedIndexDerivation.offset(hash, blockWordCount);
    long first = words[(int) offset + middle];
    long second = words[(int) (offset ^ BlockedIndexDerivation.distance(hash)) + middle];
    long missing =
        (~first & BlockedIndexDerivation.firstMask(hash, maskTable))
            | (~second & BlockedIndexDerivation.secondMask(hash, maskTable));
    return missing == 0;
  }

  /** {@link #contains} for a filter of any shape. */
  static boolean containsAny(long[] words, BlockedProbe probe, long hash) {
    long firstWord = probe.firstWord(hash);
    long secondWord = probe.secondWord(hash);
    long missing =
        (~words[index(probe, firstWord)] & probe.firstMask(hash, firstWord))
            | (~words[index(probe, secondWord)] & probe.secondMask(hash, secondWord));
    return missing == 0;
  }

  /** The shared form of {@link #contains}. */
  static boolean containsShared(
      long[] words, long blockWordCount, int middle, int maskTable, long hash) {
    long offset = BlockedIndexDerivation.offset(hash, blockWordCount);
    return areSet(
        words,
        (int) offset + middle,
        BlockedIndexDerivation.firstMask(hash, maskTable),
        (int) (offset ^ BlockedIndexDerivation.distance(hash)) + middle,
        BlockedIndexDerivation.secondMask(hash, maskTable));
  }

  /** {@link #containsShared} for a filter of any shape. */
  static boolean containsAnyShared(long[] words, BlockedProbe probe, long hash) {
    long firstWord = probe.firstWord(hash);
    long secondWord = probe.secondWord(hash);
    return areSet(
        words,
        index(probe, firstWord),
        probe.firstMask(hash, firstWord),
        index(probe, secondWord),
        probe.secondMask(hash, secondWord));
  }

  private static boolean areSet(
      long[] words, int firstIndex, long firstMask, int secondIndex, long secondMask) {
    long first = (long) WordArrays.WORDS.getOpaque(words, firstIndex);
    long second = (long) WordArrays.WORDS.getOpaque(words, secondIndex);
    // Acquire: a thread that sees a bit also sees all earlier writes of the thread that set it.
    VarHandle.acquireFence();
    return ((~first & firstMask) | (~second & secondMask)) == 0;
  }

  /** Sets all bits of a hash. Returns whether any of them was not set before. */
  static boolean add(long[] words, long blockWordCount, int middle, int maskTable, long hash) {
    return maskTable == TABLE_OF_THREE
        ? addMasked(words, blockWordCount, middle, TABLE_OF_THREE, hash)
        : addMasked(words, blockWordCount, middle, maskTable, hash);
  }

  private static boolean addMasked(
      long[] words, long blockWordCount, int middle, int maskTable, long hash) {
    long offset = BlockedIndexDerivation.offset(hash, blockWordCount);
    long firstMask = BlockedIndexDerivation.firstMask(hash, maskTable);
    long secondMask = BlockedIndexDerivation.secondMask(hash, maskTable);
    int firstIndex = (int) offset + middle;
    int secondIndex = (int) (offset ^ BlockedIndexDerivation.distance(hash)) + middle;
    long first = words[firstIndex];
    long firstAfter = first | firstMask;
    words[firstIndex] = firstAfter;
    long second = words[secondIndex];
    long secondAfter = second | secondMask;
    words[secondIndex] = secondAfter;
    return ((first ^ firstAfter) | (second ^ secondAfter))
        != 0; // two registers fewer than with the masks
  }

  /** {@link #add} for a filter of any shape. */
  static boolean addAny(long[] words, BlockedProbe probe, long hash) {
    long firstWord = probe.firstWord(hash);
    long secondWord = probe.secondWord(hash);
    long firstMask = probe.firstMask(hash, firstWord);
    long secondMask = probe.secondMask(hash, secondWord);
    int firstIndex = index(probe, firstWord);
    long first = words[firstIndex];
    words[firstIndex] = first | firstMask;
    int secondIndex = index(probe, secondWord); // may be the same 64-bit word if words have 16 bits
    long second = words[secondIndex];
    words[secondIndex] = second | secondMask;
    return ((~first & firstMask) | (~second & secondMask)) != 0;
  }

  /** The shared form of {@link #add}. */
  static boolean addShared(
      long[] words, long blockWordCount, int middle, int maskTable, long hash) {
    long offset = BlockedIndexDerivation.offset(hash, blockWordCount);
    return setBoth(
        words,
        (int) offset + middle,
        BlockedIndexDerivation.firstMask(hash, maskTable),
        (int) (offset ^ BlockedIndexDerivation.distance(hash)) + middle,
        BlockedIndexDerivation.secondMask(hash, maskTable));
  }

  /** {@link #addShared} for a filter of any shape. */
  static boolean addAnyShared(long[] words, BlockedProbe probe, long hash) {
    long firstWord = probe.firstWord(hash);
    long secondWord = probe.secondWord(hash);
    return setBoth(
        words,
        index(probe, firstWord),
        probe.firstMask(hash, firstWord),
        index(probe, secondWord), // may be the same 64-bit word if words have 16 bits
        probe.secondMask(hash, secondWord));
  }

  private static boolean setBoth(
      long[] words, int firstIndex, long firstMask, int secondIndex, long secondMask) {
    // Reads both words first, because no read starts before an earlier atomic instruction ends.
    long first = (long) WordArrays.WORDS.getOpaque(words, firstIndex);
    long second = (long) WordArrays.WORDS.getOpaque(words, secondIndex);
    VarHandle.acquireFence(); // as in a query, for bits that are set already
    boolean firstChanged = set(words, firstIndex, first, firstMask);
    return set(words, secondIndex, second, secondMask) || firstChanged;
  }

  /**
   * Sets bits of a word. Returns whether any of them was not set before.
   *
   * @param expected an earlier value of the word
   */
  private static boolean set(long[] words, int index, long expected, long mask) {
    // Does not write bits that are set, so a repeated insertion does not take the cache line from
    // other threads. Writers only set bits, so the exchange fails fewer than 64 times per word.
    long current = expected;
    while ((~current & mask) != 0) {
      long witness =
          (long) WordArrays.WORDS.compareAndExchange(words, index, current, current | mask);
      if (witness == current) {
        return true;
      }
      current = witness;
    }
    return false;
  }

  /** Loads the cache lines of some hashes. Returns a combination of their words. */
  static long readAhead(long[] words, BlockedProbe probe, long[] hashes, int from, int to) {
    long combined = 0;
    for (int i = from; i < to; i++) {
      combined ^=
          words[index(probe, probe.firstWord(hashes[i]))]; // the second word is in the same line
    }
    return combined;
  }

  /** Returns the number of set positions of a word of a block. */
  static int setPositions(long[] words, BlockedProbe probe, long word) {
    return probe.setPositions(words[index(probe, word)], word);
  }

  private static int index(BlockedProbe probe, long word) {
    return WordArrays.BLOCK_PADDING + (int) probe.index(word);
  }
}
