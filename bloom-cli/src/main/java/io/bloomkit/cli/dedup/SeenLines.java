package io.bloomkit.cli.dedup;

import io.bloomkit.hash.BytesHashStrategy;

/** The lines that came before, as hashes of what makes them equal. */
interface SeenLines {

  /** Returns the strategy that turns what makes lines equal into hashes. */
  BytesHashStrategy strategy();

  /** Remembers a line; returns whether it is the first of its kind. */
  boolean isFirst(long hash);

  /** Told from time to time how many lines were new since it was told last. */
  void wereNew(long lines);

  /** Returns the probability that a line which never came is taken for a repeat now. */
  double expectedFpp();

  /** Returns the highest probability of that so far, as far as it was looked at. */
  default double highestFpp() {
    return expectedFpp(); // of a filter that does not forget, it never falls
  }

  /**
   * Returns how many lines were, by expectation, taken for repeats though they never came; not a
   * finite number if the filter was so full that this cannot be told.
   */
  double expectedWronglyDropped();

  /** Returns the bytes that it takes. */
  long memoryBytes();

  /** Returns what it is, in some words. */
  String description();
}
