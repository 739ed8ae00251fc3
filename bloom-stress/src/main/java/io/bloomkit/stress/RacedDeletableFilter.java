package io.bloomkit.stress;

/** A {@link RacedFilter} that supports removal and counts. */
interface RacedDeletableFilter extends RacedFilter {

  boolean remove(long hash);

  long count(long hash);

  RacedDeletableFilter copy();

  /** Returns the memory of the filter in bytes. */
  long bytes();
}
