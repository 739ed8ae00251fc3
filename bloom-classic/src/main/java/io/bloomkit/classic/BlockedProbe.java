package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.internal.BlockedIndexDerivation;

/**
 * Derives the two words of an element, and its bits in each word, for a blocked filter of one
 * shape. The filter's words may be in an array or in a mapped file.
 *
 * <p>A word of a block usually has 64 bits. In a filter with a shape of {@link
 * BlockedShape#ofCounters} it has 16 bits, a quarter of a 64-bit word.
 *
 * @param words the number of words of all blocks
 * @param masks the result of {@link BlockedIndexDerivation#masks}
 * @param fullWords whether a word of a block has 64 bits
 */
record BlockedProbe(long words, int masks, boolean fullWords) {

  private static final int QUARTERS = 4;
  private static final int QUARTER_BITS = 16;

  static BlockedProbe of(BlockedShape shape) {
    return new BlockedProbe(
        shape.blocks() * BlockedShape.WORDS_PER_BLOCK,
        BlockedIndexDerivation.masks(shape.hashes() / 2),
        shape.positionsPerWord() == Long.SIZE);
  }

  /** Returns the number of the first word of an element, counted from 0. */
  long firstWord(long hash) {
    return BlockedIndexDerivation.word(BlockedIndexDerivation.place(hash, words), words);
  }

  /** Returns the number of the second word of an element. */
  long secondWord(long hash) {
    return firstWord(hash) ^ BlockedIndexDerivation.distance(hash);
  }

  /** Returns the index of the 64-bit word that contains a word of a block. */
  long index(long word) {
    return fullWords ? word : word / QUARTERS;
  }

  /** Returns the number of blocks per cache line. */
  int blocksPerLine() {
    return fullWords ? 1 : QUARTERS;
  }

  /** Returns the bits of an element in its first word. */
  long firstMask(long hash, long word) {
    return fullWords
        ? BlockedIndexDerivation.first(hash, masks)
        : BlockedIndexDerivation.firstOfQuarters(hash, masks, word);
  }

  /** Returns the bits of an element in its second word. */
  long secondMask(long hash, long word) {
    return fullWords
        ? BlockedIndexDerivation.second(hash, masks)
        : BlockedIndexDerivation.secondOfQuarters(hash, masks, word);
  }

  /** Returns the number of set positions of a word, given the 64-bit word that contains it. */
  int setPositions(long bits, long word) {
    return Long.bitCount(fullWords ? bits : bits >>> (word * QUARTER_BITS) & 0xffff);
  }
}
