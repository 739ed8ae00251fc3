package io.bloomkit.testkit.hash;

import java.util.Arrays;

/** Many 64-bit words, transposed to count one bit of all words efficiently. */
final class BitColumns {

  private final int size;
  private final long[][] columns;

  BitColumns(long[] words, int size) {
    this.size = size;
    this.columns = new long[Long.SIZE][(size + Long.SIZE - 1) / Long.SIZE];
    long[] block = new long[Long.SIZE];
    for (int from = 0; from < size; from += Long.SIZE) {
      int length = Math.min(Long.SIZE, size - from);
      System.arraycopy(words, from, block, 0, length);
      Arrays.fill(block, length, Long.SIZE, 0);
      transpose(block);
      for (int bit = 0; bit < Long.SIZE; bit++) {
        columns[bit][from / Long.SIZE] = block[bit];
      }
    }
  }

  /**
   * Transposes a block of 64 words: bit i of word j becomes bit j of word i. Exchanges the two
   * off-diagonal quarters of the block, then those of each quarter, and so on (H. Warren,
   * <i>Hacker's delight</i>, 7-3).
   */
  private static void transpose(long[] block) {
    long lowHalves = 0xffff_ffffL;
    for (int width = Integer.SIZE; width > 0; width /= 2, lowHalves ^= lowHalves << width) {
      for (int i = 0; i < Long.SIZE; i = ((i | width) + 1) & ~width) {
        long swapped = (block[i] >>> width ^ block[i + width]) & lowHalves;
        block[i] ^= swapped << width;
        block[i + width] ^= swapped;
      }
    }
  }

  int size() {
    return size;
  }

  /** Returns the number of words in which a bit is set. */
  int ones(int bit) {
    int ones = 0;
    for (long column : columns[bit]) {
      ones += Long.bitCount(column);
    }
    return ones;
  }

  /** Returns the number of words in which two bits differ. */
  int differences(int bit, int other) {
    return differences(bit, this, other);
  }

  /** Returns how many words differ in a bit from a bit of the word at the same index in others. */
  int differences(int bit, BitColumns others, int other) {
    long[] column = columns[bit];
    long[] otherColumn = others.columns[other];
    int differences = 0;
    for (int i = 0; i < column.length; i++) {
      differences += Long.bitCount(column[i] ^ otherColumn[i]);
    }
    return differences;
  }
}
