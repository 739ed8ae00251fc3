package io.bloomkit.classic;

import io.bloomkit.internal.BlockedIndexDerivation;

/**
 * The two words of 64 bits, and the bits in each, that an element takes in a filter of blocks,
 * wherever its words are stored.
 *
 * <p>A word of a block has 64 bits ({@code fullWords}), or it is a quarter of one, in filters made
 * from counters. All methods are pure and short: what they repeat of each other is computed once.
 */
final class BlockedProbe {

  private static final int QUARTER_BITS = 16;

  private BlockedProbe() {}

  /** The index of the word of 64 bits that has the first word of an element. */
  static long first(long hash, long wordsOfBlocks, boolean fullWords) {
    return index(BlockedIndexDerivation.firstWord(hash, wordsOfBlocks), fullWords);
  }

  /** The bits of an element in the first word. */
  static long firstMask(long hash, long wordsOfBlocks, int hashesPerWord, boolean fullWords) {
    long state = BlockedIndexDerivation.firstState(hash);
    return fullWords
        ? BlockedIndexDerivation.bits(state, hashesPerWord)
        : inQuarter(
            BlockedIndexDerivation.counterBits(state, hashesPerWord),
            BlockedIndexDerivation.firstWord(hash, wordsOfBlocks));
  }

  /** The index of the word of 64 bits that has the second word; the first one's, if quarters. */
  static long second(long hash, long wordsOfBlocks, boolean fullWords) {
    return index(BlockedIndexDerivation.secondWord(hash, wordsOfBlocks), fullWords);
  }

  /** The bits of an element in the second word. */
  static long secondMask(long hash, long wordsOfBlocks, int hashesPerWord, boolean fullWords) {
    long state = BlockedIndexDerivation.secondState(hash);
    return fullWords
        ? BlockedIndexDerivation.bits(state, hashesPerWord)
        : inQuarter(
            BlockedIndexDerivation.counterBits(state, hashesPerWord),
            BlockedIndexDerivation.secondWord(hash, wordsOfBlocks));
  }

  /** The index of the word of 64 bits that has a word of a block. */
  static long index(long word, boolean fullWords) {
    return fullWords ? word : word * QUARTER_BITS / Long.SIZE;
  }

  /** The bits of a quarter of 64, as the lowest. */
  static long quarter(long bits, long word) {
    return bits >>> (word * QUARTER_BITS) & 0xffff; // shifts look at six bits only
  }

  private static long inQuarter(long bits, long word) {
    return bits << (word * QUARTER_BITS);
  }
}
