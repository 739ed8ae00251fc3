package io.bloomkit.counting;

import io.bloomkit.internal.LongCounts;
import io.bloomkit.internal.WordArrays;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * 4-bit counters, sixteen to a word, without an upper limit: what exceeds fifteen, the overflow, is
 * kept in a table and decremented first.
 *
 * <p>A counter neither saturates at fifteen, which would keep removed elements forever, nor wraps
 * around, which would cause false negatives. Four bits suffice for nearly all counters: with
 * distinct elements at the design load, a counter reaches sixteen with probability
 * 1.37·10<sup>-15</sup> (L. Fan et al., <i>Summary cache</i>, 2000, section V.C). The table is
 * needed only for elements that are added many times.
 *
 * <p>Invariant: a counter has an overflow only while its four bits are all ones.
 *
 * <p>The methods that end in {@code Shared} are thread-safe; the others read and write plainly, for
 * filters of one thread and for estimates. The former change the four bits of a counter by
 * compare-and-set. A thread that finds all four set takes this object's monitor and reads them
 * again. Only the holder of the monitor decrements a full counter or uses the table. Callers must
 * serialize decrements of the same counter.
 */
final class CounterArray {

  static final long MAX_COUNTERS = CounterWord.firstOf(WordArrays.MAX_LENGTH);

  final long[] words;
  final LongCounts overflow;

  CounterArray(long counters) {
    this(WordArrays.allocate(CounterWord.wordCount(counters)), new LongCounts());
  }

  CounterArray(long[] words, LongCounts overflow) {
    this.words = words;
    this.overflow = overflow;
  }

  /** Returns the number of bytes that counters occupy while none of them exceeds fifteen. */
  static long memoryBytes(long counters) {
    return (long) CounterWord.wordCount(counters) * Long.BYTES;
  }

  /** Returns the four bits of a counter: all ones if it is fifteen or more. */
  int fourBits(long index) {
    return CounterWord.fourBits(words[CounterWord.wordOf(index)], index);
  }

  boolean isZeroShared(long index) {
    return CounterWord.fourBits(
            (long) WordArrays.WORDS.getAcquire(words, CounterWord.wordOf(index)), index)
        == 0;
  }

  long get(long index) {
    int fourBits = fourBits(index);
    return fourBits < CounterWord.FULL ? fourBits : CounterWord.FULL + overflow.get(index);
  }

  long getShared(long index) {
    int fourBits =
        CounterWord.fourBits(
            (long) WordArrays.WORDS.getAcquire(words, CounterWord.wordOf(index)), index);
    if (fourBits < CounterWord.FULL) {
      return fourBits;
    }
    synchronized (this) {
      return get(index);
    }
  }

  /**
   * Adds one to a counter.
   *
   * @return 1 if the counter was zero, else 0. Callers combine the results, since a branch would be
   *     mispredicted every other time.
   * @throws IllegalStateException if it is {@link CounterSums#MAX_SUM}; nothing is changed
   * @throws OutOfMemoryError if the table has no memory for its overflow; nothing is changed
   */
  int increment(long index) {
    int word = CounterWord.wordOf(index);
    long before = words[word];
    int fourBits = CounterWord.fourBits(before, index);
    if (fourBits == CounterWord.FULL) {
      incrementOverflow(index);
    } else {
      words[word] = before + CounterWord.one(index);
    }
    return CounterWord.oneIfZero(fourBits);
  }

  int incrementShared(long index) {
    int word = CounterWord.wordOf(index);
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      int fourBits = CounterWord.fourBits(before, index);
      if (fourBits == CounterWord.FULL) {
        return addLocked(index, 1);
      }
      if (WordArrays.WORDS.weakCompareAndSet(
          words, word, before, before + CounterWord.one(index))) {
        return CounterWord.oneIfZero(fourBits);
      }
    }
  }

  /**
   * Adds a number, at least 1, to a counter. Throws as {@link #increment} does, if the sum would be
   * above {@link CounterSums#MAX_SUM}.
   */
  int addShared(long index, long number) {
    int word = CounterWord.wordOf(index);
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      int fourBits = CounterWord.fourBits(before, index);
      if (number > CounterWord.FULL - fourBits) {
        return addLocked(index, number);
      }
      if (WordArrays.WORDS.weakCompareAndSet(
          words, word, before, before + number * CounterWord.one(index))) {
        return CounterWord.oneIfZero(fourBits);
      }
    }
  }

  private synchronized int addLocked(long index, long number) {
    int word = CounterWord.wordOf(index);
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      int fourBits = CounterWord.fourBits(before, index);
      long inWord = Math.min(number, CounterWord.FULL - fourBits);
      if (number > inWord) {
        prepareOverflow(index, number - inWord);
      }
      if (WordArrays.WORDS.compareAndSet(
          words, word, before, before + inWord * CounterWord.one(index))) {
        if (number > inWord) {
          overflow.add(index, number - inWord);
        }
        return CounterWord.oneIfZero(fourBits);
      }
    }
  }

  private void incrementOverflow(long index) {
    prepareOverflow(index, 1);
    overflow.add(index, 1);
  }

  /** Allocates the memory to add to an overflow, or throws if it would be too large. */
  private void prepareOverflow(long index, long number) {
    long above = overflow.get(index);
    if (number > CounterSums.MAX_OVERFLOW - above) {
      throw new IllegalStateException(
          "cannot add: a counter of the element would exceed 2^62, the largest value; remove copies"
              + " first");
    }
    if (above == 0) {
      overflow.ensureCapacity(overflow.size() + 1L);
    }
  }

  /** Subtracts one from a counter that is not zero. */
  void decrement(long index) {
    int word = CounterWord.wordOf(index);
    long before = words[word];
    if (CounterWord.fourBits(before, index) < CounterWord.FULL || !overflow.decrement(index)) {
      words[word] = before - CounterWord.one(index);
    }
  }

  /**
   * Subtracts a number from a counter that is at least as large, for a caller that excludes other
   * decrements of this counter but not its increments.
   */
  void subtractShared(long index, long number) {
    int word = CounterWord.wordOf(index);
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      if (CounterWord.fourBits(before, index) == CounterWord.FULL) {
        subtractLocked(index, number);
        return;
      }
      if (WordArrays.WORDS.compareAndSet(
          words, word, before, before - number * CounterWord.one(index))) {
        return;
      }
    }
  }

  /** Subtracts from a counter whose four bits are all ones; no other thread changes these. */
  private synchronized void subtractLocked(long index, long number) {
    long above = overflow.get(index);
    long ofOverflow = Math.min(number, above);
    if (ofOverflow > 0) {
      overflow.set(index, above - ofOverflow);
    }
    int word = CounterWord.wordOf(index);
    long ofWord = (number - ofOverflow) * CounterWord.one(index);
    while (ofWord != 0) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      if (WordArrays.WORDS.compareAndSet(words, word, before, before - ofWord)) {
        return;
      }
    }
  }

  /** Returns the lowest bit of each counter that a mask selects from a word and that is zero. */
  long zerosShared(int word, long mask) {
    return CounterWord.zeros(wordShared(word), mask);
  }

  long wordShared(int word) {
    return (long) WordArrays.WORDS.getAcquire(words, word);
  }

  /**
   * Adds one to each counter that two masks select from two different words. If this throws as
   * {@link #increment} does, nothing has changed.
   *
   * @return whether at least one of them was zero
   */
  boolean incrementBoth(int word, long mask, int otherWord, long otherMask) {
    long before = words[word];
    long otherBefore = words[otherWord];
    if ((CounterWord.eightOrMore(before, mask) | CounterWord.eightOrMore(otherBefore, otherMask))
        == 0) {
      words[word] = before + mask;
      words[otherWord] = otherBefore + otherMask;
      return (CounterWord.zerosBelowEight(before, mask)
              | CounterWord.zerosBelowEight(otherBefore, otherMask))
          != 0;
    }
    incrementEach(word, mask);
    boolean done = false;
    try {
      incrementEach(otherWord, otherMask);
      done = true;
    } finally {
      if (!done) {
        decrementEach(word, mask);
      }
    }
    return (CounterWord.zeros(before, mask) | CounterWord.zeros(otherBefore, otherMask)) != 0;
  }

  private void incrementEach(int word, long mask) {
    long remaining = mask;
    try {
      for (; remaining != 0; remaining &= remaining - 1) {
        increment(CounterWord.firstOf(word) + CounterWord.lowestCounter(remaining));
      }
    } finally {
      if (remaining != 0) {
        decrementEach(word, mask ^ remaining);
      }
    }
  }

  /**
   * Adds one to each counter that a mask selects from a word. If this throws as {@link #increment}
   * does, the counters are as before.
   *
   * @param stripe the monitor that excludes decrements of these counters
   * @return the lowest bit of each selected counter that was zero
   */
  long incrementAllShared(int word, long mask, Object stripe) {
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      if (CounterWord.eightOrMore(before, mask) != 0) {
        return addEachShared(word, mask, 1, stripe);
      }
      if (WordArrays.WORDS.weakCompareAndSet(words, word, before, before + mask)) {
        return CounterWord.zeros(before, mask);
      }
    }
  }

  /** The {@link #incrementAllShared} of a number, at least 1, instead of one. */
  long addEachShared(int word, long mask, long number, Object stripe) {
    long zeros = 0;
    long remaining = mask;
    try {
      for (; remaining != 0; remaining &= remaining - 1) {
        int counter = CounterWord.lowestCounter(remaining);
        long wasZero = addShared(CounterWord.firstOf(word) + counter, number);
        zeros |= CounterWord.zero(counter, wasZero);
      }
    } finally {
      if (remaining != 0) {
        synchronized (stripe) {
          subtractEachShared(word, mask ^ remaining, number);
        }
      }
    }
    return zeros;
  }

  /**
   * Subtracts one from each counter that two masks select from two different words, if none of
   * these counters is zero.
   *
   * @return false if one is zero; nothing is changed
   */
  boolean decrementIfNonZero(int word, long mask, int otherWord, long otherMask) {
    long before = words[word];
    long otherBefore = words[otherWord];
    long after = before - mask;
    long otherAfter = otherBefore - otherMask;
    // Zero minus one gives fifteen, so this finds both zeros and counters above eight.
    if ((CounterWord.eightOrMore(after, mask) | CounterWord.eightOrMore(otherAfter, otherMask))
        == 0) {
      words[word] = after;
      words[otherWord] = otherAfter;
      return true;
    }
    if ((CounterWord.zeros(before, mask) | CounterWord.zeros(otherBefore, otherMask)) != 0) {
      return false;
    }
    decrementEach(word, mask);
    decrementEach(otherWord, otherMask);
    return true;
  }

  private void decrementEach(int word, long mask) {
    for (long remaining = mask; remaining != 0; remaining &= remaining - 1) {
      decrement(CounterWord.firstOf(word) + CounterWord.lowestCounter(remaining));
    }
  }

  /**
   * Subtracts one from each counter that a mask selects from a word. Requires that none of them is
   * zero and that the caller excludes other decrements of them.
   */
  void decrementAllShared(int word, long mask) {
    while (true) {
      long before = (long) WordArrays.WORDS.getAcquire(words, word);
      if (CounterWord.eightOrMore(before, mask) != 0) {
        break;
      }
      if (WordArrays.WORDS.compareAndSet(words, word, before, before - mask)) {
        return;
      }
    }
    subtractEachShared(word, mask, 1);
  }

  /** The {@link #decrementAllShared} of a number; none of the counters may be below it. */
  void subtractEachShared(int word, long mask, long number) {
    for (long remaining = mask; remaining != 0; remaining &= remaining - 1) {
      subtractShared(CounterWord.firstOf(word) + CounterWord.lowestCounter(remaining), number);
    }
  }

  /** Returns the value of the smallest counter that a mask selects. The mask must not be 0. */
  long min(int word, long mask) {
    long min = Long.MAX_VALUE;
    for (long remaining = mask; remaining != 0; remaining &= remaining - 1) {
      min = Math.min(min, get(CounterWord.firstOf(word) + CounterWord.lowestCounter(remaining)));
    }
    return min;
  }

  long minShared(int word, long mask) {
    long min = Long.MAX_VALUE;
    for (long remaining = mask; remaining != 0; remaining &= remaining - 1) {
      min =
          Math.min(
              min, getShared(CounterWord.firstOf(word) + CounterWord.lowestCounter(remaining)));
    }
    return min;
  }

  /** Returns a word: the four bits of each of its sixteen counters. */
  long word(int word) {
    return words[word];
  }

  void clear() {
    Arrays.fill(words, 0);
    overflow.clear();
  }

  long countNonZero() {
    long count = 0;
    for (long word : words) {
      count += CounterWord.countNonZero(word);
    }
    return count;
  }

  /** Returns one bit per counter, beginning at a word; a bit is set if its counter is not zero. */
  long[] toBits(int firstWord) {
    int count = words.length - firstWord;
    long[] bits = WordArrays.allocate((count + 3) / 4);
    for (int i = 0; i < count; i++) {
      bits[i / 4] |= CounterWord.toBits(words[firstWord + i]) << (16 * (i % 4));
    }
    return bits;
  }

  int countNonZero(int word) {
    return CounterWord.countNonZero(words[word]);
  }

  /** Returns the number of counters above fifteen. */
  synchronized int overflowedCounters() {
    return overflow.size();
  }

  /** Returns the number of bytes of the words and the table; that of the table is an estimate. */
  synchronized long memoryBytes() {
    return (long) words.length * Long.BYTES + overflow.memoryBytes();
  }

  /**
   * Returns the sum of all counters divided by a divisor and rounded up or down, or {@link
   * Long#MAX_VALUE} if the result is above that.
   */
  synchronized long sumOver(int divisor, boolean roundUp) {
    long rest = roundUp ? divisor - 1 : 0;
    for (long word : words) {
      rest += CounterWord.sum(word);
    }
    long quotient = 0;
    for (int entry = overflow.next(0); entry >= 0; entry = overflow.next(entry + 1)) {
      long above = overflow.countAt(entry);
      quotient += Math.min(above / divisor, Long.MAX_VALUE - quotient);
      rest += above % divisor;
    }
    return quotient + Math.min(rest / divisor, Long.MAX_VALUE - quotient);
  }

  CounterArray copy() {
    return new CounterArray(WordArrays.copyOf(words), overflow.copy());
  }

  /**
   * A copy of counters.
   *
   * @param sum the sum of the counters in the copy; it wraps around
   */
  record Copy(CounterArray counters, long sum) {}

  /**
   * Returns a copy while other threads may increment counters. Each counter is as it was at some
   * moment during the call.
   *
   * @param copied takes the words; as long as those of this array
   */
  synchronized Copy copyShared(long[] copied) {
    long sum = 0;
    for (int i = 0; i < copied.length; i++) {
      long word = (long) WordArrays.WORDS.getAcquire(words, i);
      copied[i] = word;
      sum += CounterWord.sum(word);
    }
    return new Copy(new CounterArray(copied, overflow.copy()), sum + overflow.sum());
  }

  /** Returns the sum of all counters; it wraps around. */
  synchronized long sum() {
    long sum = overflow.sum();
    for (long word : words) {
      sum += CounterWord.sum(word);
    }
    return sum;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof CounterArray other
        && Arrays.equals(words, other.words)
        && overflow.equals(other.overflow);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(words), overflow);
  }
}
