package io.bloomkit.bench;

import java.util.List;

/** A filter of texts, as its users would call it. A fork has one class of them. */
abstract class TextFilter {

  abstract boolean add(String key);

  abstract boolean mightContain(String key);

  boolean remove(String key) {
    throw new IllegalStateException("nothing can be removed from this filter");
  }

  /** Adds keys by the form for many. */
  void addAll(List<String> keys) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Returns how many keys are claimed, by the form for many. */
  int countClaimed(List<String> keys) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Removes keys by the form for many. */
  void removeAll(List<String> keys) {
    throw new IllegalStateException("there is no form for many keys");
  }

  /** Returns the bits that the filter takes. */
  abstract long bits();
}
