package io.bloomkit.bench;

/** A filter of unboxed numbers, as its users would call it. A fork has one class of them. */
abstract class LongFilter {

  abstract boolean add(long key);

  abstract boolean mightContain(long key);

  boolean remove(long key) {
    throw new IllegalStateException("nothing can be removed from this filter");
  }

  /** Adds the keys of a range by the form for many. */
  void addAll(long[] keys, int from, int to) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Returns how many keys of a range are claimed, by the form for many. */
  int countClaimed(long[] keys, int from, int to) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Removes the keys of a range by the form for many. */
  void removeAll(long[] keys, int from, int to) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Returns the bits that the filter takes. */
  abstract long bits();
}
