package io.bloomkit.testkit.hash;

/**
 * The verdict of an {@linkplain HashStrategyExamination examination} on a hash strategy, or of one
 * of its tests; from best to worst.
 */
public enum Verdict {

  /** No fault was found, on enough keys for the power of every test. */
  FIT,

  /** No fault was found, but on too few keys for the power of the tests. */
  INCONCLUSIVE,

  /**
   * The hashes are not random, yet every filter kept its false-positive rate on these keys. With
   * other keys or sizes it may be exceeded.
   */
  WEAK,

  /**
   * The contract is violated: equal elements have different hashes, null is hashed, different keys
   * share hashes too often, or a filter exceeds its false-positive rate.
   */
  UNFIT;

  /** Returns whether this is what a test is there to find: {@link #WEAK} or {@link #UNFIT}. */
  boolean isFinding() {
    return compareTo(WEAK) >= 0;
  }

  Verdict orWorse(Verdict other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
