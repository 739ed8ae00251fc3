package io.bloomkit.testkit.hash;

/**
 * What an {@linkplain HashStrategyExamination examination} says of a hash strategy, or of one
 * question that it was asked; from best to worst.
 */
public enum Verdict {

  /** Every question passed, on enough keys for the power of every test. */
  FIT,

  /** Nothing was found, on too few keys for the power of the tests. */
  INCONCLUSIVE,

  /**
   * The hashes have a structure that chance does not have, yet every filter kept its false-positive
   * rate on these keys. Other keys or other sizes may exceed it.
   */
  WEAK,

  /**
   * A promise is broken: an element has two hashes, null is hashed, different keys share hashes, or
   * a filter exceeds its false-positive rate.
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
