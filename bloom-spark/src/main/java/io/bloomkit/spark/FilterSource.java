package io.bloomkit.spark;

import io.bloomkit.format.StorableFilter;

/** The source of the filter of a buffer. */
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
