package io.bloomkit.spark;

import io.bloomkit.InsertableFilter;

/** Where a buffer gets its filter from. */
interface FilterSource<T> {

  /** Returns an empty filter. */
  InsertableFilter<T> create();

  /**
   * Reads a filter.
   *
   * @throws IllegalArgumentException if it is not one that belongs here
   */
  InsertableFilter<T> read(byte[] bytes);
}
