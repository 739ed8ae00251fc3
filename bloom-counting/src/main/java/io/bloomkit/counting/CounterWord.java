package io.bloomkit.counting;

/**
 * Operations on a word of sixteen 4-bit counters, the first one in the lowest bits. The methods
 * take the index of a counter in the whole array; its place in its word is that index modulo
 * sixteen.
 *
 * <p>A mask selects some counters of a word: it has the lowest bit of each of them.
 */
final class CounterWord {

  static final int COUNTERS = 16;

  /** The value of four bits that are all ones. With an overflow, the counter is above fifteen. */
  static final int FULL = 15;

  private static final int COUNTERS_LOG_2 = 4;
  private static final int BITS_LOG_2 = 2;

  /** The distance from the lowest bit of a counter to its highest. */
  private static final int TOP_BIT = 3;

  /** A word of counters that are all one. */
  static final long LOWEST_BITS = 0x1111111111111111L;

  /** The lower four bits of every byte. The upper four are zero and take a carry. */
  private static final long EVEN_COUNTERS = 0x0f0f0f0f0f0f0f0fL;

  /** The carry out of each counter of {@link #EVEN_COUNTERS}. */
  private static final long CARRIES = 0x1010101010101010L;

  /**
   * For each place of a counter in a word, a word with only a one there; below, with a fifteen. A
   * load takes fewer instructions than a shift by a variable distance (bloom-bench/laboratory.md).
   */
  private static final long[] ONES = new long[COUNTERS];

  private static final long[] FIFTEENS = new long[COUNTERS];

  static {
    for (int i = 0; i < COUNTERS; i++) {
      ONES[i] = 1L << (i << BITS_LOG_2);
      FIFTEENS[i] = FULL * ONES[i];
    }
  }

  private CounterWord() {}

  /** Returns the index of the word of a counter. */
  static int wordOf(long index) {
    return (int) (index >>> COUNTERS_LOG_2);
  }

  /** Returns the index of the first counter of a word. */
  static long firstOf(int word) {
    return (long) word << COUNTERS_LOG_2;
  }

  /** Returns the number of words that hold a number of counters. */
  static int wordCount(long counters) {
    return wordOf(counters + COUNTERS - 1);
  }

  /** Returns the four bits of a counter. */
  static int fourBits(long word, long index) {
    return (int) (word >>> ((int) index << BITS_LOG_2)) & FULL;
  }

  /** Returns a word in which the counter of an index is one and the others are zero. */
  static long one(long index) {
    return ONES[(int) index & (COUNTERS - 1)];
  }

  /** Returns a word in which the counter of an index is fifteen and the others are zero. */
  static long fifteen(long index) {
    return FIFTEENS[(int) index & (COUNTERS - 1)];
  }

  /** Returns 1 for four bits that are zero, else 0. */
  static int oneIfZero(int fourBits) {
    return (fourBits - 1) >>> (Integer.SIZE - 1);
  }

  /** Returns the lowest bit of each selected counter that is zero. */
  static long zeros(long word, long mask) {
    // Applies the mask last, since its load from a table completes after that of the word.
    long pairs = word | word >>> 1;
    return mask & ~(pairs | pairs >>> 2);
  }

  /** Returns 0 if and only if none of the selected counters is zero. */
  static long anyZero(long word, long mask) {
    // Without a borrow, the difference has the highest bit of a counter only if the word has it.
    // The lowest selected counter that is zero gets its highest bit; only zeros cause borrows.
    return ((word - mask) & ~word) >>> TOP_BIT & mask;
  }

  /** Returns the highest bit of each selected counter. */
  static long highBits(long mask) {
    return mask << TOP_BIT;
  }

  /**
   * Returns the highest bit of each selected counter that is zero. Requires that none of the
   * selected counters is above seven.
   */
  static long zerosBelowEight(long word, long mask) {
    long highBits = highBits(mask);
    // Adding seven carries into the highest bit of a counter unless the counter is zero.
    return highBits & ~(word + (highBits - mask));
  }

  /** Returns the bit of counter number 0 to 15 in {@link #zeros}: set if {@code wasZero} is 1. */
  static long zero(int counter, long wasZero) {
    return wasZero << (counter << BITS_LOG_2);
  }

  /** Returns the highest bit of each selected counter that is eight or more. */
  static long eightOrMore(long word, long mask) {
    return word & highBits(mask);
  }

  /** Returns the lowest bit of each counter that is {@link #FULL}. */
  static long full(long word) {
    long pairs = word & word >>> 1;
    return pairs & pairs >>> 2 & LOWEST_BITS;
  }

  /** Returns the number of the lowest selected counter, 0 to 15. Requires a mask that is not 0. */
  static int lowestCounter(long mask) {
    return Long.numberOfTrailingZeros(mask) >>> BITS_LOG_2;
  }

  static int countNonZero(long word) {
    return Long.bitCount(nonZero(word));
  }

  /** Returns sixteen bits, one for each counter, set if it is not zero. */
  static long toBits(long word) {
    long nonZero = nonZero(word);
    long pairs = (nonZero | nonZero >>> 3) & 0x0303030303030303L;
    long fours = (pairs | pairs >>> 6) & 0x000f000f000f000fL;
    long eights = (fours | fours >>> 12) & 0x000000ff000000ffL;
    return (eights | eights >>> 24) & 0xffff;
  }

  /** Returns the lowest bit of each counter that is not zero. */
  private static long nonZero(long word) {
    long pairs = word | word >>> 1;
    return (pairs | pairs >>> 2) & LOWEST_BITS;
  }

  /** Returns the sum of the sixteen counters. */
  static long sum(long word) {
    long bytes = even(word) + odd(word); // each at most 30
    long shorts = (bytes & 0x00ff00ff00ff00ffL) + ((bytes >>> 8) & 0x00ff00ff00ff00ffL);
    return (shorts * 0x0001000100010001L) >>> 48;
  }

  /** Returns one bit per counter whose sum in two words is above fifteen. */
  static long overflows(long a, long b) {
    return ((even(a) + even(b)) & CARRIES) | (((odd(a) + odd(b)) & CARRIES) >>> 4);
  }

  /** Returns whether a counter of the first word is below that of the second. */
  static boolean isAnyBelow(long a, long b) {
    // The carry bit stays set exactly if the counter of a is not below that of b.
    long notBelow = ((even(a) | CARRIES) - even(b)) & ((odd(a) | CARRIES) - odd(b));
    return (notBelow & CARRIES) != CARRIES;
  }

  private static long even(long word) {
    return word & EVEN_COUNTERS;
  }

  private static long odd(long word) {
    return (word >>> 4) & EVEN_COUNTERS;
  }
}
