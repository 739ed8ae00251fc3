package io.bloomkit.bench.subject;

/** A filter of unboxed numbers, as its users would call it. A fork has one class of them. */
public abstract class LongFilter {

  public abstract boolean add(long key);

  public abstract boolean mightContain(long key);

  public boolean remove(long key) {
    throw new IllegalStateException("nothing can be removed from this filter");
  }

  /** Adds the keys of a range by the form for many. */
  public void addAll(long[] keys, int from, int to) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Returns how many keys of a range are positive, by the form for many. */
  public int countPositives(long[] keys, int from, int to) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Removes the keys of a range by the form for many. */
  public void removeAll(long[] keys, int from, int to) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Returns the bits that the filter takes. */
  public abstract long bits();
}
