package io.bloomkit.spark;

import io.bloomkit.format.StorableFilter;

/** Creates and reads the filter of a {@link FilterBuffer}. */
interface FilterSource<T> {

  /** Returns an empty filter. */
  StorableFilter<T> create();

  /**
   * Reads a filter.
   *
   * @throws IllegalArgumentException if the filter is damaged, or of a kind or strategy that this
   *     source does not accept
   */
  StorableFilter<T> read(byte[] bytes);
}
