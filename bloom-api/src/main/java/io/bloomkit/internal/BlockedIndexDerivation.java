package io.bloomkit.internal;

/**
 * Derives the place of an element in a filter of blocks ({@code BlockedShape}) from the 64 bits of
 * its hash: two different words of one block, and some positions of either.
 *
 * <pre>{@code
 * long firstWord = BlockedIndexDerivation.place(hash, words);
 * long secondWord = firstWord ^ BlockedIndexDerivation.distance(hash);
 * int masks = BlockedIndexDerivation.masks(k / 2);
 * long firstMask = BlockedIndexDerivation.first(hash, masks);
 * long secondMask = BlockedIndexDerivation.second(hash, masks);
 * }</pre>
 *
 * <p>The highest bits of a hash choose the block and the first word. The lowest 32 choose the rest:
 * from the highest of them down, six the distance of the second word and eight the {@linkplain
 * BlockMasks mask} of the first word; and of the lowest twelve, six how far that mask is rotated,
 * and the six above how far the mask of the second word is. With up to {@link #PARTNERS} positions
 * in a word the second mask is the {@linkplain BlockMasks#partner partner} of the first, and words
 * of 64 positions have both rotated by the same six bits. With more positions, at rates so low that
 * two elements may no longer share both masks by chance, eight bits of a product of the hash choose
 * the second. Up to 2<sup>32</sup> words no bit of the hash is used twice, but for that product. No
 * step costs more for more positions and none has a branch that depends on the hash:
 * docs/lab/performance.md compares it with others.
 *
 * <p>Here a word is a 64th of a block of bits or a 16th of a block of counters, whatever stores it:
 * a filter of counters and the filter of bits that answers as it does have the same words. Filter
 * files depend on this class: it is never changed, a new derivation would be a new class.
 */
public final class BlockedIndexDerivation {

  /** The words of a block, of bits or of counters. */
  public static final int WORDS_PER_BLOCK = 8;

  /** The most positions that an element takes of a word for its two masks to be partners. */
  public static final int PARTNERS = 3;

  private static final int DISTANCE_BITS = 6;
  private static final int MASK_BITS = 8;
  private static final int MASK_SHIFT = Integer.SIZE - DISTANCE_BITS - MASK_BITS;
  private static final int SECOND_ROTATION_SHIFT = 6;

  /** Of the six bits of a rotation, those that rotate sixteen counters of four bits. */
  private static final int COUNTER_ROTATION = 60;

  /** Of the six bits of a rotation, how many a word of sixteen positions does not use. */
  private static final int UNUSED_OF_QUARTER = 2;

  private static final int QUARTER_BITS = 16;
  private static final long QUARTER = 0xffff;

  /** The same sixteen bits four times, so that rotating them is rotating sixteen bits. */
  private static final long FOUR_TIMES = 0x0001000100010001L;

  /** From a bit of sixteen to the lowest bit of a counter. */
  private static final int BITS_PER_COUNTER = 4;

  /** The distances of the second word: 1 ten times, 2 to 7 nine times each. */
  private static final int[] DISTANCES = new int[1 << DISTANCE_BITS];

  private static final long[] BITS = BlockMasks.ofBits();
  private static final long[] QUARTERS = BlockMasks.ofQuarters();
  private static final long[] COUNTERS = new long[QUARTERS.length];

  /** At the index of each mask, its partner. */
  private static final long[] PARTNERS_OF_BITS = new long[BITS.length];

  private static final long[] PARTNERS_OF_QUARTERS = new long[QUARTERS.length];
  private static final long[] PARTNERS_OF_COUNTERS = new long[COUNTERS.length];

  static {
    for (int i = 0; i < DISTANCES.length; i++) {
      DISTANCES[i] = 1 + i * (WORDS_PER_BLOCK - 1) / DISTANCES.length;
    }
    for (int i = 0; i < QUARTERS.length; i++) {
      for (long left = QUARTERS[i]; left != 0; left &= left - 1) {
        COUNTERS[i] |= 1L << (BITS_PER_COUNTER * Long.numberOfTrailingZeros(left));
      }
      QUARTERS[i] *= FOUR_TIMES;
    }
    for (int i = 0; i < BITS.length; i++) {
      int partner = BlockMasks.partner(i);
      PARTNERS_OF_BITS[i] = BITS[partner];
      PARTNERS_OF_QUARTERS[i] = QUARTERS[partner];
      PARTNERS_OF_COUNTERS[i] = COUNTERS[partner];
    }
  }

  private BlockedIndexDerivation() {}

  /**
   * Returns the place of the first word, counted from the middle of all words: ⌊hash · words /
   * 2<sup>64</sup>⌋ with the hash read as a signed number. So no bit is lost and no sign corrected.
   *
   * @param hash 64 well-mixed bits
   * @param words how many words there are in all blocks: a multiple of 16, so that the middle is
   *     the beginning of a block; not checked
   * @return a number from {@code -words / 2} to {@code words / 2 - 1}
   */
  public static long place(long hash, long words) {
    return Math.multiplyHigh(words, hash);
  }

  /**
   * Returns the distance of the second word from the first, by exclusive or: the words are
   * different and of one block.
   *
   * @return a number from 1 to 7
   */
  public static int distance(long hash) {
    return DISTANCES[(int) hash >>> (Integer.SIZE - DISTANCE_BITS)];
  }

  /** Returns how many of 64 equally likely cases have a {@link #distance}. */
  public static int weightOfDistance(int distance) {
    int weight = 0;
    for (int each : DISTANCES) {
      weight += each == distance ? 1 : 0;
    }
    return weight;
  }

  /**
   * Returns the index of the word of a {@link #place}, from 0 on.
   *
   * @param words how many words there are in all blocks
   */
  public static long word(long place, long words) {
    return place + (words >>> 1);
  }

  /**
   * Returns where the masks of a number of positions begin in the tables, for the methods that
   * choose a mask; to be computed once for a filter.
   *
   * @param positions how many positions an element takes of a word, from 1 to 8; not checked
   */
  public static int masks(int positions) {
    return (positions - 1) * BlockMasks.MASKS;
  }

  /** Returns whether the masks of an element with some positions in a word are partners. */
  public static boolean arePartners(int positions) {
    return positions <= PARTNERS;
  }

  /** Returns whether the masks of an element are rotated alike. */
  public static boolean areRotatedAlike(int positionsOfWord, int positions) {
    return positionsOfWord == Long.SIZE && positions <= PARTNERS;
  }

  /** Returns the mask of an element in its first word of 64 bits. */
  public static long first(long hash, int masks) {
    return Long.rotateLeft(BITS[index(hash, masks)], (int) hash); // which looks at six bits
  }

  /** Returns the mask of an element in its second word of 64 bits. */
  public static long second(long hash, int masks) {
    return havePartners(masks)
        ? Long.rotateLeft(PARTNERS_OF_BITS[index(hash, masks)], (int) hash)
        : Long.rotateLeft(BITS[secondIndex(hash, masks)], secondRotation(hash));
  }

  /**
   * Returns the mask of an element in its first word of counters, before it is rotated: the lowest
   * bit of each counter.
   */
  public static long counters(long hash, int masks) {
    return COUNTERS[index(hash, masks)];
  }

  /** Returns the mask of an element in its second word of counters, before it is rotated. */
  public static long secondCounters(long hash, int masks) {
    return havePartners(masks)
        ? PARTNERS_OF_COUNTERS[index(hash, masks)]
        : COUNTERS[secondIndex(hash, masks)];
  }

  /** Rotates a word of counters so that a mask of {@link #counters} fits it as it is. */
  public static long firstRotatedBack(long word, long hash) {
    return Long.rotateRight(word, (int) hash & COUNTER_ROTATION);
  }

  /** Rotates a word of counters so that a mask of {@link #secondCounters} fits it as it is. */
  public static long secondRotatedBack(long word, long hash) {
    return Long.rotateRight(word, secondRotation(hash) & COUNTER_ROTATION);
  }

  /** Returns the mask of an element in its first word of counters. */
  public static long firstOfCounters(long hash, int masks) {
    return Long.rotateLeft(counters(hash, masks), (int) hash & COUNTER_ROTATION);
  }

  /** Returns the mask of an element in its second word of counters. */
  public static long secondOfCounters(long hash, int masks) {
    return Long.rotateLeft(secondCounters(hash, masks), secondRotation(hash) & COUNTER_ROTATION);
  }

  /**
   * Returns the mask of an element in its first word of sixteen bits.
   *
   * @param word the index of the word, of which four make one of 64 bits
   * @return sixteen bits in their place among the 64
   */
  public static long firstOfQuarters(long hash, int masks, long word) {
    return ofQuarter(QUARTERS[index(hash, masks)], (int) hash, word);
  }

  /** Returns the mask of an element in its second word of sixteen bits. */
  public static long secondOfQuarters(long hash, int masks, long word) {
    long mask =
        havePartners(masks)
            ? PARTNERS_OF_QUARTERS[index(hash, masks)]
            : QUARTERS[secondIndex(hash, masks)];
    return ofQuarter(mask, secondRotation(hash), word);
  }

  private static long ofQuarter(long mask, int rotation, long word) {
    return Long.rotateLeft(mask, rotation >>> UNUSED_OF_QUARTER)
        & (QUARTER << (word * QUARTER_BITS));
  }

  private static boolean havePartners(int masks) {
    return masks <= masks(PARTNERS);
  }

  private static int secondRotation(long hash) {
    return (int) hash >>> SECOND_ROTATION_SHIFT;
  }

  private static int index(long hash, int masks) {
    return index((int) hash >>> MASK_SHIFT, masks);
  }

  private static int secondIndex(long hash, int masks) {
    return index((int) (IndexDerivation.next(hash) >>> (Long.SIZE - MASK_BITS)), masks);
  }

  private static int index(int mask, int masks) {
    // The last operation says that no index is out of bounds, which spares the check. After a sum
    // with a constant the compiler drops it.
    return ((mask & (BlockMasks.MASKS - 1)) + masks) & (BITS.length - 1);
  }
}
