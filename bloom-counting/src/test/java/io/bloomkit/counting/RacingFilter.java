package io.bloomkit.counting;

/**
 * What the races of {@link CountingRaces} need of a filter of {@value #POSITIONS} counters and two
 * hashes, so that they can be run on ours and on those that must be caught.
 */
interface RacingFilter {

  int POSITIONS = 4;

  boolean add(long hash);

  boolean remove(long hash);

  default boolean add(long hash, int copies) {
    boolean isNew = add(hash);
    for (int i = 1; i < copies; i++) {
      add(hash);
    }
    return isNew;
  }

  /** Removes copies of which there are enough. */
  default boolean remove(long hash, int copies) {
    boolean areRemoved = true;
    for (int i = 0; i < copies; i++) {
      areRemoved &= remove(hash);
    }
    return areRemoved;
  }

  boolean mightContain(long hash);

  long count(long hash);

  long counter(int position);

  /** Throws if what the filter knows of itself beside its counters does not fit them. */
  void checkFigures(long elements, long nonZeroCounters);
}
