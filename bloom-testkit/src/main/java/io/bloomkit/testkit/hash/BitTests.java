package io.bloomkit.testkit.hash;

import io.bloomkit.testkit.stat.FairCoins;
import io.bloomkit.testkit.stat.MultipleTestResult;

/** Tests whether the bits of hashes are fair coins, singly and in pairs. */
final class BitTests {

  /** The faults to detect: a biased bit; below, two bits that often differ. */
  private static final double BIASED_BIT = 0.51;

  private static final double BOUND_BITS = 0.53;

  /**
   * Two bits that differ in 48 to 52 % of hashes share at most a thousandth of a bit of
   * information. On keys like row numbers, the last step of Murmur3 makes bits 3 and 36 dependent
   * by 1 %, which has no effect on filters.
   */
  private static final double TOLERANCE_OF_PAIR = 0.02;

  private BitTests() {}

  static MultipleTestResult bits(BitColumns columns, double alpha) {
    FairCoins coins = new FairCoins(0);
    coins.begin(columns.size());
    for (int bit = 0; bit < Long.SIZE; bit++) {
      coins.count(columns.ones(bit), (first, second) -> "bit " + first, bit, 0);
    }
    return coins.result(
        "share of hashes with the bit set", BIASED_BIT, "a bit that is set in %s of hashes", alpha);
  }

  static MultipleTestResult pairs(BitColumns columns, double alpha) {
    FairCoins coins = new FairCoins(TOLERANCE_OF_PAIR);
    coins.begin(columns.size());
    for (int bit = 1; bit < Long.SIZE; bit++) {
      for (int other = 0; other < bit; other++) {
        coins.count(
            columns.differences(bit, other),
            (first, second) -> "bits " + second + " and " + first,
            bit,
            other);
      }
    }
    return coins.result(
        "share of hashes in which the two bits differ",
        BOUND_BITS,
        "two bits that differ in %s of hashes",
        alpha);
  }

  /** Returns the number of keys needed to detect both faults. */
  static int keysNeeded(double alpha) {
    int pairs = Long.SIZE * (Long.SIZE - 1) / 2;
    return SampleSize.smallest(
        n ->
            FairCoins.power(n, 0, BIASED_BIT, alpha / Long.SIZE) >= HashStrategyExamination.POWER
                && FairCoins.power(n, TOLERANCE_OF_PAIR, BOUND_BITS, alpha / pairs)
                    >= HashStrategyExamination.POWER);
  }
}
