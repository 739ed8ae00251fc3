package io.bloomkit.internal;

/**
 * Iterates over the numbers that occur in exactly one of two sequences, in ascending order. Both
 * sequences must be strictly ascending, as signed numbers below {@link Long#MAX_VALUE}.
 */
public final class AscendingDifference {

  /** What follows the last number of both. */
  private static final long END = Long.MAX_VALUE;

  private final Words before;
  private final Words after;
  private long nextBefore;
  private long nextAfter;
  private long number;

  public AscendingDifference(Words before, Words after) {
    this.before = before;
    this.after = after;
  }

  /** Advances to the next number. Returns false if there is none. */
  public boolean next() {
    long first;
    long second;
    do {
      first = nextBefore < before.size() ? before.get(nextBefore) : END;
      second = nextAfter < after.size() ? after.get(nextAfter) : END;
      nextBefore += first <= second ? 1 : 0;
      nextAfter += second <= first ? 1 : 0;
    } while (first == second && first < END);
    number = Math.min(first, second);
    return first != second;
  }

  /** Returns the number to which {@link #next} advanced. */
  public long number() {
    return number;
  }

  /** Returns whether an ascending sequence contains a number, by binary search. */
  public static boolean contains(Words numbers, long number) {
    long from = 0;
    long to = numbers.size();
    while (from < to) {
      long middle = (from + to) >>> 1;
      if (numbers.get(middle) < number) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from < numbers.size() && numbers.get(from) == number;
  }
}
