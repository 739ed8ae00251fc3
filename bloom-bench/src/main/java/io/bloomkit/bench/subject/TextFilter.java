package io.bloomkit.bench.subject;

import java.util.List;

/** A filter of texts, as its users would call it. A fork has one class of them. */
public abstract class TextFilter {

  public abstract boolean add(String key);

  public abstract boolean mightContain(String key);

  public boolean remove(String key) {
    throw new IllegalStateException("nothing can be removed from this filter");
  }

  /** Adds keys by the form for many. */
  public void addAll(List<String> keys) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Returns how many keys are positive, by the form for many. */
  public int countPositives(List<String> keys) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Removes keys by the form for many. */
  public void removeAll(List<String> keys) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Returns the bits that the filter takes. */
  public abstract long bits();
}
