package org.fastfilter.bloom;

import org.fastfilter.Filter;

/** Gives access to the package-private constructors of empty filters of the FastFilter library. */
public final class EmptyFilters {

  private EmptyFilters() {}

  public static Filter bloom(int elements, double bitsPerKey, int hashes) {
    return new Bloom(elements, bitsPerKey, hashes);
  }

  public static Filter blocked(int elements, int bitsPerKey) {
    return new BlockedBloom(elements, bitsPerKey);
  }
}
