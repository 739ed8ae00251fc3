package io.bloomkit.testkit;

/** Many words of 64 bits turned round, so that a bit of all of them is counted at once. */
final class BitColumns {

  private final int size;
  private final long[][] columns;

  BitColumns(long[] words, int size) {
    this.size = size;
    this.columns = new long[Long.SIZE][(size + Long.SIZE - 1) / Long.SIZE];
    for (int i = 0; i < size; i++) {
      long word = words[i];
      for (int bit = 0; bit < Long.SIZE; bit++) {
        columns[bit][i / Long.SIZE] |= (word >>> bit & 1) << i;
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
    int differences = 0;
    for (int i = 0; i < columns[bit].length; i++) {
      differences += Long.bitCount(columns[bit][i] ^ columns[other][i]);
    }
    return differences;
  }
}
