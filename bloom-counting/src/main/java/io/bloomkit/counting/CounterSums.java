package io.bloomkit.counting;

import it.unimi.dsi.fastutil.longs.Long2LongMap;

/**
 * Sums and differences of two arrays of counters, of the same length, which may be the same array.
 * Requires external synchronization. Each addition or subtraction has a check that changes nothing,
 * for the caller to make first.
 */
final class CounterSums {

  /**
   * The most that adding two arrays may make of a counter: so far below the largest {@code long}
   * that no number of single increments gets there.
   */
  static final long MAX_SUM = 1L << 62;

  private CounterSums() {}

  /**
   * Returns the index of a counter whose sum would be above {@link #MAX_SUM}, or −1 if there is
   * none.
   */
  static long anyWithoutRoom(CounterArray a, CounterArray b) {
    long found = anyWithoutRoom(a.excess, a, b);
    return found >= 0 ? found : anyWithoutRoom(b.excess, a, b);
  }

  private static long anyWithoutRoom(CounterExcess large, CounterArray a, CounterArray b) {
    for (Long2LongMap.Entry entry : large.entries()) {
      long index = entry.getLongKey();
      if (b.get(index) > MAX_SUM - a.get(index)) {
        return index;
      }
    }
    return -1;
  }

  /** Adds the counters of another array; requires {@linkplain #anyWithoutRoom room} for them. */
  static void add(CounterArray to, CounterArray other) {
    // What needs memory comes before the first change. The copy is for when it is this very table.
    CounterExcess otherExcess = other.excess.copy();
    long overflows = countOverflows(to, other);
    to.excess.ensureCapacity((long) to.excess.size() + otherExcess.size() + overflows);
    long[] words = to.words;
    for (int i = 0; i < words.length; i++) {
      long a = words[i];
      long b = other.words[i];
      words[i] =
          CounterWord.overflows(a, b) == 0
              ? CounterWord.plus(a, b)
              : addWithExcess(a, b, to.excess, CounterWord.firstOf(i));
    }
    for (Long2LongMap.Entry entry : otherExcess.entries()) {
      to.excess.add(entry.getLongKey(), entry.getLongValue());
    }
  }

  /** Returns the number of counters whose four bits overflow when two arrays are added. */
  static long countOverflows(CounterArray a, CounterArray b) {
    long count = 0;
    for (int i = 0; i < a.words.length; i++) {
      count += Long.bitCount(CounterWord.overflows(a.words[i], b.words[i]));
    }
    return count;
  }

  private static long addWithExcess(long a, long b, CounterExcess excess, long first) {
    long sum = 0;
    for (long index = first; index < first + CounterWord.COUNTERS; index++) {
      int counter = CounterWord.fourBits(a, index) + CounterWord.fourBits(b, index);
      if (counter > CounterWord.FULL) {
        excess.add(index, counter - CounterWord.FULL);
      }
      sum |= CounterWord.one(index) * Math.min(counter, CounterWord.FULL);
    }
    return sum;
  }

  /** Returns the index of a counter that is below that of another array, or −1 if there is none. */
  static long anyBelow(CounterArray array, CounterArray other) {
    for (int i = 0; i < array.words.length; i++) {
      if (CounterWord.isAnyBelow(array.words[i], other.words[i])) {
        for (long index = CounterWord.firstOf(i); ; index++) {
          if (array.get(index) < other.get(index)) {
            return index;
          }
        }
      }
    }
    for (Long2LongMap.Entry entry : other.excess.entries()) {
      if (array.excess.get(entry.getLongKey()) < entry.getLongValue()) {
        return entry.getLongKey();
      }
    }
    return -1;
  }

  /**
   * Subtracts the counters of another array; requires that {@linkplain #anyBelow none is above}.
   */
  static void subtract(CounterArray from, CounterArray other) {
    for (int i = 0; i < from.words.length; i++) {
      long a = from.words[i];
      long b = other.words[i];
      if (b != 0) {
        from.words[i] =
            from.excess.isEmpty()
                ? a - b
                : subtractWithExcess(a, b, from, other, CounterWord.firstOf(i));
      }
    }
  }

  private static long subtractWithExcess(
      long a, long b, CounterArray from, CounterArray other, long first) {
    long difference = 0;
    for (long index = first; index < first + CounterWord.COUNTERS; index++) {
      int fourBits = CounterWord.fourBits(a, index);
      long left = (long) fourBits - CounterWord.fourBits(b, index);
      if (fourBits == CounterWord.FULL) {
        left += from.excess.get(index) - other.excess.get(index);
        from.excess.set(index, Math.max(0, left - CounterWord.FULL));
      }
      difference |= CounterWord.one(index) * Math.min(left, CounterWord.FULL);
    }
    return difference;
  }
}
