package io.bloomkit.counting;

import io.bloomkit.internal.LongCounts;

/**
 * Addition and subtraction of two counter arrays of the same length, which may be one array.
 * Requires external synchronization. Callers must first check that the operation is possible, by
 * {@link #anyWithoutRoom} or {@link #anyBelow}.
 */
final class CounterSums {

  /** The largest counter: further increments and sums are refused. */
  static final long MAX_SUM = 1L << 62;

  /** The overflow of the largest counter. */
  static final long MAX_OVERFLOW = MAX_SUM - CounterWord.FULL;

  private CounterSums() {}

  /**
   * Returns the index of a counter whose sum would be above {@link #MAX_SUM}, or −1 if there is
   * none.
   */
  static long anyWithoutRoom(CounterArray a, CounterArray b) {
    long found = anyWithoutRoom(a.overflow, a, b);
    return found >= 0 ? found : anyWithoutRoom(b.overflow, a, b);
  }

  private static long anyWithoutRoom(LongCounts large, CounterArray a, CounterArray b) {
    for (int entry = large.next(0); entry >= 0; entry = large.next(entry + 1)) {
      long index = large.keyAt(entry);
      if (b.get(index) > MAX_SUM - a.get(index)) {
        return index;
      }
    }
    return -1;
  }

  /** Adds the counters of another array. Requires that {@link #anyWithoutRoom} found none. */
  static void add(CounterArray to, CounterArray other) {
    // Allocates before the first change. The copy is needed if both arrays are the same.
    LongCounts otherOverflow = other.overflow.copy();
    long overflows = countOverflows(to, other);
    to.overflow.ensureCapacity((long) to.overflow.size() + otherOverflow.size() + overflows);
    long[] words = to.words;
    for (int i = 0; i < words.length; i++) {
      long a = words[i];
      long b = other.words[i];
      words[i] =
          CounterWord.overflows(a, b) == 0
              ? a + b
              : addWithOverflow(a, b, to.overflow, CounterWord.firstOf(i));
    }
    for (int entry = otherOverflow.next(0); entry >= 0; entry = otherOverflow.next(entry + 1)) {
      to.overflow.add(otherOverflow.keyAt(entry), otherOverflow.countAt(entry));
    }
  }

  /** Returns the number of counters for which the sum of the four bits exceeds fifteen. */
  static long countOverflows(CounterArray a, CounterArray b) {
    long count = 0;
    for (int i = 0; i < a.words.length; i++) {
      count += Long.bitCount(CounterWord.overflows(a.words[i], b.words[i]));
    }
    return count;
  }

  private static long addWithOverflow(long a, long b, LongCounts overflow, long first) {
    long sum = 0;
    for (long index = first; index < first + CounterWord.COUNTERS; index++) {
      int counter = CounterWord.fourBits(a, index) + CounterWord.fourBits(b, index);
      if (counter > CounterWord.FULL) {
        overflow.add(index, counter - CounterWord.FULL);
      }
      sum |= CounterWord.one(index) * Math.min(counter, CounterWord.FULL);
    }
    return sum;
  }

  /** Returns the index of a counter smaller than that of the other array, or −1 if none is. */
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
    LongCounts large = other.overflow;
    for (int entry = large.next(0); entry >= 0; entry = large.next(entry + 1)) {
      long index = large.keyAt(entry);
      if (array.overflow.get(index) < large.countAt(entry)) {
        return index;
      }
    }
    return -1;
  }

  /** Subtracts the counters of another array. Requires that {@link #anyBelow} found none. */
  static void subtract(CounterArray from, CounterArray other) {
    for (int i = 0; i < from.words.length; i++) {
      long a = from.words[i];
      long b = other.words[i];
      if (b != 0) {
        from.words[i] =
            from.overflow.isEmpty()
                ? a - b
                : subtractWithOverflow(a, b, from, other, CounterWord.firstOf(i));
      }
    }
  }

  private static long subtractWithOverflow(
      long a, long b, CounterArray from, CounterArray other, long first) {
    long difference = 0;
    for (long index = first; index < first + CounterWord.COUNTERS; index++) {
      int fourBits = CounterWord.fourBits(a, index);
      long remaining = (long) fourBits - CounterWord.fourBits(b, index);
      if (fourBits == CounterWord.FULL) {
        remaining += from.overflow.get(index) - other.overflow.get(index);
        from.overflow.set(index, Math.max(0, remaining - CounterWord.FULL));
      }
      difference |= CounterWord.one(index) * Math.min(remaining, CounterWord.FULL);
    }
    return difference;
  }
}
