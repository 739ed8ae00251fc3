package io.bloomkit.stress;

import java.util.BitSet;

/**
 * What the races need of a filter, so that they can be run on ours and on those that must be
 * caught.
 */
interface RacedFilter {

  boolean add(long hash);

  boolean mightContain(long hash);

  /** Whether all that is kept, and all that is known of it, equals that of another filter. */
  boolean holdsTheSameAs(RacedFilter other);

  /** How many positions there are. */
  long positions();

  /** How many positions an element takes, if they are distinct. */
  int hashes();

  /** The positions that what is held takes. */
  BitSet taken();
}
