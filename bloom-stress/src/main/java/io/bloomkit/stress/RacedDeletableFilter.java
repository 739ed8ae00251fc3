package io.bloomkit.stress;

/** A {@link RacedFilter} that counts. */
interface RacedDeletableFilter extends RacedFilter {

  boolean remove(long hash);

  long count(long hash);

  RacedDeletableFilter copy();

  /** The memory taken. */
  long bytes();
}
