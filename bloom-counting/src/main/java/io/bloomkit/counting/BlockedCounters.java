package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.internal.BlockedIndexDerivation;
import io.bloomkit.internal.WordArrays;
import java.util.Arrays;

/**
 * The counters of an element in a {@link BlockedCountingBloomFilter}: a few in each of two words of
 * a block, tested, raised and lowered a word at a time. The blocks have {@code words} words in all,
 * behind a padding; {@code masks} says how many counters an element takes in each of its two.
 *
 * <p>The methods that end in {@code Shared} are thread-safe, as those of {@link CounterArray} are.
 */
final class BlockedCounters {

  /** Enough that two threads seldom meet, and small beside any filter that many threads use. */
  private static final int MOST_STRIPES = 1024;

  private BlockedCounters() {}

  /** Returns the monitors that exclude decrements of a block from each other. */
  static Object[] stripes(long blocks) {
    Object[] stripes = new Object[(int) Math.min(MOST_STRIPES, Long.highestOneBit(blocks))];
    Arrays.setAll(stripes, i -> new Object());
    return stripes;
  }

  static boolean contains(CounterArray counters, long words, int masks, long hash) {
    return areNonZero(
        counters.word(first(hash, words)), counters.word(second(hash, words)), masks, hash);
  }

  static boolean containsShared(CounterArray counters, long words, int masks, long hash) {
    return areNonZero(
        counters.wordShared(first(hash, words)),
        counters.wordShared(second(hash, words)),
        masks,
        hash);
  }

  /** Returns whether no counter of a hash is zero in its two words. */
  private static boolean areNonZero(long first, long second, int masks, long hash) {
    // The words are rotated, not the masks, whose table then has time to answer.
    long firstZeros =
        CounterWord.tops(BlockedIndexDerivation.counters(hash, masks))
            & ~BlockedIndexDerivation.firstRotatedBack(CounterWord.topsIfNonZero(first), hash);
    long secondZeros =
        CounterWord.tops(BlockedIndexDerivation.secondCounters(hash, masks))
            & ~BlockedIndexDerivation.secondRotatedBack(CounterWord.topsIfNonZero(second), hash);
    return (firstZeros | secondZeros) == 0;
  }

  /**
   * Adds one to each counter of a hash. If it throws, for want of memory, nothing has changed.
   *
   * @return whether one of them was zero
   */
  static boolean increment(CounterArray counters, long words, int masks, long hash) {
    return counters.incrementBoth(
        first(hash, words),
        BlockedIndexDerivation.firstOfCounters(hash, masks),
        second(hash, words),
        BlockedIndexDerivation.secondOfCounters(hash, masks));
  }

  /**
   * {@link #increment} for any number of threads.
   *
   * @param stripes a power of two in number
   */
  static boolean incrementShared(
      CounterArray counters, long words, int masks, long hash, Object[] stripes) {
    int first = first(hash, words);
    long firstMask = BlockedIndexDerivation.firstOfCounters(hash, masks);
    Object stripe = stripe(stripes, first);
    long zeros = counters.incrementAllShared(first, firstMask, stripe);
    boolean done = false;
    try {
      zeros |=
          counters.incrementAllShared(
              second(hash, words), BlockedIndexDerivation.secondOfCounters(hash, masks), stripe);
      done = true;
    } finally {
      if (!done) {
        synchronized (stripe) {
          counters.decrementAllShared(first, firstMask);
        }
      }
    }
    return zeros != 0;
  }

  /** Takes one from each counter of a hash. Returns false and changes nothing if one is zero. */
  static boolean decrement(CounterArray counters, long words, int masks, long hash) {
    return counters.decrementIfNonZero(
        first(hash, words),
        BlockedIndexDerivation.firstOfCounters(hash, masks),
        second(hash, words),
        BlockedIndexDerivation.secondOfCounters(hash, masks));
  }

  /**
   * {@link #decrement} for any number of threads.
   *
   * @param stripes a power of two in number
   */
  static boolean decrementShared(
      CounterArray counters, long words, int masks, long hash, Object[] stripes) {
    int first = first(hash, words);
    long firstMask = BlockedIndexDerivation.firstOfCounters(hash, masks);
    int second = second(hash, words);
    long secondMask = BlockedIndexDerivation.secondOfCounters(hash, masks);
    // Only removals decrement, and those of a block exclude each other. Counters that are found
    // non-zero here stay so until all are taken: no counter is ever taken and restored.
    synchronized (stripe(stripes, first)) {
      if ((counters.zerosShared(first, firstMask) | counters.zerosShared(second, secondMask))
          != 0) {
        return false;
      }
      counters.decrementAllShared(first, firstMask);
      counters.decrementAllShared(second, secondMask);
    }
    return true;
  }

  private static Object stripe(Object[] stripes, int word) {
    int block = (word - WordArrays.BLOCK_PADDING) / BlockedShape.WORDS_PER_BLOCK;
    return stripes[block & (stripes.length - 1)];
  }

  /** Returns the smallest counter of a hash. */
  static long least(CounterArray counters, long words, int masks, long hash) {
    return Math.min(
        counters.least(first(hash, words), BlockedIndexDerivation.firstOfCounters(hash, masks)),
        counters.least(second(hash, words), BlockedIndexDerivation.secondOfCounters(hash, masks)));
  }

  static long leastShared(CounterArray counters, long words, int masks, long hash) {
    return Math.min(
        counters.leastShared(
            first(hash, words), BlockedIndexDerivation.firstOfCounters(hash, masks)),
        counters.leastShared(
            second(hash, words), BlockedIndexDerivation.secondOfCounters(hash, masks)));
  }

  /** Returns the first word of a hash; the second lies in the same cache line. */
  static long readAhead(CounterArray counters, long words, long hash) {
    return counters.word(first(hash, words));
  }

  private static int first(long hash, long words) {
    return (int) BlockedIndexDerivation.place(hash, words) + middle(words);
  }

  private static int second(long hash, long words) {
    int place = (int) BlockedIndexDerivation.place(hash, words);
    return (place ^ BlockedIndexDerivation.distance(hash)) + middle(words);
  }

  /** The index in the array of the word from which places are counted. */
  private static int middle(long words) {
    return WordArrays.BLOCK_PADDING + (int) BlockedIndexDerivation.word(0, words);
  }
}
