package io.bloomkit.testkit.hash;

/**
 * What an {@linkplain HashStrategyExamination examination} says of a hash strategy, or of one
 * question that it was asked; from best to worst.
 */
public enum Verdict {

  /** Every question was answered well, on as many keys as give every test its power. */
  FIT,

  /** Nothing was found, on fewer keys than it takes to find it. */
  INCONCLUSIVE,

  /**
   * The hashes have a structure that chance does not have, yet no filter claimed more than it may
   * on these keys: other keys or other sizes may fare worse.
   */
  WEAK,

  /**
   * A promise is broken: an element has two hashes, null is hashed, different keys share hashes, or
   * a filter claims more elements that were never added than it was made for.
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
