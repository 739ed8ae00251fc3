package io.bloomkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.internal.IndexDerivation;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tiny filters err at the exact rate of independent probes, where plain double hashing does not.
 *
 * <p>Each of F filters holds n random hashes and gets Q queries of others. Given its X set
 * positions a filter errs with p = (X/m)<sup>k</sup>, so the number of false positives of all has
 * mean F·Q·E[p] and, by the law of total variance, variance F·(Q·(E[p] − E[p²]) + Q²·(E[p²] −
 * E[p]²)), where E[p] is the exact rate and E[p²] the moment of order 2k of the law of X. The
 * standard score of that sum is compared with 5.73: α = 10<sup>-8</sup> two-sided by the normal law
 * (some 10<sup>-7</sup> with the skewness of two thousand rare events). A rate that is off by 8 %
 * in the first test, by 18 % in the second, is found with power 0.99.
 */
class TinyFilterRateTest {

  private static final double CRITICAL_SCORE = 5.73;

  @Test
  void tenElementsIn96PositionsErrAtTheExactRate() {
    Score score = new Score(10, 96, 7, 20_000, 50);
    score.run(TinyFilterRateTest::multiplication, 1);
    assertTrue(Math.abs(score.score()) < CRITICAL_SCORE, score::toString);
  }

  @Test
  void aHundredElementsIn2048PositionsErrAtTheExactRate() {
    Score score = new Score(100, 2048, 14, 4_000, 10_000);
    score.run(TinyFilterRateTest::multiplication, 2);
    assertTrue(Math.abs(score.score()) < CRITICAL_SCORE, score::toString);
  }

  @Tag("deep")
  @Test
  void doubleHashingIsFoundOut() {
    Score ten = new Score(10, 96, 7, 20_000, 50);
    ten.run(TinyFilterRateTest::doubleHashing, 3);
    assertTrue(ten.score() > CRITICAL_SCORE, ten::toString);
    Score hundred = new Score(100, 2048, 14, 4_000, 10_000);
    hundred.run(TinyFilterRateTest::doubleHashing, 4);
    assertTrue(hundred.score() > CRITICAL_SCORE, hundred::toString);
  }

  @Test
  void theRatesAreTheOnesPublished() {
    assertEquals(0.0109, SignificantDigits.round(BloomFormulas.exactFpp(10, 96, 7), 3));
    assertEquals(5.4e-5, SignificantDigits.round(BloomFormulas.exactFpp(100, 2048, 14), 2));
  }

  private static boolean multiplication(long hash, int m, int k, IntPredicate visitor) {
    long state = IndexDerivation.start(hash);
    for (int i = 0; i < k; i++) {
      if (!visitor.test((int) IndexDerivation.position(state, m))) {
        return false;
      }
      state = IndexDerivation.next(state);
    }
    return true;
  }

  private static boolean doubleHashing(long hash, int m, int k, IntPredicate visitor) {
    long first = hash >>> 32;
    long second = hash & 0xffffffffL;
    for (int i = 0; i < k; i++) {
      if (!visitor.test((int) ((first + i * second) % m))) {
        return false;
      }
    }
    return true;
  }

  private interface Derivation {
    /** Visits the positions of a hash until the visitor returns false; whether it never did. */
    boolean visit(long hash, int m, int k, IntPredicate visitor);
  }

  private static final class Score {

    private final int n;
    private final int m;
    private final int k;
    private final int filters;
    private final int queries;
    private long falsePositives;

    Score(int n, int m, int k, int filters, int queries) {
      this.n = n;
      this.m = m;
      this.k = k;
      this.filters = filters;
      this.queries = queries;
    }

    void run(Derivation derivation, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int f = 0; f < filters; f++) {
        boolean[] set = new boolean[m];
        for (int i = 0; i < n; i++) {
          derivation.visit(random.nextLong(), m, k, position -> set[position] = true);
        }
        for (int q = 0; q < queries; q++) {
          boolean positive = derivation.visit(random.nextLong(), m, k, position -> set[position]);
          falsePositives += positive ? 1 : 0;
        }
      }
    }

    double mean() {
      return (double) filters * queries * BloomFormulas.exactFpp(n, m, k);
    }

    double variance() {
      double p = BloomFormulas.exactFpp(n, m, k);
      double square = 0;
      double[] distribution = BloomFormulas.distributionOfSetPositions(n, m, k);
      for (int x = 0; x < distribution.length; x++) {
        square += distribution[x] * Math.pow((double) x / m, 2 * k);
      }
      return filters * (queries * (p - square) + (double) queries * queries * (square - p * p));
    }

    double score() {
      return (falsePositives - mean()) / Math.sqrt(variance());
    }

    @Override
    public String toString() {
      return falsePositives + " false positives, expected " + mean() + ": score " + score();
    }
  }
}
