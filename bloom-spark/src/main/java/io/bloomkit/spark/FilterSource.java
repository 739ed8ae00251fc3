package io.bloomkit.spark;

import io.bloomkit.format.StorableFilter;

/** Where a buffer gets its filter from. */
interface FilterSource<T> {

  /** Returns an empty filter. */
  StorableFilter<T> create();

  /**
   * Reads a filter.
   *
   * @throws IllegalArgumentException if it is not one that belongs here
   */
  StorableFilter<T> read(byte[] bytes);
}
