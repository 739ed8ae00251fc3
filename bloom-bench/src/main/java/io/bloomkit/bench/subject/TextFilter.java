package io.bloomkit.bench.subject;

import java.util.List;

/** A filter of texts, called as its users would call it. A fork loads one subclass only. */
public abstract class TextFilter {

  public abstract boolean add(String key);

  public abstract boolean mightContain(String key);

  public boolean remove(String key) {
    throw new IllegalStateException("this filter does not support removal");
  }

  /** Adds keys by the batch method. */
  public void addAll(List<String> keys) {
    throw new IllegalStateException("this filter has no batch methods");
  }

  /** Returns the number of positive keys, by the batch method. */
  public int countPositives(List<String> keys) {
    throw new IllegalStateException("this filter has no batch methods");
  }

  /** Removes keys by the batch method. */
  public void removeAll(List<String> keys) {
    throw new IllegalStateException("this filter has no batch methods");
  }

  /** Returns the size of the filter in bits. */
  public abstract long bits();
}
