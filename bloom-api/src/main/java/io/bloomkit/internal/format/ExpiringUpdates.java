package io.bloomkit.internal.format;

/**
 * Updates of a filter that forgets elements by age, at a given time instead of that of its clock.
 * For a log of updates: a reader that repeats the updates at their times gets an equal filter.
 */
public interface ExpiringUpdates {

  /** A filter that has such updates. */
  interface Source {

    /** Returns the updates of this filter. */
    ExpiringUpdates updates();
  }

  /**
   * Returns whether age is time. Otherwise it is a number of insertions, and epochs are ignored.
   */
  boolean isOfTime();

  /** Reads the clock and returns the present epoch, which never falls. */
  long epoch();

  /**
   * Returns the fingerprint of a hash. Updates of equal fingerprints do not commute: a removal
   * takes the element of an earlier addition with it.
   */
  long fingerprintOf(long hash);

  /**
   * Adds a hash in an epoch, or in a later one of its table. Does not read the clock.
   *
   * @return whether it was absent
   */
  boolean addHash(long hash, long epoch);

  /** Removes a hash in the same way. Returns whether it was present. */
  boolean removeHash(long hash, long epoch);

  /** Removes all elements. Time goes on; a number of insertions begins again. */
  void clear();

  /** Returns the contents at the latest epoch that was seen. Does not read the clock. */
  FilterContents contents();
}
