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
 * @param wordCount the number of words of all blocks
 * @param maskTable the result of {@link BlockedIndexDerivation#maskTable}
 * @param has64BitWords whether a word of a block has 64 bits
 */
record BlockedProbe(long wordCount, int maskTable, boolean has64BitWords) {

  private static final int WORDS_16_PER_LONG = 4;
  private static final int BITS_16 = 16;

  static BlockedProbe of(BlockedShape shape) {
    return new BlockedProbe(
        shape.blocks() * BlockedShape.WORDS_PER_BLOCK,
        BlockedIndexDerivation.maskTable(shape.hashes() / 2),
        shape.positionsPerWord() == Long.SIZE);
  }

  /** Returns the number of the first word of an element, counted from 0. */
  long firstWord(long hash) {
    return BlockedIndexDerivation.wordIndex(
        BlockedIndexDerivation.offset(hash, wordCount), wordCount);
  }

  /** Returns the number of the second word of an element. */
  long secondWord(long hash) {
    return firstWord(hash) ^ BlockedIndexDerivation.distance(hash);
  }

  /** Returns the index of the 64-bit word that contains a word of a block. */
  long index(long word) {
    return has64BitWords ? word : word / WORDS_16_PER_LONG;
  }

  /** Returns the number of blocks per cache line. */
  int blocksPerLine() {
    return has64BitWords ? 1 : WORDS_16_PER_LONG;
  }

  /** Returns the bits of an element in its first word. */
  long firstMask(long hash, long word) {
    return has64BitWords
        ? BlockedIndexDerivation.firstMask(hash, maskTable)
        : BlockedIndexDerivation.firstMask16(hash, maskTable, word);
  }

  /** Returns the bits of an element in its second word. */
  long secondMask(long hash, long word) {
    return has64BitWords
        ? BlockedIndexDerivation.secondMask(hash, maskTable)
        : BlockedIndexDerivation.secondMask16(hash, maskTable, word);
  }

  /** Returns the number of set positions of a word, given the 64-bit word that contains it. */
  int setPositions(long bits, long word) {
    return Long.bitCount(has64BitWords ? bits : bits >>> (word * BITS_16) & 0xffff);
  }
}
