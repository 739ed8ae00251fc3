package io.bloomkit.stress;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * The elements of the races, as hashes. They are found by adding hashes to an empty filter and
 * reading the positions that they occupy, so that they collide as documented in filters of every
 * layout.
 */
final class Elements {

  /** The smallest number of positions per word in any of Bloomkit's filters. */
  private static final int POSITIONS_PER_WORD = 16;

  private static final int TRIES = 1_000_000;

  /**
   * An element in the lower half of the positions, which is the first line of a filter of two
   * lines.
   */
  static final long X = find(x -> 2 * x.length() <= Elements.filterWith().positions());

  /** An element that shares only its lowest position with X. */
  static final long Y = find(y -> shareOnlyTheLowest(y, occupied(X)));

  /** An element that shares only that position with X and with Y. */
  static final long Z =
      find(z -> shareOnlyTheLowest(z, occupied(X)) && shareOnlyTheLowest(z, occupied(Y)));

  /** An element that shares the words of X but no position. */
  static final long W =
      find(w -> !w.intersects(occupied(X)) && words(w).equals(words(occupied(X))));

  /**
   * An element in the upper half of the positions, which is the second line of a filter of two
   * lines.
   */
  static final long V = find(v -> 2 * v.nextSetBit(0) >= Elements.filterWith().positions());

  private Elements() {}

  /** Returns a filter to which elements were added in order. */
  static RacedFilter filterWith(long... hashes) {
    RacedFilter filter = Subject.current().empty();
    for (long hash : hashes) {
      filter.add(hash);
    }
    return filter;
  }

  /** Returns a filter with removal to which elements were added in order. */
  static RacedDeletableFilter deletableFilterWith(long... hashes) {
    return (RacedDeletableFilter) filterWith(hashes);
  }

  /** Returns a hash whose positions are distinct and satisfy a condition. */
  private static long find(Predicate<BitSet> condition) {
    int hashes = filterWith().hashes();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < TRIES; i++) {
      long hash = random.nextLong();
      BitSet occupied = occupied(hash);
      if (occupied.cardinality() == hashes && condition.test(occupied)) {
        return hash;
      }
    }
    throw new IllegalStateException("found no such element for " + Subject.current());
  }

  private static BitSet occupied(long hash) {
    return filterWith(hash).occupied();
  }

  /** Returns whether the lowest position of each set is the only one in both sets. */
  private static boolean shareOnlyTheLowest(BitSet a, BitSet b) {
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
