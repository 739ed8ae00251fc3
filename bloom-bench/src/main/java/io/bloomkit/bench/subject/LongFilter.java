package io.bloomkit.bench.subject;

/**
 * A filter of unboxed numbers, called as its users would call it. A fork loads one subclass only.
 */
public abstract class LongFilter {

  public abstract boolean add(long key);

  public abstract boolean mightContain(long key);

  public boolean remove(long key) {
    throw new IllegalStateException("this filter does not support removal");
  }

  /** Adds the keys of a range by the batch method. */
  public void addAll(long[] keys, int from, int to) {
    throw new IllegalStateException("this filter has no batch methods");
  }

  /** Returns the number of positive keys of a range, by the batch method. */
  public int countPositives(long[] keys, int from, int to) {
    throw new IllegalStateException("this filter has no batch methods");
  }

  /** Removes the keys of a range by the batch method. */
  public void removeAll(long[] keys, int from, int to) {
    throw new IllegalStateException("this filter has no batch methods");
  }

  /** Returns the size of the filter in bits. */
  public abstract long bits();
}
