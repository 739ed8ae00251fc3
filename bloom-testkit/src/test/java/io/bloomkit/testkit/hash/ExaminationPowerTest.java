package io.bloomkit.testkit.hash;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.testkit.internal.ContractSeeds;
import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.FairCoins;
import io.bloomkit.testkit.stat.MultipleTestResult;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** That the power which tests state is the power which they have, and how many keys it takes. */
class ExaminationPowerTest {

  private static final double ALPHA = ExaminationRun.ALPHA;

  /** A binomial of 64 bits at Σα = 10^-6. */
  @Test
  void theBiasedBitTakesSomeTwoHundredThousandKeys() {
    int needed = BitTests.keysNeeded(ALPHA);
    assertTrue(needed > 190_000 && needed < 210_000, "keys needed: " + needed);
  }

  /** In as many bits as are looked at, of which some may have no more pairs than it takes. */
  @Test
  void theLeastPairsOfABitTellThatItIsSluggish() {
    int counts = AvalancheTests.MAX_BITS * Long.SIZE * (Long.SIZE - 1) / 2;
    for (int n = AvalancheTests.MIN_PAIRS; n < AvalancheTests.MIN_PAIRS + 100; n++) {
      double power = FairCoins.power(n, 0, AvalancheTests.SLUGGISH, ALPHA / counts);
      assertTrue(power >= HashStrategyExamination.POWER, n + " pairs: " + power);
    }
  }

  /**
   * Of 1000 strategies with the bit of 0.51 as many are found as the power says, which is 0.5
   * within a twentieth at the number of hashes where it is stated to be that: α of this test is
   * 10^-8.
   */
  @Tag("deep")
  @Test
  void thePowerAgainstTheBiasedBitIsTheOneStated() {
    int hashes = 90_000;
    int trials = 600;
    double stated = 0;
    int found = 0;
    for (int trial = 0; trial < trials; trial++) {
      SplittableRandom random = new SplittableRandom(ContractSeeds.HISTORY + trial);
      long[] biased =
          random
              .longs(hashes)
              .map(hash -> random.nextInt(50) == 0 ? hash | 1L << 31 : hash)
              .toArray();
      MultipleTestResult result = BitTests.bits(new BitColumns(biased, hashes), ALPHA);
      stated = result.power();
      found += result.pValue() < ALPHA ? 1 : 0;
    }
    assertTrue(stated > 0.2 && stated < 0.8, "power stated: " + stated);
    double pValue = new Binomial(trials, stated).twoSidedPValue(found);
    assertTrue(pValue >= 1e-8, found + " of " + trials + " found at a power of " + stated);
  }

  @Test
  void theBiasedBitIsFoundWhereverItIs() {
    for (int bit = 0; bit < Long.SIZE; bit += 9) {
      LongHashStrategy strategy = BadStrategies.biasedBit(bit);
      long[] hashes = new long[BitTests.keysNeeded(ALPHA)];
      for (int i = 0; i < hashes.length; i++) {
        hashes[i] = strategy.hashLong(i);
      }
      MultipleTestResult result = BitTests.bits(new BitColumns(hashes, hashes.length), ALPHA);
      assertTrue(result.pValue() < ALPHA, result::toString);
      assertTrue(result.power() >= 0.99, result::toString);
      assertTrue(result.measured().endsWith("bit " + bit), result::toString);
    }
  }
}
