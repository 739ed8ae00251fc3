package io.bloomkit.internal;

import java.util.Arrays;

/**
 * Derives the place of an element in a filter of blocks ({@code BlockedShape}) from the 64 bits of
 * its hash: two different words of one block, and positions within either.
 *
 * <p>It goes on where {@link IndexDerivation} does, with the states of the same generator. The hash
 * itself chooses the first word, the first state after it the second word, and the two states after
 * that choose the positions in the first and the second word:
 *
 * <pre>{@code
 * long first = BlockedIndexDerivation.firstWord(hash, words);
 * long firstMask = BlockedIndexDerivation.bits(BlockedIndexDerivation.firstState(hash), k / 2);
 * long second = BlockedIndexDerivation.secondWord(hash, words);
 * long secondMask = BlockedIndexDerivation.bits(BlockedIndexDerivation.secondState(hash), k / 2);
 * }</pre>
 *
 * <p>What these repeat of each other is left out by the compiler, which knows them to be pure.
 *
 * <p>Here a word is a 64th of a block of bits or a 16th of a block of counters, whatever stores it:
 * a filter of counters and the filter of bits that answers as it does have the same words. Filter
 * files depend on this class: it is never changed, a new derivation would be a new class.
 */
public final class BlockedIndexDerivation {

  /** The words of a block, of bits or of counters. */
  public static final int WORDS_PER_BLOCK = 8;

  /** Choices of a second word. */
  private static final int OTHER_WORDS = WORDS_PER_BLOCK - 1;

  private static final int BIT_WINDOW = 6;
  private static final int COUNTER_WINDOW = 4;

  /** How far the first six bits, or the first four times four, are from the end of a state. */
  private static final int FIRST_WINDOW = Long.SIZE - BIT_WINDOW;

  /** Four bits of a state times four, which is how far a one is shifted to its counter. */
  private static final long COUNTER_SHIFTS = 60;

  /** One bit each: a load, where a shift would need two registers (docs/performance.md). */
  private static final long[] BITS = new long[Long.SIZE];

  static {
    Arrays.setAll(BITS, i -> 1L << i);
  }

  /**
   * The masks of two counters, by the eight bits that choose them. One load spares ten instructions
   * a word, a quarter of an addition; the table stays in the fastest cache (docs/performance.md).
   */
  private static final long[] COUNTER_PAIRS = counterPairs();

  private BlockedIndexDerivation() {}

  private static long[] counterPairs() {
    long[] pairs = new long[1 << (2 * COUNTER_WINDOW)];
    for (int i = 0; i < pairs.length; i++) {
      long state = (long) i << (Long.SIZE - 2 * COUNTER_WINDOW);
      pairs[i] = counterMask(state, 0) | counterMask(state, 1);
    }
    return pairs;
  }

  /**
   * Returns the first word of an element, which also says the block: ⌊⌊hash / 2⌋ · words /
   * 2<sup>63</sup>⌋ with the hash read as an unsigned number.
   *
   * @param hash 64 well-mixed bits; the lowest is ignored
   * @param words how many words there are in all blocks: a multiple of 8, from 8 to 2<sup>61</sup>;
   *     not checked
   * @return a number from 0 to {@code words - 1}
   */
  public static long firstWord(long hash, long words) {
    // As in IndexDerivation.position.
    return Math.multiplyHigh(words << 1, hash >>> 1);
  }

  /**
   * Returns the second word of an element: any of the other seven of the block of its first.
   *
   * @param hash 64 well-mixed bits; the lowest is ignored
   * @param words how many words there are in all blocks, as for {@link #firstWord}
   */
  public static long secondWord(long hash, long words) {
    long state = IndexDerivation.next(IndexDerivation.start(hash));
    long distance = ((state >>> Integer.SIZE) * OTHER_WORDS) >>> Integer.SIZE; // from 0 to 6
    return firstWord(hash, words) ^ (1 + distance);
  }

  /** Returns the state that yields the positions in the first word. */
  public static long firstState(long hash) {
    return IndexDerivation.next(IndexDerivation.next(IndexDerivation.start(hash)));
  }

  /** Returns the state that yields the positions in the second word. */
  public static long secondState(long hash) {
    return IndexDerivation.next(firstState(hash));
  }

  /**
   * Returns the positions of an element in a word of 64 bits: the top 6 · count bits of a state,
   * six for each position.
   *
   * @param state a state
   * @param count how many positions, from 1 to 8; not checked
   * @return a word with a bit set for each; fewer if some are the same
   */
  public static long bits(long state, int count) {
    long mask = bitMask(state, 0);
    // The counts of 1 % and 0.1 % without a loop.
    if (count > 1) {
      mask |= bitMask(state, 1);
      if (count > 2) {
        mask |= bitMask(state, 2);
        for (int i = 3; i < count; i++) {
          mask |= bitMask(state, i);
        }
      }
    }
    return mask;
  }

  /** The bit that the i-th six bits of a state choose. */
  private static long bitMask(long state, int i) {
    return BITS[(int) (state << (i * BIT_WINDOW) >>> FIRST_WINDOW)];
  }

  /**
   * Returns the positions of an element in a word of sixteen four-bit counters: the top 4 · count
   * bits of a state, four for each position.
   *
   * @param state a state
   * @param count how many positions, from 1 to 8; not checked
   * @return a word with the lowest bit of the counter set for each; fewer if some are the same
   */
  public static long counters(long state, int count) {
    if (count == 1) {
      return counterMask(state, 0);
    }
    long mask = COUNTER_PAIRS[(int) (state >>> (Long.SIZE - 2 * COUNTER_WINDOW))];
    for (int i = 2; i < count; i++) {
      mask |= counterMask(state, i);
    }
    return mask;
  }

  /** The lowest bit of the counter that the i-th four bits of a state choose. */
  private static long counterMask(long state, int i) {
    return 1L << ((state >>> (FIRST_WINDOW - i * COUNTER_WINDOW)) & COUNTER_SHIFTS);
  }

  /**
   * Returns the positions of {@link #counters} as bits: the word of sixteen bits in which bit i is
   * set exactly if counter i is.
   *
   * @param state a state
   * @param count how many positions, from 1 to 8; not checked
   */
  public static long counterBits(long state, int count) {
    long windows = state >>> (Long.SIZE - COUNTER_WINDOW * count);
    long mask = 1L << (windows & 15);
    for (int i = 1; i < count; i++) {
      windows >>>= COUNTER_WINDOW;
      mask |= 1L << (windows & 15);
    }
    return mask;
  }
}
