package io.bloomkit.stress;

/**
 * What the races need of a filter, so that they can be run on ours and on those that must be
 * caught.
 */
interface RacedFilter {

  boolean add(long hash);

  boolean mightContain(long hash);

  RacedFilter copy();

  /** Whether all that is kept, and all that is known of it, equals that of another filter. */
  boolean holdsTheSameAs(RacedFilter other);

  /** How many positions there are. */
  long positions();

  /** Whether an element that is held takes a position. */
  boolean isTaken(long position);
}
