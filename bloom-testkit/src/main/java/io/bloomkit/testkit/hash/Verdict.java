package io.bloomkit.testkit.hash;

/**
 * The verdict on a hash strategy, by an {@linkplain HashStrategyExamination examination} or by one
 * of its tests. The constants are ordered from best to worst. The verdict of an examination is the
 * worst verdict of its tests.
 */
public enum Verdict {

  /**
   * No fault was found, and every test had enough keys for the power {@value
   * HashStrategyExamination#POWER}.
   */
  FIT,

  /**
   * No fault was found, but a test had too few keys for the power {@value
   * HashStrategyExamination#POWER}.
   */
  INCONCLUSIVE,

  /**
   * The hashes do not behave like random numbers, but no filter exceeded its planned false-positive
   * rate by more than a tenth on these keys. With other keys or sizes, a filter may do so.
   */
  WEAK,

  /**
   * The strategy must not be used for these keys, for at least one of five reasons: an element gets
   * another hash when hashed again, equal elements have different hashes, null is not refused by a
   * {@link NullPointerException}, different keys share hashes too often, or a filter exceeded its
   * planned false-positive rate by more than a tenth.
   */
  UNFIT;

  /** Returns whether this is the verdict on a fault: {@link #WEAK} or {@link #UNFIT}. */
  boolean isFinding() {
    return compareTo(WEAK) >= 0;
  }
}
