package io.bloomkit.stress;

import java.util.BitSet;

/** The operations that the races need. Bloomkit's filters and the broken filters implement them. */
interface RacedFilter {

  boolean add(long hash);

  boolean mightContain(long hash);

  /** Returns whether the contents and the figures on them equal those of another filter. */
  boolean hasSameContents(RacedFilter other);

  /** Returns the number of positions. */
  long positions();

  /** Returns the number of positions per element, if they are distinct. */
  int hashes();

  /** Returns the positions of the stored elements. */
  BitSet occupied();
}
