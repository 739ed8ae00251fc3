package io.bloomkit.counting;

import io.bloomkit.BlockedShape;
import io.bloomkit.internal.BlockedIndexDerivation;
import io.bloomkit.internal.WordArrays;
import java.util.Arrays;

/**
 * Operations on the counters of an element in a {@link BlockedCountingBloomFilter}, one word at a
 * time: an element has a few counters in each of two words of a block. All blocks together have
 * {@code wordCount} words. For {@code middle} and {@code masks} see {@link
 * BlockedIndexDerivation#middle} and {@link BlockedIndexDerivation#maskTable}.
 *
 * <p>The methods that end in {@code Shared} are thread-safe, as those of {@link CounterArray} are.
 */
final class BlockedCounters {

  /** Enough that two threads rarely contend, and small compared with a filter for many threads. */
  private static final int MAX_STRIPES = 1024;

  private BlockedCounters() {}

  /**
   * Returns monitors, a power of two in number, that make decrements in one block exclusive. Each
   * is a stripe: it guards every n-th block.
   */
  static Object[] stripes(long blocks) {
    Object[] stripes = new Object[(int) Math.min(MAX_STRIPES, Long.highestOneBit(blocks))];
    Arrays.setAll(stripes, i -> new Object());
    return stripes;
  }

  static boolean contains(CounterArray counters, long wordCount, int middle, int masks, long hash) {
    return areNonZero(
        counters.word(first(hash, wordCount, middle)),
        counters.word(second(hash, wordCount, middle)),
        masks,
        hash);
  }

  static boolean containsShared(
      CounterArray counters, long wordCount, int middle, int masks, long hash) {
    return areNonZero(
        counters.wordShared(first(hash, wordCount, middle)),
        counters.wordShared(second(hash, wordCount, middle)),
        masks,
        hash);
  }

  /** Returns whether no counter of a hash is zero in its two words. */
  private static boolean areNonZero(long first, long second, int masks, long hash) {
    // Rotates the words and not the masks, which come later because they are loaded from a table.
    long firstZeros =
        CounterWord.anyZero(
            BlockedIndexDerivation.rotateBackFirst(first, hash),
            BlockedIndexDerivation.unrotatedFirstCounterMask(hash, masks));
    long secondZeros =
        CounterWord.anyZero(
            BlockedIndexDerivation.rotateBackSecond(second, hash),
            BlockedIndexDerivation.unrotatedSecondCounterMask(hash, masks));
    return (firstZeros | secondZeros) == 0;
  }

  /**
   * Adds one to each counter of a hash. If this throws as {@link CounterArray#increment} does,
   * nothing has changed.
   *
   * @return whether at least one of them was zero
   */
  static boolean increment(
      CounterArray counters, long wordCount, int middle, int masks, long hash) {
    return counters.incrementBoth(
        first(hash, wordCount, middle),
        BlockedIndexDerivation.firstCounterMask(hash, masks),
        second(hash, wordCount, middle),
        BlockedIndexDerivation.secondCounterMask(hash, masks));
  }

  /**
   * The thread-safe {@link #increment}.
   *
   * @param stripes the monitors that {@link #stripes(long)} returned
   */
  static boolean incrementShared(
      CounterArray counters, long wordCount, int middle, int masks, long hash, Object[] stripes) {
    int first = first(hash, wordCount, middle);
    long firstMask = BlockedIndexDerivation.firstCounterMask(hash, masks);
    Object stripe = stripe(stripes, first);
    long zeros = counters.incrementAllShared(first, firstMask, stripe);
    boolean done = false;
    try {
      zeros |=
          counters.incrementAllShared(
              second(hash, wordCount, middle),
              BlockedIndexDerivation.secondCounterMask(hash, masks),
              stripe);
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

  /** Subtracts one from each counter of a hash. If one is zero, returns false, changes nothing. */
  static boolean decrement(
      CounterArray counters, long wordCount, int middle, int masks, long hash) {
    return counters.decrementIfNonZero(
        first(hash, wordCount, middle),
        BlockedIndexDerivation.firstCounterMask(hash, masks),
        second(hash, wordCount, middle),
        BlockedIndexDerivation.secondCounterMask(hash, masks));
  }

  /**
   * The thread-safe {@link #decrement}, for a caller that holds the {@linkplain #stripe monitor} of
   * the hash.
   */
  static boolean decrementLocked(
      CounterArray counters, long wordCount, int middle, int masks, long hash) {
    int first = first(hash, wordCount, middle);
    long firstMask = BlockedIndexDerivation.firstCounterMask(hash, masks);
    int second = second(hash, wordCount, middle);
    long secondMask = BlockedIndexDerivation.secondCounterMask(hash, masks);
    // Only removals decrement, and removals in one block exclude each other. So counters that are
    // non-zero here stay non-zero until they are decremented, and no counter is ever restored.
    if ((counters.zerosShared(first, firstMask) | counters.zerosShared(second, secondMask)) != 0) {
      return false;
    }
    counters.decrementAllShared(first, firstMask);
    counters.decrementAllShared(second, secondMask);
    return true;
  }

  /**
   * The {@link #incrementShared} of copies of a hash, at least 1.
   *
   * @param stripe the {@linkplain #stripe monitor} of the hash
   */
  static boolean addShared(
      CounterArray counters,
      long wordCount,
      int middle,
      int masks,
      long hash,
      long copies,
      Object stripe) {
    int first = first(hash, wordCount, middle);
    long firstMask = BlockedIndexDerivation.firstCounterMask(hash, masks);
    long zeros = counters.addEachShared(first, firstMask, copies, stripe);
    boolean done = false;
    try {
      zeros |=
          counters.addEachShared(
              second(hash, wordCount, middle),
              BlockedIndexDerivation.secondCounterMask(hash, masks),
              copies,
              stripe);
      done = true;
    } finally {
      if (!done) {
        synchronized (stripe) {
          counters.subtractEachShared(first, firstMask, copies);
        }
      }
    }
    return zeros != 0;
  }

  /** The {@link #decrementLocked} of copies of a hash, at least 1. */
  static boolean subtractLocked(
      CounterArray counters, long wordCount, int middle, int masks, long hash, long copies) {
    if (minShared(counters, wordCount, middle, masks, hash) < copies) {
      return false;
    }
    counters.subtractEachShared(
        first(hash, wordCount, middle),
        BlockedIndexDerivation.firstCounterMask(hash, masks),
        copies);
    counters.subtractEachShared(
        second(hash, wordCount, middle),
        BlockedIndexDerivation.secondCounterMask(hash, masks),
        copies);
    return true;
  }

  /** Returns the monitor of removals of a hash. */
  static Object stripe(Object[] stripes, long hash, long wordCount, int middle) {
    return stripe(stripes, first(hash, wordCount, middle));
  }

  private static Object stripe(Object[] stripes, int word) {
    int block = (word - WordArrays.BLOCK_PADDING) / BlockedShape.WORDS_PER_BLOCK;
    return stripes[block & (stripes.length - 1)];
  }

  /** Returns the smallest counter of a hash. */
  static long min(CounterArray counters, long wordCount, int middle, int masks, long hash) {
    return Math.min(
        counters.min(
            first(hash, wordCount, middle), BlockedIndexDerivation.firstCounterMask(hash, masks)),
        counters.min(
            second(hash, wordCount, middle),
            BlockedIndexDerivation.secondCounterMask(hash, masks)));
  }

  static long minShared(CounterArray counters, long wordCount, int middle, int masks, long hash) {
    return Math.min(
        counters.minShared(
            first(hash, wordCount, middle), BlockedIndexDerivation.firstCounterMask(hash, masks)),
        counters.minShared(
            second(hash, wordCount, middle),
            BlockedIndexDerivation.secondCounterMask(hash, masks)));
  }

  /** Reads and returns the first word of a hash. The second is in the same cache line. */
  static long readAhead(CounterArray counters, long wordCount, int middle, long hash) {
    return counters.word(first(hash, wordCount, middle));
  }

  private static int first(long hash, long wordCount, int middle) {
    return (int) BlockedIndexDerivation.offset(hash, wordCount) + middle;
  }

  private static int second(long hash, long wordCount, int middle) {
    long place = BlockedIndexDerivation.offset(hash, wordCount);
    return (int) (place ^ BlockedIndexDerivation.distance(hash)) + middle;
  }
}
