package org.fastfilter.bloom;

import org.fastfilter.Filter;

/** Opens the constructors of empty filters, which that library keeps to its packages. */
public final class EmptyFilters {

  private EmptyFilters() {}

  public static Filter bloom(int elements, double bitsPerKey, int hashes) {
    return new Bloom(elements, bitsPerKey, hashes);
  }

  public static Filter blocked(int elements, int bitsPerKey) {
    return new BlockedBloom(elements, bitsPerKey);
  }
}
