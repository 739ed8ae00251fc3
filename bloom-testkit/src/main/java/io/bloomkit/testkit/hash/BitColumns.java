package io.bloomkit.testkit.hash;

import java.util.Arrays;

/** Many words of 64 bits turned round, so that a bit of all of them is counted at once. */
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
   * Turns a square of 64 words round by swapping its quarters, the quarters of these, and so on (H.
   * Warren, <i>Hacker's delight</i>, 7-3): bit i of word j becomes bit j of word i.
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

  /** In how many words a bit is set. */
  int ones(int bit) {
    int ones = 0;
    for (long column : columns[bit]) {
      ones += Long.bitCount(column);
    }
    return ones;
  }

  /** In how many words two bits differ. */
  int differences(int bit, int other) {
    return differences(bit, this, other);
  }

  /** In how many words a bit differs from one of the word at the same place of as many others. */
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
