package io.bloomkit.stress;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * The elements that race, as hashes of two positions each, found by adding hashes to an empty
 * filter and looking which positions they take: so they collide as said in filters of every layout.
 */
final class Elements {

  /** The fewest positions that share a word in any of our filters. */
  private static final long POSITIONS_PER_WORD = 16;

  private static final int TRIES = 1_000_000;

  /** Lies in the lower half of the positions: in a filter of two lines, in the first. */
  static final long X = find(Elements::liesInTheLowerHalf);

  /** Shares the lower of its positions with X and nothing else. */
  static final long Y = find(y -> shareTheLowest(X, y));

  /** Shares the same position with X and with Y and nothing else. */
  static final long Z = find(z -> shareTheLowest(X, z) && shareTheLowest(Y, z));

  /** Shares the words of X but no position. */
  static final long W = find(w -> areDisjoint(X, w) && words(w).equals(words(X)));

  /** Lies in the upper half of the positions: in a filter of two lines, in the second. */
  static final long V = find(Elements::liesInTheUpperHalf);

  private Elements() {}

  /** Returns a filter that holds elements, added one after the other. */
  static RacedFilter holding(long... hashes) {
    RacedFilter filter = Subject.chosen().empty();
    for (long hash : hashes) {
      filter.add(hash);
    }
    return filter;
  }

  /** As {@link #holding}, of a filter that counts. */
  static RacedDeletableFilter counting(long... hashes) {
    return (RacedDeletableFilter) holding(hashes);
  }

  private static long find(Predicate<Long> condition) {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < TRIES; i++) {
      long hash = random.nextLong();
      if (positions(hash).length == 2 && condition.test(hash)) {
        return hash;
      }
    }
    throw new IllegalStateException("no such element for " + Subject.chosen());
  }

  /** The positions of an element, ascending. */
  private static long[] positions(long hash) {
    RacedFilter filter = holding(hash);
    return LongStream.range(0, filter.positions()).filter(filter::isTaken).toArray();
  }

  private static boolean liesInTheLowerHalf(long hash) {
    return 2 * positions(hash)[1] < holding().positions();
  }

  private static boolean liesInTheUpperHalf(long hash) {
    return 2 * positions(hash)[0] >= holding().positions();
  }

  private static boolean shareTheLowest(long a, long b) {
    return positions(a)[0] == positions(b)[0] && positions(a)[1] != positions(b)[1];
  }

  private static boolean areDisjoint(long a, long b) {
    return LongStream.of(positions(a))
        .noneMatch(p -> LongStream.of(positions(b)).anyMatch(q -> p == q));
  }

  private static List<Long> words(long hash) {
    return LongStream.of(positions(hash))
        .map(p -> p / POSITIONS_PER_WORD)
        .distinct()
        .boxed()
        .toList();
  }
}
