package io.bloomkit.internal;

/**
 * Derives the positions of an element in a blocked filter ({@code BlockedShape}) from the 64 bits
 * of its hash: two different words of one block, and a mask of positions in each of them.
 *
 * <pre>{@code
 * long firstWord = BlockedIndexDerivation.offset(hash, wordCount);
 * long secondWord = firstWord ^ BlockedIndexDerivation.distance(hash);
 * int maskTable = BlockedIndexDerivation.maskTable(k / 2);
 * long firstMask = BlockedIndexDerivation.firstMask(hash, maskTable);
 * long secondMask = BlockedIndexDerivation.secondMask(hash, maskTable);
 * }</pre>
 *
 * <p>The bits of the hash are used as follows, where bit 0 is the lowest:
 *
 * <ul>
 *   <li>the highest bits choose the block and the first word;
 *   <li>bits 26 to 31 choose the distance of the second word;
 *   <li>bits 18 to 25 choose the {@linkplain BlockMasks mask} of the first word;
 *   <li>bits 0 to 5 are the rotation of the first mask;
 *   <li>bits 6 to 11 are the rotation of the second mask. In words of 16 positions, only the four
 *       highest of the six bits of a rotation are used.
 * </ul>
 *
 * <p>If an element takes up to {@link #PARTNERS} positions per word, the second mask is the
 * {@linkplain BlockMasks#partner partner} of the first, and in words of 64 positions both masks
 * have the rotation of the first. If an element takes more positions, the false-positive rate is so
 * low that elements with equal first and second masks would raise it noticeably. The second mask is
 * then independent of the first: the highest eight bits of {@link IndexDerivation#next}, a product
 * of the hash, choose it. Up to 2<sup>32</sup> words, no bit is used twice, except in this product.
 * The cost does not depend on the number of positions, and no branch depends on the hash.
 * bloom-bench/laboratory.md compares this derivation with others.
 *
 * <p>In this class, a word is an eighth of a block: 64 positions of a block of 512, or 16 positions
 * of a block of 128. This does not depend on how a position is stored, so a filter of counters and
 * a filter of bits of the same {@code BlockedShape} have the same words. Filter files depend on
 * this class, so it never changes; a new derivation would be a new class.
 */
public final class BlockedIndexDerivation {

  /** The number of words of a block, both of bits and of counters. */
  public static final int WORDS_PER_BLOCK = 8;

  /** The largest number of positions per word at which the two masks of an element are partners. */
  public static final int PARTNERS = 3;

  private static final int DISTANCE_BITS = 6;
  private static final int MASK_BITS = 8;
  private static final int MASK_SHIFT = Integer.SIZE - DISTANCE_BITS - MASK_BITS;
  private static final int SECOND_ROTATION_SHIFT = 6;

  /** The bits of a rotation that rotate a word of sixteen 4-bit counters. */
  private static final int COUNTER_ROTATION = 60;

  /** The number of low bits of a rotation that a word of sixteen positions does not use. */
  private static final int UNUSED_ROTATION_BITS_16 = 2;

  private static final int BITS_16 = 16;
  private static final long MASK_16 = 0xffff;

  /**
   * A factor that repeats sixteen bits four times. Rotating the product rotates each of the four
   * copies.
   */
  private static final long FOUR_TIMES = 0x0001000100010001L;

  private static final int BITS_PER_COUNTER = 4;

  /** Of each mask in a table: itself and its partner. */
  private static final int PAIR = 2;

  /** The length of the part of the table with the masks of one kind of word. */
  private static final int PAIRS = PAIR * BlockMasks.MAX_POSITIONS * BlockMasks.MASKS;

  private static final int MASKS_16 = PAIRS;
  private static final int COUNTER_MASKS = 2 * PAIRS;
  private static final int DISTANCES = 3 * PAIRS;

  /**
   * The masks of words of 64 bits, of 16 bits (four times in a long) and of counters (the lowest
   * bit of each), each before its partner, and the distances of the second word: 1 ten times, 2 to
   * 7 nine times each. One array, so that all loads of an operation share its address, and the
   * masks of an element mostly lie in one cache line.
   */
  private static final long[] TABLE = new long[DISTANCES + (1 << DISTANCE_BITS)];

  static {
    for (int i = 0; i < PAIRS; i++) {
      int positions = i / (PAIR * BlockMasks.MASKS) + 1;
      int firstMask = i / PAIR % BlockMasks.MASKS;
      int mask = i % PAIR == 0 ? firstMask : BlockMasks.partner(firstMask);
      TABLE[i] = BlockMasks.mask(Long.SIZE, positions, mask);
      long mask16 = BlockMasks.mask(BITS_16, positions, mask);
      TABLE[MASKS_16 + i] = mask16 * FOUR_TIMES;
      for (long remaining = mask16; remaining != 0; remaining &= remaining - 1) {
        TABLE[COUNTER_MASKS + i] |=
            1L << (BITS_PER_COUNTER * Long.numberOfTrailingZeros(remaining));
      }
    }
    for (int i = 0; i < 1 << DISTANCE_BITS; i++) {
      TABLE[DISTANCES + i] = 1 + (WORDS_PER_BLOCK - 1L) * i / (1 << DISTANCE_BITS);
    }
  }

  private BlockedIndexDerivation() {}

  /**
   * Returns the offset of the first word from the middle of all words: ⌊hash · wordCount /
   * 2<sup>64</sup>⌋, where the hash is a signed number. With an unsigned hash, {@link
   * Math#multiplyHigh} would need a correction of the sign.
   *
   * @param hash 64 well-mixed bits
   * @param wordCount the number of words of all blocks: a multiple of 16, so that a block begins in
   *     the middle; not checked
   * @return a number from {@code -wordCount / 2} to {@code wordCount / 2 - 1}
   */
  public static long offset(long hash, long wordCount) {
    return Math.multiplyHigh(wordCount, hash);
  }

  /**
   * Returns the distance of the two words, which is the exclusive or of their indexes. The words
   * are different and lie in one block.
   *
   * @return a number from 1 to 7
   */
  public static long distance(long hash) {
    return TABLE[DISTANCES + ((int) hash >>> (Integer.SIZE - DISTANCE_BITS))];
  }

  /** Returns the weight of a {@link #distance}: 64 times its probability. */
  public static int weightOfDistance(int distance) {
    int weight = 0;
    for (int i = DISTANCES; i < TABLE.length; i++) {
      weight += TABLE[i] == distance ? 1 : 0;
    }
    return weight;
  }

  /**
   * Returns the index of the word at an {@link #offset}, from 0 on.
   *
   * @param wordCount the number of words of all blocks
   */
  public static long wordIndex(long offset, long wordCount) {
    return offset + (wordCount >>> 1);
  }

  /**
   * Returns the index of the array element from which {@link #offset} counts, in an array with
   * {@link WordArrays#BLOCK_PADDING} words before the first block. It is computed once per filter.
   *
   * @param wordCount the number of words in all blocks, which must fit into an array; not checked
   */
  public static int middle(long wordCount) {
    return WordArrays.BLOCK_PADDING + (int) wordIndex(0, wordCount);
  }

  /**
   * Returns the value of the parameter {@code maskTable} of the methods below: the index, in a
   * table of this class, of the first mask that has a given number of positions. It is computed
   * once per filter.
   *
   * @param positions the number of positions that an element takes per word, from 1 to 8; not
   *     checked
   */
  public static int maskTable(int positions) {
    return (positions - 1) * BlockMasks.MASKS * PAIR;
  }

  /**
   * Returns whether the two masks of an element with a given number of positions per word are
   * partners.
   */
  public static boolean arePartners(int positions) {
    return positions <= PARTNERS;
  }

  /** Returns whether the two masks of an element are rotated by the same number of positions. */
  public static boolean areRotatedAlike(int positionsOfWord, int positions) {
    return positionsOfWord == Long.SIZE && arePartners(positions);
  }

  /** Returns the mask of an element in its first word of 64 bits. */
  public static long firstMask(long hash, int maskTable) {
    return Long.rotateLeft(TABLE[index(hash, maskTable)], (int) hash); // uses only six bits
  }

  /** Returns the mask of an element in its second word of 64 bits. */
  public static long secondMask(long hash, int maskTable) {
    return Long.rotateLeft(
        TABLE[secondIndex(hash, maskTable)],
        hasPartners(maskTable) ? (int) hash : secondRotation(hash));
  }

  /**
   * Returns the unrotated mask of an element for its first word of counters: the lowest bit of each
   * counter that the element takes.
   */
  public static long unrotatedFirstCounterMask(long hash, int maskTable) {
    return TABLE[COUNTER_MASKS + index(hash, maskTable)];
  }

  /** Returns the unrotated mask of an element for its second word of counters. */
  public static long unrotatedSecondCounterMask(long hash, int maskTable) {
    return TABLE[COUNTER_MASKS + secondIndex(hash, maskTable)];
  }

  /**
   * Rotates a word of counters back, so that the mask of {@link #unrotatedFirstCounterMask} applies
   * without rotation.
   */
  public static long rotateBackFirst(long word, long hash) {
    return Long.rotateRight(word, (int) hash & COUNTER_ROTATION);
  }

  /**
   * Rotates a word of counters back, so that the mask of {@link #unrotatedSecondCounterMask}
   * applies without rotation.
   */
  public static long rotateBackSecond(long word, long hash) {
    return Long.rotateRight(word, secondRotation(hash) & COUNTER_ROTATION);
  }

  /** Returns the mask of an element in its first word of counters. */
  public static long firstCounterMask(long hash, int maskTable) {
    return Long.rotateLeft(
        unrotatedFirstCounterMask(hash, maskTable), (int) hash & COUNTER_ROTATION);
  }

  /** Returns the mask of an element in its second word of counters. */
  public static long secondCounterMask(long hash, int maskTable) {
    return Long.rotateLeft(
        unrotatedSecondCounterMask(hash, maskTable), secondRotation(hash) & COUNTER_ROTATION);
  }

  /**
   * Returns the mask of an element in its first word of sixteen bits.
   *
   * @param word the index of the word; four such words make one of 64 bits
   * @return the sixteen bits in their position among the 64
   */
  public static long firstMask16(long hash, int maskTable, long word) {
    return rotatedMask16(TABLE[MASKS_16 + index(hash, maskTable)], (int) hash, word);
  }

  /** Returns the mask of an element in its second word of sixteen bits. */
  public static long secondMask16(long hash, int maskTable, long word) {
    return rotatedMask16(
        TABLE[MASKS_16 + secondIndex(hash, maskTable)], secondRotation(hash), word);
  }

  private static long rotatedMask16(long mask, int rotation, long word) {
    return Long.rotateLeft(mask, rotation >>> UNUSED_ROTATION_BITS_16)
        & (MASK_16 << (word * BITS_16));
  }

  private static boolean hasPartners(int maskTable) {
    return maskTable <= maskTable(PARTNERS);
  }

  private static int secondRotation(long hash) {
    return (int) hash >>> SECOND_ROTATION_SHIFT;
  }

  private static int index(long hash, int maskTable) {
    return index((int) hash >>> (MASK_SHIFT - 1), maskTable);
  }

  private static int secondIndex(long hash, int maskTable) {
    return hasPartners(maskTable)
        ? index(hash, maskTable) + 1
        : index((int) (IndexDerivation.next(hash) >>> (Long.SIZE - MASK_BITS - 1)), maskTable);
  }

  /** Returns the index of a mask, which comes from all but the lowest bit of a number. */
  private static int index(int mask, int maskTable) {
    // The last operation shows the compiler that no index is out of bounds. If the sum contains a
    // constant, the compiler removes the operation as well.
    return ((mask & (PAIR * (BlockMasks.MASKS - 1))) + maskTable) & (PAIRS - 1);
  }
}
