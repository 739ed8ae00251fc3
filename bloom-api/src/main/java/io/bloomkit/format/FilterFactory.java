package io.bloomkit.format;

import io.bloomkit.InsertableFilter;
import io.bloomkit.hash.HashStrategy;

/**
 * A kind of filter, for code that tries elements or a strategy on every kind there is and need not
 * know their classes: an examination of a hash strategy, a benchmark. {@link FilterProvider} finds
 * them. Whoever wants one filter calls the factory of its class.
 */
public interface FilterFactory {

  /** Returns the name of this kind in tables: a few lower-case words, such as "classic". */
  String label();

  /**
   * Returns an empty filter.
   *
   * @param strategy turns elements into hashes
   * @param expectedInsertions how many distinct elements it is going to hold, at least 1
   * @param fpp the probability that an element never added is claimed once it holds them, between 0
   *     and 1, both excluded
   * @throws IllegalArgumentException if an argument is missing or out of its range
   */
  <T> InsertableFilter<T> create(
      HashStrategy<? super T> strategy, long expectedInsertions, double fpp);
}
