package io.bloomkit.cli.dedup;

import io.bloomkit.hash.BytesHashStrategy;
import io.bloomkit.hash.HashStrategies;

/** A filter of the lines seen so far, by the hashes of their compared parts. */
interface SeenLines {

  /** Hashes the compared part of a line. */
  BytesHashStrategy STRATEGY = HashStrategies.bytes();

  /**
   * Sets the time of the lines that follow, in milliseconds, unless the time is later already. A
   * filter that forgets no lines ignores it.
   */
  default void advanceTo(long millis) {}

  /**
   * Returns the time in milliseconds, about that of the last line of earlier runs, before which
   * lines can only be looked up.
   */
  default long remembersFrom() {
    return Long.MIN_VALUE;
  }

  /** Returns a second hash of a line, for {@link #isFirst}; 0 where it is not used. */
  default long check(byte[] bytes, int from, int length) {
    return 0;
  }

  /**
   * Remembers a line by two hashes, the second of which a filter ignores. Returns true if the line
   * was certainly not seen before.
   */
  boolean isFirst(long hash, long check);

  /**
   * Remembers some lines by two hashes of each, one after another. Sets {@code first[i]} to whether
   * line number i, below {@code count}, was certainly not seen before.
   */
  default void areFirst(long[] hashes, long[] checks, int count, boolean[] first) {
    for (int i = 0; i < count; i++) {
      first[i] = isFirst(hashes[i], checks[i]);
    }
  }

  /** Returns whether a line may have been seen. Does not remember it. */
  default boolean mightContain(long hash) {
    throw new IllegalStateException("only lines in a filter are remembered durably");
  }

  /** Returns how many lines of one time may be queried before the first of them is remembered. */
  default int maxRun() {
    return 64;
  }

  /** Called from time to time with the number of new lines since the last call. */
  void addNewLines(long lines);

  /** Returns the present probability that a new line is mistaken for a repeat. */
  double expectedFpp();

  /** Returns the highest {@link #expectedFpp} so far, as of the calls of {@link #addNewLines}. */
  default double highestFpp() {
    return expectedFpp(); // never decreases in a filter that does not forget
  }

  /**
   * Returns the expected number of new lines that were mistaken for repeats; infinite or NaN if the
   * filter is too full for an estimate.
   */
  double expectedWronglyDropped();

  /** Returns the memory of the filter in bytes. */
  long memoryBytes();

  /** Returns a short description of the filter, such as "a classic filter". */
  String description();
}
