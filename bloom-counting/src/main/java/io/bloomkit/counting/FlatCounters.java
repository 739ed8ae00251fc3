package io.bloomkit.counting;

import io.bloomkit.internal.IndexDerivation;

/**
 * The counters of an element in a {@link CountingBloomFilter}, tested, raised and lowered one by
 * one. A filter has m = {@code positions} counters, of which an element takes k = {@code hashes},
 * each distinct position once.
 *
 * <p>The methods that end in {@code Shared} are thread-safe, as those of {@link CounterArray} are.
 */
final class FlatCounters {

  /** The step from a state to the fourth after it. */
  private static final long LEAP_OF_FOUR = IndexDerivation.leap(4);

  private FlatCounters() {}

  /** Returns whether no counter of a hash is zero. */
  static boolean contains(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    int left = hashes;
    // Three counters before the first branch: half of those of an absent element are zero, in no
    // order that a processor predicts. Then one by one, since an element that passes the first
    // three counters is almost always present. States that do not depend on each other are computed
    // together. No loop for the seven hashes of 1 % (docs/performance.md).
    if (left >= 3) {
      long second = IndexDerivation.next(state);
      long third = IndexDerivation.next(second);
      if (((valueOf(counters, state, positions) - 1)
              | (valueOf(counters, second, positions) - 1)
              | (valueOf(counters, third, positions) - 1))
          < 0) {
        return false;
      }
      state = IndexDerivation.next(third);
      left -= 3;
    }
    if (left >= 4) {
      long second = IndexDerivation.next(state);
      long third = IndexDerivation.next(second);
      long fourth = IndexDerivation.next(third);
      if (valueOf(counters, state, positions) == 0
          || valueOf(counters, second, positions) == 0
          || valueOf(counters, third, positions) == 0
          || valueOf(counters, fourth, positions) == 0) {
        return false;
      }
      state = IndexDerivation.next(fourth);
      left -= 4;
    }
    for (; left > 0; left--) {
      if (valueOf(counters, state, positions) == 0) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  /** Returns the counter of a state, or fifteen if it is more. */
  private static int valueOf(CounterArray counters, long state, long positions) {
    return counters.fourBits(IndexDerivation.position(state, positions));
  }

  static boolean containsShared(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < hashes; i++) {
      if (counters.isZeroShared(IndexDerivation.position(state, positions))) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  /** Adds one to each counter of a hash and returns the number of those that were zero. */
  static int increment(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    long seen = 0;
    int fromZero = 0;
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      if (isFirstOccurrence(position, seen, hash, i, positions)) {
        fromZero += counters.increment(position);
      }
      seen |= 1L << position;
      state = IndexDerivation.next(state);
    }
    return fromZero;
  }

  static int incrementShared(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    long seen = 0;
    int fromZero = 0;
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      if (isFirstOccurrence(position, seen, hash, i, positions)) {
        fromZero += counters.incrementShared(position);
      }
      seen |= 1L << position;
      state = IndexDerivation.next(state);
    }
    return fromZero;
  }

  /**
   * Takes one from each counter of a hash, none of which is zero, and returns the number of those
   * that are zero now.
   */
  static int decrement(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    long seen = 0;
    int toZero = 0;
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      if (isFirstOccurrence(position, seen, hash, i, positions)) {
        toZero += counters.decrement(position);
      }
      seen |= 1L << position;
      state = IndexDerivation.next(state);
    }
    return toZero;
  }

  /** {@link #decrement} for a caller that excludes other decrements, but not increments. */
  static int decrementShared(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    long seen = 0;
    int toZero = 0;
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      if (isFirstOccurrence(position, seen, hash, i, positions)) {
        toZero += counters.decrementShared(position);
      }
      seen |= 1L << position;
      state = IndexDerivation.next(state);
    }
    return toZero;
  }

  /**
   * Returns whether the i-th position of a hash is none of those before it. A look at one word, in
   * which position p marks bit p mod 64, mostly decides. Otherwise, for one position in twenty of
   * seven hashes and two in five of 64, those before it are derived again, which allocates nothing.
   */
  private static boolean isFirstOccurrence(
      long position, long seen, long hash, int i, long positions) {
    return (seen >>> position & 1) == 0
        || !IndexDerivation.isAmongFirst(position, hash, i, positions);
  }

  /** Returns the smallest counter of a hash. */
  static long least(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    long least = Long.MAX_VALUE;
    for (int i = 0; i < hashes && least > 0; i++) {
      least = Math.min(least, counters.get(IndexDerivation.position(state, positions)));
      state = IndexDerivation.next(state);
    }
    return least;
  }

  static long leastShared(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    long least = Long.MAX_VALUE;
    for (int i = 0; i < hashes && least > 0; i++) {
      least = Math.min(least, counters.getShared(IndexDerivation.position(state, positions)));
      state = IndexDerivation.next(state);
    }
    return least;
  }

  /** Mixes the words of a hash, without a loop for up to seven (docs/performance.md). */
  static long words(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    long all = 0;
    if ((hashes & 1) != 0) {
      all = wordAt(counters, state, positions);
      state = IndexDerivation.next(state);
    }
    if ((hashes & 2) != 0) {
      long second = IndexDerivation.next(state);
      all ^= wordAt(counters, state, positions) ^ wordAt(counters, second, positions);
      state = IndexDerivation.next(second);
    }
    if ((hashes & 4) != 0) {
      all ^= fourWords(counters, state, positions);
      state *= LEAP_OF_FOUR;
    }
    for (int left = hashes & ~7; left > 0; left -= 4) {
      all ^= fourWords(counters, state, positions);
      state *= LEAP_OF_FOUR;
    }
    return all;
  }

  private static long fourWords(CounterArray counters, long state, long positions) {
    long second = IndexDerivation.next(state);
    long third = IndexDerivation.next(second);
    return wordAt(counters, state, positions)
        ^ wordAt(counters, second, positions)
        ^ wordAt(counters, third, positions)
        ^ wordAt(counters, IndexDerivation.next(third), positions);
  }

  private static long wordAt(CounterArray counters, long state, long positions) {
    return counters.wordAt(IndexDerivation.position(state, positions));
  }
}
