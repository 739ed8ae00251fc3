package io.bloomkit.testkit.stat;

import java.util.function.DoublePredicate;
import java.util.function.LongPredicate;
import org.apache.commons.math3.special.Beta;

/**
 * The binomial distribution with exact tails. Example: if each of N independent queries is positive
 * with probability p, the number X of positive queries has this distribution.
 *
 * <p>The tails P(X ≥ x) and P(X ≤ x) are values of the regularized incomplete beta function (M.
 * Abramowitz, I. Stegun, <i>Handbook of mathematical functions</i>, 26.5.24): P(X ≥ x) =
 * I<sub>p</sub>(x, N − x + 1). The relative numerical error of a tail is below 10<sup>-5</sup>.
 * This is tested for N up to 10<sup>8</sup>, p from 10<sup>-9</sup> to 0.99999, and tails down to
 * 5·10<sup>-10</sup>.
 *
 * @param trials N, at least 0
 * @param probability p, from 0 to 1
 */
public record Binomial(long trials, double probability) {

  /** The relative precision of the ends of a confidence interval. */
  private static final double PRECISION = 1e-13;

  /**
   * Creates a distribution.
   *
   * @throws IllegalArgumentException if a parameter is out of its range
   */
  public Binomial {
    if (trials < 0) {
      throw new IllegalArgumentException("trials must be at least 0, got " + trials);
    }
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException("probability must be in [0, 1], got " + probability);
    }
  }

  /** Returns the mean, N · p. */
  public double mean() {
    return trials * probability;
  }

  /** Returns P(X ≤ x), for any x. */
  public double lowerTail(long x) {
    if (x < 0) {
      return 0;
    }
    if (x >= trials || probability == 0) {
      return 1;
    }
    if (probability == 1) {
      return 0;
    }
    // The complement is exact for small p but loses small tails; with 1 - p it is the reverse.
    double complement = upperTail(x + 1);
    return complement < 0.9
        ? 1 - complement
        : Beta.regularizedBeta(1 - probability, (double) (trials - x), x + 1.0);
  }

  /** Returns P(X ≥ x), for any x. */
  public double upperTail(long x) {
    if (x <= 0) {
      return 1;
    }
    if (x > trials || probability == 0) {
      return 0;
    }
    if (probability == 1) {
      return 1;
    }
    return Beta.regularizedBeta(probability, (double) x, trials - x + 1.0);
  }

  /**
   * Returns the exact two-sided p-value of an observation: twice the smaller of P(X ≤ x) and P(X ≥
   * x), at most 1.
   *
   * @param x the observed number of positive queries
   */
  public double twoSidedPValue(long x) {
    return Math.min(1, 2 * Math.min(lowerTail(x), upperTail(x)));
  }

  /**
   * Returns the power of the two-sided test of this distribution. It is the exact probability that
   * the {@linkplain #twoSidedPValue p-value} is below α if the true probability is {@code truth}
   * instead of p.
   *
   * @param truth the true probability, from 0 to 1
   * @param alpha α, in (0, 1)
   * @throws IllegalArgumentException if {@code truth} is out of its range
   */
  public double power(double truth, double alpha) {
    Binomial other = new Binomial(trials, truth);
    return other.lowerTail(largestRejectedLow(alpha))
        + other.upperTail(smallestRejectedHigh(alpha));
  }

  /**
   * Returns the power of the two-sided test to detect a relative deviation. It is the smaller of
   * the {@linkplain #power powers} for the true probabilities p · (1 − d) and p · (1 + d). If p ·
   * (1 + d) is above 1, the result is the power for p · (1 − d).
   *
   * @param deviation d, in (0, 1]
   * @param alpha α, in (0, 1)
   */
  public double powerToTell(double deviation, double alpha) {
    double below = power(probability * (1 - deviation), alpha);
    double above = probability * (1 + deviation);
    return above > 1 ? below : Math.min(below, power(above, alpha));
  }

  /** Returns the largest x in the lower tail with a p-value below α, or −1. */
  private long largestRejectedLow(double alpha) {
    long accepted = Math.min(trials, (long) Math.ceil(mean()));
    return smallestThatHolds(-1, accepted, x -> 2 * lowerTail(x) >= alpha) - 1;
  }

  /** Returns the smallest x in the upper tail with a p-value below α, or N + 1. */
  long smallestRejectedHigh(double alpha) {
    long accepted = (long) Math.floor(mean());
    return smallestThatHolds(accepted, trials + 1, x -> 2 * upperTail(x) < alpha);
  }

  /**
   * Returns a number of trials N with which {@link #powerToTell} is at least a given power. A
   * slightly smaller number may also suffice, because the exact power does not always rise with N.
   *
   * @param probability p, in (0, 1]
   * @param deviation d, in (0, 1]
   * @param alpha α, in (0, 1)
   * @param power the power, in (0, 1)
   * @throws IllegalArgumentException if {@code probability} is out of its range
   */
  public static long trialsToTell(
      double probability, double deviation, double alpha, double power) {
    if (!(probability > 0)) {
      throw new IllegalArgumentException("probability must be above 0, got " + probability);
    }
    LongPredicate isEnough =
        n -> new Binomial(n, probability).powerToTell(deviation, alpha) >= power;
    long enough = 1;
    while (!isEnough.test(enough)) {
      enough = Math.multiplyExact(enough, 2L);
    }
    return smallestThatHolds(enough / 2, enough, isEnough);
  }

  /**
   * Returns the exact confidence interval of the true probability (C. Clopper, E. Pearson, <i>The
   * use of confidence or fiducial limits illustrated in the case of the binomial</i>, 1934).
   *
   * @param successes the observed number of positive queries, from 0 to {@code trials}
   * @param trials N, at least 1
   * @param confidence the confidence level, in (0, 1), for example 0.999; the interval contains the
   *     true value with at least this probability
   * @throws IllegalArgumentException if an argument is out of its range
   */
  public static Interval confidenceInterval(long successes, long trials, double confidence) {
    if (trials < 1 || successes < 0 || successes > trials) {
      throw new IllegalArgumentException(
          "successes must be in [0, trials], got " + successes + " of " + trials);
    }
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException("confidence must be in (0, 1), got " + confidence);
    }
    double tail = (1 - confidence) / 2;
    double estimate = (double) successes / trials;
    double lower =
        successes == 0
            ? 0
            : whereItHolds(0, estimate, p -> new Binomial(trials, p).upperTail(successes) >= tail);
    double upper =
        successes == trials
            ? 1
            : whereItHolds(estimate, 1, p -> new Binomial(trials, p).lowerTail(successes) < tail);
    return new Interval(lower, upper);
  }

  /** Does what {@link #whereItHolds} does, for whole numbers. */
  private static long smallestThatHolds(long fails, long holds, LongPredicate condition) {
    long low = fails;
    long high = holds;
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (condition.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  /**
   * Returns the smallest number at which a condition holds, between two where it fails and holds.
   */
  static double whereItHolds(double fails, double holds, DoublePredicate condition) {
    double low = fails;
    double high = holds;
    while (high - low > PRECISION * high) {
      double middle = (low + high) / 2;
      if (condition.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
}
