package io.bloomkit.counting;

import io.bloomkit.internal.IndexDerivation;
import io.bloomkit.internal.filter.ElementCount;

/**
 * Operations on the counters of an element in a {@link CountingBloomFilter}, one counter at a time.
 * A filter has m = {@code positions} counters, of which an element has k = {@code hashes}. If
 * several of its positions are equal, an operation changes the counter there once for each of them.
 *
 * <p>{@link #min} and the methods that end in {@code Shared} are thread-safe, as those of {@link
 * CounterArray} are.
 */
final class FlatCounters {

  /**
   * The number of hashes at 1 %, the usual rate: loops are unrolled (bloom-bench/laboratory.md).
   */
  private static final int SEVEN = 7;

  /**
   * The number of counters in eight mebibytes. In a smaller filter, reads are cheap and reading
   * ahead gains nothing (bloom-bench/laboratory.md).
   */
  static final long BEYOND_CACHE = 1 << 24;

  /** A word in which seven counters are one; below, the highest bit of each of the seven. */
  private static final int SEVEN_LOW_BITS = 0x1111111;

  private static final int SEVEN_HIGH_BITS = SEVEN_LOW_BITS << 3;

  private FlatCounters() {}

  /** Returns whether no counter of a hash is zero. */
  static boolean contains(CounterArray counters, long positions, int hashes, long hash) {
    // The compiler unrolls a loop of seven; a loop of any number of steps takes a fifth longer.
    return hashes == SEVEN
        ? contains(counters.words, positions, SEVEN, hash)
        : contains(counters.words, positions, hashes, hash);
  }

  private static boolean contains(long[] words, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    if (positions >= BEYOND_CACHE || hashes < 3) {
      return areNonZero(words, positions, hashes, state);
    }
    // The processor cannot predict which counter of an absent element is the first zero. Where
    // reads are cheap, three reads before the first branch cost less than a misprediction.
    long second = IndexDerivation.next(state);
    long third = IndexDerivation.next(second);
    long zeros =
        negativeIfZero(counterAt(words, state, positions))
            | negativeIfZero(counterAt(words, second, positions))
            | negativeIfZero(counterAt(words, third, positions));
    return zeros >= 0 && areNonZero(words, positions, hashes - 3, IndexDerivation.next(third));
  }

  private static boolean areNonZero(long[] words, long positions, int hashes, long first) {
    long state = first;
    for (int i = 0; i < hashes; i++) {
      if (counterAt(words, state, positions) == 0) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  /** Returns the counter of a state, with its four bits where they are in the word. */
  private static long counterAt(long[] words, long state, long positions) {
    long position = IndexDerivation.position(state, positions);
    return words[CounterWord.wordOf(position)] & CounterWord.fifteen(position);
  }

  /** Returns a negative number for zero, and only for zero. */
  private static long negativeIfZero(long counter) {
    return (counter - 1) & ~counter;
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

  /**
   * Adds one to the counter at each position of a hash. If this throws as {@link
   * CounterArray#increment} does, nothing has changed.
   *
   * @return whether at least one of them was zero
   */
  static boolean increment(CounterArray counters, long positions, int hashes, long hash) {
    return hashes == SEVEN
        ? incrementSeven(counters, positions, hash)
        : incrementMany(counters, positions, hashes, hash);
  }

  private static boolean incrementSeven(CounterArray counters, long positions, long hash) {
    long[] words = counters.words;
    long state = IndexDerivation.start(hash);
    int before = increment(words, state, positions);
    state = IndexDerivation.next(state);
    before = before << 4 | increment(words, state, positions);
    state = IndexDerivation.next(state);
    before = before << 4 | increment(words, state, positions);
    state = IndexDerivation.next(state);
    before = before << 4 | increment(words, state, positions);
    state = IndexDerivation.next(state);
    before = before << 4 | increment(words, state, positions);
    state = IndexDerivation.next(state);
    before = before << 4 | increment(words, state, positions);
    state = IndexDerivation.next(state);
    before = before << 4 | increment(words, state, positions);
    int highBits = before & SEVEN_HIGH_BITS;
    if (highBits != 0 && CounterWord.full(before) != 0) {
      return incrementFull(counters, positions, SEVEN, hash, SEVEN);
    }
    return (SEVEN_HIGH_BITS & ~((before - highBits + (SEVEN_HIGH_BITS - SEVEN_LOW_BITS)) | before))
        != 0;
  }

  private static boolean incrementMany(
      CounterArray counters, long positions, int hashes, long hash) {
    long[] words = counters.words;
    long state = IndexDerivation.start(hash);
    long zeros = 0;
    for (int done = 0; done < hashes; ) {
      int end = Math.min(hashes, done + CounterWord.COUNTERS);
      long before = CounterWord.LOWEST_BITS; // neither zero nor full where nothing follows
      for (; done < end; done++) {
        before = before << 4 | increment(words, state, positions);
        state = IndexDerivation.next(state);
      }
      if (CounterWord.full(before) != 0) {
        return incrementFull(counters, positions, hashes, hash, done);
      }
      zeros |= CounterWord.zeros(before, CounterWord.LOWEST_BITS);
    }
    return zeros != 0;
  }

  /**
   * Adds one to the four bits of a counter and returns their earlier value. If that was fifteen,
   * the addition carries into the next counter; subtracting one in the same word undoes this.
   */
  private static int increment(long[] words, long state, long positions) {
    long position = IndexDerivation.position(state, positions);
    int word = CounterWord.wordOf(position);
    long before = words[word];
    words[word] = before + CounterWord.one(position);
    return CounterWord.fourBits(before, position);
  }

  /** Undoes the additions at the first few positions of a hash, then adds with the side table. */
  private static boolean incrementFull(
      CounterArray counters, long positions, int hashes, long hash, int done) {
    long[] words = counters.words;
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < done; i++) {
      long position = IndexDerivation.position(state, positions);
      words[CounterWord.wordOf(position)] -= CounterWord.one(position);
      state = IndexDerivation.next(state);
    }
    state = IndexDerivation.start(hash);
    int fromZero = 0;
    int added = 0;
    try {
      for (; added < hashes; added++) {
        fromZero |= counters.increment(IndexDerivation.position(state, positions));
        state = IndexDerivation.next(state);
      }
    } finally {
      if (added < hashes) {
        decrementEach(counters, positions, added, hash);
      }
    }
    return fromZero != 0;
  }

  /** The thread-safe {@link #increment}. A loop of its own takes 0.96 of {@link #addShared}. */
  static boolean incrementShared(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    int fromZero = 0;
    int done = 0;
    try {
      for (; done < hashes; done++) {
        fromZero |= counters.incrementShared(IndexDerivation.position(state, positions));
        state = IndexDerivation.next(state);
      }
    } finally {
      if (done < hashes) {
        synchronized (counters) {
          subtractEachShared(counters, positions, done, hash, 1);
        }
      }
    }
    return fromZero != 0;
  }

  /**
   * Subtracts one from the counter at each position of a hash.
   *
   * @return false if a counter is too small; nothing is changed
   */
  static boolean decrement(CounterArray counters, long positions, int hashes, long hash) {
    if (!counters.overflow.isEmpty()) {
      return decrementWithOverflow(counters, positions, hashes, hash);
    }
    return hashes == SEVEN
        ? decrementSeven(counters.words, positions, hash)
        : decrementMany(counters.words, positions, hashes, hash);
  }

  private static boolean decrementSeven(long[] words, long positions, long hash) {
    long state = IndexDerivation.start(hash);
    if (!decrement(words, state, positions)) {
      return false;
    }
    state = IndexDerivation.next(state);
    if (!decrement(words, state, positions)) {
      return rollback(words, positions, 1, hash);
    }
    state = IndexDerivation.next(state);
    if (!decrement(words, state, positions)) {
      return rollback(words, positions, 2, hash);
    }
    state = IndexDerivation.next(state);
    if (!decrement(words, state, positions)) {
      return rollback(words, positions, 3, hash);
    }
    state = IndexDerivation.next(state);
    if (!decrement(words, state, positions)) {
      return rollback(words, positions, 4, hash);
    }
    state = IndexDerivation.next(state);
    if (!decrement(words, state, positions)) {
      return rollback(words, positions, 5, hash);
    }
    state = IndexDerivation.next(state);
    if (!decrement(words, state, positions)) {
      return rollback(words, positions, 6, hash);
    }
    return true;
  }

  /** Subtracts one from a counter. Returns false and changes nothing if the counter is zero. */
  private static boolean decrement(long[] words, long state, long positions) {
    long position = IndexDerivation.position(state, positions);
    int word = CounterWord.wordOf(position);
    long before = words[word];
    if ((before & CounterWord.fifteen(position)) == 0) {
      return false;
    }
    words[word] = before - CounterWord.one(position);
    return true;
  }

  /** Decrements one by one. At a counter that is zero, restores those before it. */
  private static boolean decrementMany(long[] words, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < hashes; i++) {
      if (!decrement(words, state, positions)) {
        return rollback(words, positions, i, hash);
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  /** Adds one again at the first positions of a hash. Returns false, for the caller to return. */
  private static boolean rollback(long[] words, long positions, int decremented, long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < decremented; i++) {
      increment(words, state, positions);
      state = IndexDerivation.next(state);
    }
    return false;
  }

  private static boolean decrementWithOverflow(
      CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      if (!holdsOneMore(counters.get(position), position, hash, i, positions)) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    decrementEach(counters, positions, hashes, hash);
    return true;
  }

  private static void decrementEach(CounterArray counters, long positions, int count, long hash) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < count; i++) {
      counters.decrement(IndexDerivation.position(state, positions));
      state = IndexDerivation.next(state);
    }
  }

  /**
   * The thread-safe {@link #decrement}, which also counts the removal. Tests all counters, then
   * decrements them. They cannot fall between, since only removals decrement and exclude each
   * other, so none is restored. Waits while a snapshot is taken.
   */
  static boolean decrementShared(
      CounterArray counters,
      long positions,
      int hashes,
      long hash,
      SnapshotGate gate,
      ElementCount elements) {
    while (true) {
      synchronized (counters) {
        if (!gate.isClosed()) {
          long state = IndexDerivation.start(hash);
          for (int i = 0; i < hashes; i++) {
            long position = IndexDerivation.position(state, positions);
            if (!holdsOneMore(counters.getShared(position), position, hash, i, positions)) {
              return false;
            }
            state = IndexDerivation.next(state);
          }
          subtractEachShared(counters, positions, hashes, hash, 1);
          elements.add(-1);
          return true;
        }
      }
      gate.await();
    }
  }

  private static void subtractEachShared(
      CounterArray counters, long positions, int count, long hash, long copies) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < count; i++) {
      counters.subtractShared(IndexDerivation.position(state, positions), copies);
      state = IndexDerivation.next(state);
    }
  }

  /** The {@link #incrementShared} of copies of a hash, at least 1. */
  static boolean addShared(
      CounterArray counters, long positions, int hashes, long hash, long copies) {
    long state = IndexDerivation.start(hash);
    int fromZero = 0;
    int done = 0;
    try {
      for (; done < hashes; done++) {
        fromZero |= counters.addShared(IndexDerivation.position(state, positions), copies);
        state = IndexDerivation.next(state);
      }
    } finally {
      if (done < hashes) {
        synchronized (counters) {
          subtractEachShared(counters, positions, done, hash, copies);
        }
      }
    }
    return fromZero != 0;
  }

  /**
   * Subtracts copies, at least 1, from the counter at each position of a hash, for a caller that
   * holds the monitor of the counters.
   *
   * @return false if a counter is too small; nothing is changed
   */
  static boolean subtractLocked(
      CounterArray counters, long positions, int hashes, long hash, long copies) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < hashes; i++) {
      long position = IndexDerivation.position(state, positions);
      // Divides, since the product of the copies and the equal positions may be too large.
      if (counters.getShared(position) / copies
          <= IndexDerivation.timesAmongFirst(position, hash, i, positions)) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    subtractEachShared(counters, positions, hashes, hash, copies);
    return true;
  }

  /**
   * Returns whether the counter at position number i of a hash exceeds the number of equal
   * positions before it. A counter above i always does; only for a smaller one are the positions
   * derived again to count the equal ones.
   */
  private static boolean holdsOneMore(
      long counter, long position, long hash, int i, long positions) {
    return counter > i
        || (counter > 0 && counter > IndexDerivation.timesAmongFirst(position, hash, i, positions));
  }

  /** Returns the smallest counter of a hash. */
  static long min(CounterArray counters, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    long least = Long.MAX_VALUE;
    for (int i = 0; i < hashes && least > 0; i++) {
      least = Math.min(least, counters.getShared(IndexDerivation.position(state, positions)));
      state = IndexDerivation.next(state);
    }
    return least;
  }

  /** Reads the words of a hash and returns their exclusive or, so the compiler keeps the reads. */
  static long readAhead(CounterArray counters, long positions, int hashes, long hash) {
    return hashes == SEVEN
        ? readAhead(counters.words, positions, SEVEN, hash)
        : readAhead(counters.words, positions, hashes, hash);
  }

  private static long readAhead(long[] words, long positions, int hashes, long hash) {
    long state = IndexDerivation.start(hash);
    long mix = 0;
    for (int i = 0; i < hashes; i++) {
      mix ^= words[CounterWord.wordOf(IndexDerivation.position(state, positions))];
      state = IndexDerivation.next(state);
    }
    return mix;
  }
}
