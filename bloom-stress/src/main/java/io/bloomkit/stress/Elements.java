package io.bloomkit.stress;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * The elements that race, as hashes, found by adding hashes to an empty filter and looking which
 * positions they take: so they collide as said in filters of every layout.
 */
final class Elements {

  /** The fewest positions that share a word in any of our filters. */
  private static final int POSITIONS_PER_WORD = 16;

  private static final int TRIES = 1_000_000;

  /** Lies in the lower half of the positions: in a filter of two lines, in the first. */
  static final long X = find(x -> 2 * x.length() <= Elements.holding().positions());

  /** Shares the lowest of its positions with X and nothing else. */
  static final long Y = find(y -> shareTheLowest(y, taken(X)));

  /** Shares the same position with X and with Y and nothing else. */
  static final long Z = find(z -> shareTheLowest(z, taken(X)) && shareTheLowest(z, taken(Y)));

  /** Shares the words of X but no position. */
  static final long W = find(w -> !w.intersects(taken(X)) && words(w).equals(words(taken(X))));

  /** Lies in the upper half of the positions: in a filter of two lines, in the second. */
  static final long V = find(v -> 2 * v.nextSetBit(0) >= Elements.holding().positions());

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

  /** Returns a hash of distinct positions of which a condition holds. */
  private static long find(Predicate<BitSet> condition) {
    int hashes = holding().hashes();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < TRIES; i++) {
      long hash = random.nextLong();
      BitSet taken = taken(hash);
      if (taken.cardinality() == hashes && condition.test(taken)) {
        return hash;
      }
    }
    throw new IllegalStateException("no such element for " + Subject.chosen());
  }

  private static BitSet taken(long hash) {
    return holding(hash).taken();
  }

  /** Whether two sets of positions have the lowest of each in common and no other. */
  private static boolean shareTheLowest(BitSet a, BitSet b) {
    BitSet both = (BitSet) a.clone();
    both.and(b);
    return both.cardinality() == 1 && both.get(a.nextSetBit(0)) && both.get(b.nextSetBit(0));
  }

  private static BitSet words(BitSet positions) {
    return positions.stream()
        .map(position -> position / POSITIONS_PER_WORD)
        .collect(BitSet::new, BitSet::set, BitSet::or);
  }
}
