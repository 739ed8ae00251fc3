package org.fastfilter.bloom.count;

import org.fastfilter.Filter;

/** Gives access to the package-private constructors of empty filters of the FastFilter library. */
public final class EmptyCountingFilters {

  private EmptyCountingFilters() {}

  public static Filter counting(int elements, double bitsPerKey, int hashes) {
    return new CountingBloom(elements, bitsPerKey, hashes);
  }

  public static Filter succinctBlocked(int elements, int bitsPerKey, int hashes) {
    return new SuccinctCountingBlockedBloom(elements, bitsPerKey, hashes);
  }
}
