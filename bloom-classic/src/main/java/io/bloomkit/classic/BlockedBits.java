package io.bloomkit.classic;

import io.bloomkit.internal.BlockedIndexDerivation;
import io.bloomkit.internal.WordArrays;
import java.lang.invoke.VarHandle;

/**
 * The bits of a {@link BlockedBloomFilter}, as static functions over its array, whose blocks begin
 * after {@link WordArrays#BLOCK_PADDING} words: each operation in a plain form and in a shared one,
 * which any number of threads may call.
 *
 * <p>{@link #contains}, {@link #add} and their shared forms are for filters whose words have 64
 * bits, that is, for nearly all; those for any filter are for the others. They count words from the
 * middle of the array, as the derivation does. Each has one caller, and thus a profile of its own.
 */
final class BlockedBits {

  /**
   * The masks of three positions in a word, as 1 % takes them, the usual rate. As a constant they
   * spare two instructions and a register (docs/lab/performance.md).
   */
  private static final int MASKS_OF_THREE = BlockedIndexDerivation.masks(3);

  private BlockedBits() {}

  /** Returns the index in the array of the word from which places are counted. */
  static int middle(long wordsOfBlocks) {
    return WordArrays.BLOCK_PADDING + (int) BlockedIndexDerivation.word(0, wordsOfBlocks);
  }

  /** Returns whether all bits of a hash are set. */
  static boolean contains(long[] words, long wordsOfBlocks, int middle, int masks, long hash) {
    return masks == MASKS_OF_THREE
        ? containsMasked(words, wordsOfBlocks, middle, MASKS_OF_THREE, hash)
        : containsMasked(words, wordsOfBlocks, middle, masks, hash);
  }

  private static boolean containsMasked(
      long[] words, long wordsOfBlocks, int middle, int masks, long hash) {
    int place = (int) BlockedIndexDerivation.place(hash, wordsOfBlocks);
    long first = words[place + middle];
    long second = words[(place ^ BlockedIndexDerivation.distance(hash)) + middle];
    long missing =
        (~first & BlockedIndexDerivation.first(hash, masks))
            | (~second & BlockedIndexDerivation.second(hash, masks));
    return missing == 0;
  }

  /** {@link #contains} for any filter. */
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
      long[] words, long wordsOfBlocks, int middle, int masks, long hash) {
    int place = (int) BlockedIndexDerivation.place(hash, wordsOfBlocks);
    return areSet(
        words,
        place + middle,
        BlockedIndexDerivation.first(hash, masks),
        (place ^ BlockedIndexDerivation.distance(hash)) + middle,
        BlockedIndexDerivation.second(hash, masks));
  }

  /** {@link #containsShared} for any filter. */
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
    // Acquire: a thread that sees a bit also sees what its setter saw, so that its later queries
    // agree.
    VarHandle.acquireFence();
    return ((~first & firstMask) | (~second & secondMask)) == 0;
  }

  /** Sets all bits of a hash. Returns whether one of them was not set. */
  static boolean add(long[] words, long wordsOfBlocks, int middle, int masks, long hash) {
    return masks == MASKS_OF_THREE
        ? addMasked(words, wordsOfBlocks, middle, MASKS_OF_THREE, hash)
        : addMasked(words, wordsOfBlocks, middle, masks, hash);
  }

  private static boolean addMasked(
      long[] words, long wordsOfBlocks, int middle, int masks, long hash) {
    int place = (int) BlockedIndexDerivation.place(hash, wordsOfBlocks);
    long firstMask = BlockedIndexDerivation.first(hash, masks);
    long secondMask = BlockedIndexDerivation.second(hash, masks);
    int firstIndex = place + middle;
    int secondIndex = (place ^ BlockedIndexDerivation.distance(hash)) + middle;
    long first = words[firstIndex];
    long firstAfter = first | firstMask;
    words[firstIndex] = firstAfter;
    long second = words[secondIndex];
    long secondAfter = second | secondMask;
    words[secondIndex] = secondAfter;
    return ((first ^ firstAfter) | (second ^ secondAfter)) != 0; // two registers less than by masks
  }

  /** {@link #add} for any filter. */
  static boolean addAny(long[] words, BlockedProbe probe, long hash) {
    long firstWord = probe.firstWord(hash);
    long secondWord = probe.secondWord(hash);
    long firstMask = probe.firstMask(hash, firstWord);
    long secondMask = probe.secondMask(hash, secondWord);
    int firstIndex = index(probe, firstWord);
    long first = words[firstIndex];
    words[firstIndex] = first | firstMask;
    int secondIndex = index(probe, secondWord); // of quarters it may be the same one
    long second = words[secondIndex];
    words[secondIndex] = second | secondMask;
    return ((~first & firstMask) | (~second & secondMask)) != 0;
  }

  /** The shared form of {@link #add}. */
  static boolean addShared(long[] words, long wordsOfBlocks, int middle, int masks, long hash) {
    int place = (int) BlockedIndexDerivation.place(hash, wordsOfBlocks);
    return setBoth(
        words,
        place + middle,
        BlockedIndexDerivation.first(hash, masks),
        (place ^ BlockedIndexDerivation.distance(hash)) + middle,
        BlockedIndexDerivation.second(hash, masks));
  }

  /** {@link #addShared} for any filter. */
  static boolean addAnyShared(long[] words, BlockedProbe probe, long hash) {
    long firstWord = probe.firstWord(hash);
    long secondWord = probe.secondWord(hash);
    return setBoth(
        words,
        index(probe, firstWord),
        probe.firstMask(hash, firstWord),
        index(probe, secondWord), // of quarters it may be the same one
        probe.secondMask(hash, secondWord));
  }

  private static boolean setBoth(
      long[] words, int firstIndex, long firstMask, int secondIndex, long secondMask) {
    // Both are read before one is set: no read starts while an atomic instruction waits.
    long first = (long) WordArrays.WORDS.getOpaque(words, firstIndex);
    long second = (long) WordArrays.WORDS.getOpaque(words, secondIndex);
    VarHandle.acquireFence(); // as in a query, for bits that are set already
    boolean firstIsNew = set(words, firstIndex, first, firstMask);
    return set(words, secondIndex, second, secondMask) || firstIsNew;
  }

  /**
   * Sets bits of a word. Returns whether one of them was not set.
   *
   * @param seen an earlier value of the word
   */
  private static boolean set(long[] words, int index, long seen, long mask) {
    // Set bits are left alone, so that repeats do not take the cache line from other threads. Bits
    // are never reset meanwhile, so that a word fails less than 64 times.
    long before = seen;
    while ((~before & mask) != 0) {
      long found = (long) WordArrays.WORDS.compareAndExchange(words, index, before, before | mask);
      if (found == before) {
        return true;
      }
      before = found;
    }
    return false;
  }

  /** Loads the cache lines of some elements. Returns a mix of their words. */
  static long readAhead(long[] words, BlockedProbe probe, long[] elements, int from, int to) {
    long all = 0;
    for (int i = from; i < to; i++) {
      all ^= words[index(probe, probe.firstWord(elements[i]))]; // the second lies in its line
    }
    return all;
  }

  /** Returns how many positions of a word of a block are set. */
  static int setPositions(long[] words, BlockedProbe probe, long word) {
    return probe.setPositions(words[index(probe, word)], word);
  }

  private static int index(BlockedProbe probe, long word) {
    return WordArrays.BLOCK_PADDING + (int) probe.index(word);
  }
}
