package io.bloomkit.interop.parquet;

/**
 * Operations on the bits of an element in a split block, as static functions over an array of
 * 64-bit words. The 32-bit word 2i of a block is the lower half of its 64-bit word i, and word 2i +
 * 1 is the upper half.
 *
 * <p>The upper 32 bits of a hash select the block. The lower 32 bits, multiplied by an odd constant
 * per word, select the bit in that word. The specification defines the constants.
 */
final class SplitBits {

  /** The number of 64-bit words of a block. */
  static final int WORDS_PER_BLOCK = ParquetShape.BYTES_PER_BLOCK / Long.BYTES;

  private static final int SALT_0 = 0x47b6137b;
  private static final int SALT_1 = 0x44974d91;
  private static final int SALT_2 = 0x8824ad5b;
  private static final int SALT_3 = 0xa2b7289d;
  private static final int SALT_4 = 0x705495c7;
  private static final int SALT_5 = 0x2df1424b;
  private static final int SALT_6 = 0x9efc4947;
  private static final int SALT_7 = 0x5c6bfb31;

  /** The right shift that leaves the five upper bits of a product, the index of a bit in a word. */
  private static final int SHIFT = 27;

  private SplitBits() {}

  /** Returns the index of the first word of the block of a hash, not counting the padding. */
  static int firstWord(long hash, int blocks) {
    return (int) (((hash >>> Integer.SIZE) * blocks) >>> Integer.SIZE) * WORDS_PER_BLOCK;
  }

  /** Returns whether all bits of a hash are set in the block that begins at an index. */
  static boolean contains(long[] words, int at, long hash) {
    int key = (int) hash;
    long missing =
        (~words[at] & mask(key, SALT_0, SALT_1))
            | (~words[at + 1] & mask(key, SALT_2, SALT_3))
            | (~words[at + 2] & mask(key, SALT_4, SALT_5))
            | (~words[at + 3] & mask(key, SALT_6, SALT_7));
    return missing == 0;
  }

  /**
   * Sets all bits of a hash in the block that begins at an index. Returns whether any of them was
   * not set before.
   */
  static boolean add(long[] words, int at, long hash) {
    int key = (int) hash;
    long added =
        set(words, at, mask(key, SALT_0, SALT_1))
            | set(words, at + 1, mask(key, SALT_2, SALT_3))
            | set(words, at + 2, mask(key, SALT_4, SALT_5))
            | set(words, at + 3, mask(key, SALT_6, SALT_7));
    return added != 0;
  }

  private static long set(long[] words, int index, long mask) {
    long before = words[index];
    words[index] = before | mask;
    return ~before & mask;
  }

  private static long mask(int key, int lowSalt, int highSalt) {
    return (1L << ((key * lowSalt) >>> SHIFT))
        | (1L << Integer.SIZE << ((key * highSalt) >>> SHIFT));
  }

  /** Returns the number of set bits of the block that begins at an index. */
  static int setPositions(long[] words, int at) {
    int set = 0;
    for (int i = at; i < at + WORDS_PER_BLOCK; i++) {
      set += Long.bitCount(words[i]);
    }
    return set;
  }

  /** Returns the false-positive rate of queries in the block that begins at an index. */
  static double fpp(long[] words, int at) {
    double fpp = 1;
    for (int i = at; i < at + WORDS_PER_BLOCK; i++) {
      fpp *=
          (double) Integer.bitCount((int) words[i])
              * Integer.bitCount((int) (words[i] >>> Integer.SIZE))
              / (ParquetShape.WORD_BITS * ParquetShape.WORD_BITS);
    }
    return fpp;
  }
}
