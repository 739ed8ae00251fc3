package io.bloomkit.classic;

import io.bloomkit.BlockedShape;
import io.bloomkit.internal.BlockedIndexDerivation;

/**
 * The two words of 64 bits, and the bits in each, that an element takes in a filter of blocks of
 * one shape, wherever its words are stored.
 *
 * <p>A word of a block has 64 bits, or it is a quarter of one, in filters made from counters.
 *
 * @param words how many words all blocks have
 * @param masks what {@link BlockedIndexDerivation#masks} returns
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

  /** Returns the first word of an element, from 0 on. */
  long firstWord(long hash) {
    return BlockedIndexDerivation.word(BlockedIndexDerivation.place(hash, words), words);
  }

  /** Returns the second word of an element. */
  long secondWord(long hash) {
    return firstWord(hash) ^ BlockedIndexDerivation.distance(hash);
  }

  /** Returns the index of the word of 64 bits that has a word of a block. */
  long index(long word) {
    return fullWords ? word : word / QUARTERS;
  }

  /** Returns how many blocks a cache line has. */
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

  /** Returns how many positions of a word are set, of the 64 bits that have it. */
  int setPositions(long bits, long word) {
    return Long.bitCount(fullWords ? bits : bits >>> (word * QUARTER_BITS) & 0xffff);
  }
}
