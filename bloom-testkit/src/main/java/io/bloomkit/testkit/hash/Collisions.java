package io.bloomkit.testkit.hash;

import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.MultipleTestResult;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * Tests how many of n hashes repeat an earlier one, compared with the birthday expectation.
 *
 * <p>With an ideal hash of v values, the i-th hash repeats one of those before it with a
 * probability of at most (i − 1)/v, whatever these are. So the number of repetitions is
 * stochastically at most a sum of independent trials with these probabilities. From its mean plus
 * one on, the tail of this sum is at most that of Binomial(n, (n − 1)/2v) (W. Hoeffding, <i>On the
 * distribution of the number of successes in independent trials</i>, 1956, theorem 4). The p-value
 * is the tail of that binomial distribution: an upper bound without approximation, which is tight
 * if n is small compared with v.
 */
final class Collisions {

  private static final double VALUES_OF_64_BITS = 0x1p64;
  private static final double VALUES_OF_HALF = 0x1p32;

  /** The faults to detect: a hash of only 32 bits, and a half of only 28 bits. */
  private static final double VALUES_OF_FAULTY_HASH = 0x1p32;

  private static final double VALUES_OF_FAULTY_HALF = 0x1p28;

  private Collisions() {}

  static MultipleTestResult ofHashes(long[] hashes, double alpha) {
    return new MultipleTestResult(
        "hashes that repeat an earlier one",
        repetitions(hashes, LongUnaryOperator.identity()),
        law(hashes.length, VALUES_OF_64_BITS).mean(),
        hashes.length,
        pValue(repetitions(hashes, LongUnaryOperator.identity()), hashes.length, VALUES_OF_64_BITS),
        power(hashes.length, VALUES_OF_64_BITS, VALUES_OF_FAULTY_HASH, alpha),
        "a hash of 32 bits");
  }

  static MultipleTestResult ofHalves(long[] hashes, double alpha) {
    long upper = repetitions(hashes, hash -> hash >>> Integer.SIZE);
    long lower = repetitions(hashes, hash -> hash & 0xffff_ffffL);
    return new MultipleTestResult(
        (upper >= lower ? "upper" : "lower") + " halves that repeat an earlier one",
        Math.max(upper, lower),
        law(hashes.length, VALUES_OF_HALF).mean(),
        hashes.length,
        Math.min(1, 2 * pValue(Math.max(upper, lower), hashes.length, VALUES_OF_HALF)),
        power(hashes.length, VALUES_OF_HALF, VALUES_OF_FAULTY_HALF, alpha / 2),
        "a half of 28 bits");
  }

  static long repetitions(long[] hashes, LongUnaryOperator part) {
    long[] parts = Arrays.stream(hashes).map(part).sorted().toArray();
    long repetitions = 0;
    for (int i = 1; i < parts.length; i++) {
      repetitions += parts[i] == parts[i - 1] ? 1 : 0;
    }
    return repetitions;
  }

  private static Binomial law(int hashes, double values) {
    return new Binomial(hashes, (hashes - 1) / (2 * values));
  }

  static double pValue(long repetitions, int hashes, double values) {
    Binomial law = law(hashes, values);
    // Below the mean plus one, the bound does not hold and there is no fault to detect.
    return repetitions < law.mean() + 1 && repetitions != 1 ? 1 : law.upperTail(repetitions);
  }

  /** Returns the probability that the test detects hashes with fewer values. */
  static double power(int hashes, double values, double fewerValues, double alpha) {
    long critical = 1;
    while (pValue(critical, hashes, values) >= alpha) {
      critical++;
    }
    return law(hashes, fewerValues).upperTail(critical);
  }

  /** Returns the number of hashes needed to detect both faults. */
  static int keysNeeded(double alpha) {
    return SampleSize.smallest(
        n ->
            power(n, VALUES_OF_64_BITS, VALUES_OF_FAULTY_HASH, alpha)
                    >= HashStrategyExamination.POWER
                && power(n, VALUES_OF_HALF, VALUES_OF_FAULTY_HALF, alpha / 2)
                    >= HashStrategyExamination.POWER);
  }
}
