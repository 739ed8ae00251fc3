package io.bloomkit;

import io.bloomkit.internal.IndexDerivation;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;

/**
 * The formulas of Bloom filters, each with its source; those of filters that keep an element within
 * one block stand in {@link BlockedFormulas}.
 *
 * <p>Throughout, <i>n</i> is the number of distinct elements, <i>m</i> the number of positions
 * (bits or counters), <i>k</i> the number of hashes an element, <i>X</i> the number of positions
 * that are set (non-zero), and ε or {@code fpp} the false-positive probability: that an element
 * which was never added is claimed. All logarithms are natural.
 *
 * <p>Every method is a pure function and checks its arguments: one out of range is an {@link
 * IllegalArgumentException} that names it.
 */
public final class BloomFormulas {

  private static final double LN_2 = StrictMath.log(2);

  /** Decimal digits beyond those that cancellation eats: more than a double can show. */
  private static final int GUARD_DIGITS = 25;

  /** Up to this many steps, following the law of the fill is faster than decimal arithmetic. */
  private static final long MOST_LAW_STEPS = 20_000;

  /** A variance loses the digits of m³: 3 · 11.1 at the largest m, and log kn for the powers. */
  private static final MathContext VARIANCE_CONTEXT = new MathContext(90);

  private BloomFormulas() {}

  /**
   * Returns the number of positions an element needs at the optimum: −ln ε / (ln 2)² = 1.44 ·
   * log₂(1/ε). Dividing ε by ten costs 4.8 more.
   *
   * @param fpp ε, between 0 and 1, both excluded
   */
  public static double optimalPositionsPerElement(double fpp) {
    checkFpp(fpp);
    return -StrictMath.log(fpp) / (LN_2 * LN_2);
  }

  /**
   * Returns the optimal number of positions ⌈−n · ln ε / (ln 2)²⌉ (B. Bloom 1970; the textbook
   * form).
   *
   * @param elements n, at least 1
   * @param fpp ε, between 0 and 1, both excluded
   */
  public static long optimalPositions(long elements, double fpp) {
    checkAtLeast(1, elements, "elements");
    return (long) Math.ceil(elements * optimalPositionsPerElement(fpp));
  }

  /**
   * Returns the smallest power of two that is not less than a number of positions.
   *
   * @param positions m, from 1 to 2<sup>62</sup>
   */
  public static long roundUpToPowerOfTwo(long positions) {
    checkAtLeast(1, positions, "positions");
    if (positions > 1L << 62) {
      throw new IllegalArgumentException("positions must be at most 2^62 but is " + positions);
    }
    return Long.highestOneBit(2 * positions - 1);
  }

  /**
   * Returns the real number of hashes at which the rate is lowest: ln 2 · m/n. Half of all
   * positions are set there.
   *
   * @param elements n, at least 1
   * @param positions m, at least 1
   */
  public static double optimalHashes(long elements, long positions) {
    checkAtLeast(1, elements, "elements");
    checkAtLeast(1, positions, "positions");
    return LN_2 * positions / elements;
  }

  /**
   * Returns the textbook's whole number of hashes, ⌈ln 2 · m/n⌉. {@link #bestHashes} is sometimes
   * one less, with a lower rate.
   *
   * @param elements n, at least 1
   * @param positions m, at least 1
   */
  public static int optimalHashesRoundedUp(long elements, long positions) {
    return (int) Math.ceil(optimalHashes(elements, positions));
  }

  /**
   * Returns the whole number of hashes, from 1 to {@link Shape#MAX_HASHES}, at which the
   * false-positive probability is lowest; the smaller of two that are equal. Small filters do best
   * with fewer than {@link #optimalHashes} says.
   *
   * @param elements n, at least 1
   * @param positions m, at least 1
   */
  public static int bestHashes(long elements, long positions) {
    double optimum = optimalHashes(elements, positions);
    int best = (int) Math.max(1, Math.min(Shape.MAX_HASHES, StrictMath.ceil(optimum)));
    double rate = sizingFpp(elements, positions, best);
    while (best > 1) {
      double rateOfOneLess = sizingFpp(elements, positions, best - 1);
      if (rateOfOneLess > rate) {
        break;
      }
      best--;
      rate = rateOfOneLess;
    }
    return best;
  }

  /**
   * The exact rate, or the classic formula where it is the same to four digits and much cheaper.
   */
  static double sizingFpp(long elements, long positions, int hashes) {
    return (long) hashes * hashes * 10_000 < positions
        ? classicFpp(elements, positions, hashes)
        : exactFpp(elements, positions, hashes);
  }

  /**
   * Returns the simplest approximation of the false-positive probability, (1 −
   * e<sup>−kn/m</sup>)<sup>k</sup>.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   */
  public static double approximateFpp(long elements, long positions, int hashes) {
    checkFilter(elements, positions, hashes);
    return StrictMath.pow(-StrictMath.expm1(-(double) hashes * elements / positions), hashes);
  }

  /**
   * Returns the classic formula (1 − (1 − 1/m)<sup>kn</sup>)<sup>k</sup>. It is often called exact
   * but takes the expected fill for the fill, which is a little too low: 7 % for ten elements in 96
   * positions, 0.04 % for a thousand. See {@link #exactFpp}.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   */
  public static double classicFpp(long elements, long positions, int hashes) {
    checkFilter(elements, positions, hashes);
    return StrictMath.pow(expectedFillRatio((double) elements * hashes, positions), hashes);
  }

  /**
   * Returns the exact false-positive probability E[(X/m)<sup>k</sup>] before anything is known of
   * the state.
   *
   * <p>P. Bose et al., <i>On the false-positive rate of Bloom filters</i>, 2008, and K.
   * Christensen, A. Roginsky, M. Jimeno, <i>A new analysis of the false positive rate of a Bloom
   * filter</i>, 2010: Σ<sub>d</sub> S(k,d) · (m)<sub>d</sub>/m<sup>k</sup> · Σ<sub>j</sub>
   * (−1)<sup>j</sup> · C(d,j) · (1 − j/m)<sup>kn</sup>, with the Stirling numbers of the second
   * kind. The sum cancels badly, so it is taken in decimal arithmetic of as many digits as it eats,
   * and the result is right to the last bits of a double at any size; small filters are followed
   * throw by throw instead, which is as exact. Costs microseconds at k = 7 and some milliseconds at
   * k = 64.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, from 1 to {@link Shape#MAX_HASHES}
   */
  public static double exactFpp(long elements, long positions, int hashes) {
    checkFilter(elements, positions, hashes);
    if (hashes > Shape.MAX_HASHES) {
      throw new IllegalArgumentException(
          "hashes must be at most " + Shape.MAX_HASHES + " but is " + hashes);
    }
    if (elements == 0) {
      return 0;
    }
    long throwsOfAll = throwsOf(elements, hashes);
    if (Math.min(positions, throwsOfAll) <= MOST_LAW_STEPS / throwsOfAll) {
      OccupancyLaw law = new OccupancyLaw(positions, throwsOfAll);
      law.throwUntil(throwsOfAll);
      return law.moment(hashes);
    }
    return exactFppBySum(throwsOfAll, positions, hashes);
  }

  private static double exactFppBySum(long throwsOfAll, long m, int k) {
    // By Jensen's inequality the result is at least the classic formula, and the summands before
    // cancellation add up to at most 2^k: that bounds the digits lost. A power to kn loses log kn.
    double fill = expectedFillRatio((double) throwsOfAll, m);
    int digits =
        (int)
                Math.ceil(
                    k * (StrictMath.log10(2) - StrictMath.log10(fill))
                        + StrictMath.log10((double) throwsOfAll))
            + GUARD_DIGITS;
    MathContext context = new MathContext(digits);
    int most = (int) Math.min(k, m);
    BigDecimal[] allMiss = new BigDecimal[most + 1]; // P(no throw hits any of j given positions)
    for (int j = 0; j <= most; j++) {
      allMiss[j] = missProbability(j, m, throwsOfAll, context);
    }

    BigInteger[] stirling = stirlingNumbersOfTheSecondKind(k);
    BigInteger fallingFactorial = BigInteger.ONE;
    BigDecimal sum = BigDecimal.ZERO;
    for (int d = 1; d <= most; d++) {
      fallingFactorial = fallingFactorial.multiply(BigInteger.valueOf(m - d + 1));
      BigInteger binomial = BigInteger.ONE;
      BigDecimal allHit = BigDecimal.ZERO;
      for (int j = 0; j <= d; j++) {
        BigDecimal summand = new BigDecimal(binomial).multiply(allMiss[j], context);
        allHit = j % 2 == 0 ? allHit.add(summand, context) : allHit.subtract(summand, context);
        binomial = binomial.multiply(BigInteger.valueOf(d - j)).divide(BigInteger.valueOf(j + 1));
      }
      BigDecimal weight = new BigDecimal(stirling[d].multiply(fallingFactorial));
      sum = sum.add(weight.multiply(allHit, context), context);
    }
    return sum.divide(BigDecimal.valueOf(m).pow(k), context).doubleValue();
  }

  /** (1 − j/m)^exponent, or zero where it is too small to reach the digits kept. */
  private static BigDecimal missProbability(int j, long m, long exponent, MathContext context) {
    double log10 = (double) exponent * StrictMath.log1p(-(double) j / m) / StrictMath.log(10);
    if (log10 < -2.0 * context.getPrecision()) {
      return BigDecimal.ZERO;
    }
    BigDecimal square = BigDecimal.valueOf(m - j).divide(BigDecimal.valueOf(m), context);
    BigDecimal power = BigDecimal.ONE;
    for (long rest = exponent; rest > 0; rest >>>= 1) {
      if ((rest & 1) == 1) {
        power = power.multiply(square, context);
      }
      square = square.multiply(square, context);
    }
    return power;
  }

  /** S(k, 0) to S(k, k). */
  static BigInteger[] stirlingNumbersOfTheSecondKind(int k) {
    BigInteger[] row = new BigInteger[k + 1];
    Arrays.fill(row, BigInteger.ZERO);
    row[0] = BigInteger.ONE;
    for (int i = 1; i <= k; i++) {
      for (int d = i; d >= 1; d--) {
        row[d] = row[d].multiply(BigInteger.valueOf(d)).add(row[d - 1]);
      }
      row[0] = BigInteger.ZERO;
    }
    return row;
  }

  /**
   * Returns the rate that 64-bit hashes alone bring about and that no number of positions lowers:
   * about 3n/2<sup>63</sup>. A hash has 63 bits that matter to {@link IndexDerivation}, so an
   * element equals one of n others with probability n/2<sup>63</sup>; and an element whose first
   * state is another's i-th shares all but i positions with it and needs luck 2<sup>-i</sup> for
   * the rest, on either side, which triples it. The other formulas leave it out: it is
   * 3·10<sup>-13</sup> at a million elements.
   *
   * @param elements n, at least 0
   */
  public static double hashFloor(long elements) {
    checkAtLeast(0, elements, "elements");
    return elements * 0x3p-63;
  }

  /**
   * Returns the exact distribution of the number of set positions X, for small filters: about
   * k·n·min(m, k·n) steps.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   * @return P(X = x) at index x, for x from 0 to min(m, k·n)
   */
  public static double[] distributionOfSetPositions(long elements, int positions, int hashes) {
    checkFilter(elements, positions, hashes);
    long throwsOfAll = throwsOf(elements, hashes);
    OccupancyLaw law = new OccupancyLaw(positions, throwsOfAll);
    law.throwUntil(throwsOfAll);
    return law.probabilities();
  }

  /**
   * Returns the false-positive probability of a filter whose present state is known:
   * (X/m)<sup>k</sup>.
   *
   * @param setPositions X, from 0 to m
   * @param positions m, at least 1
   * @param hashes k, at least 1
   */
  public static double fppAtFill(long setPositions, long positions, int hashes) {
    checkSet(setPositions, positions);
    checkAtLeast(1, hashes, "hashes");
    return StrictMath.pow((double) setPositions / positions, hashes);
  }

  /**
   * Returns the largest X at which (X/m)<sup>k</sup> is still at most ε.
   *
   * @param positions m, at least 1
   * @param hashes k, at least 1
   * @param fpp ε, between 0 and 1, both excluded
   */
  public static long fillAtFpp(long positions, int hashes, double fpp) {
    checkAtLeast(1, positions, "positions");
    checkAtLeast(1, hashes, "hashes");
    checkFpp(fpp);
    long set = (long) Math.floor(positions * StrictMath.pow(fpp, 1.0 / hashes));
    // The root is rounded: settle the last unit by the formula it inverts.
    while (set < positions && fppAtFill(set + 1, positions, hashes) <= fpp) {
      set++;
    }
    while (fppAtFill(set, positions, hashes) > fpp) {
      set--;
    }
    return set;
  }

  /**
   * Returns the mean of the number of set positions X: m · (1 − (1 − 1/m)<sup>kn</sup>).
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   */
  public static double expectedSetPositions(long elements, long positions, int hashes) {
    checkFilter(elements, positions, hashes);
    return positions * expectedFillRatio((double) elements * hashes, positions);
  }

  /**
   * Returns the mean number of positions that a query of an element never added looks at, if it
   * stops at the first that is not set: 1 + p + … + p<sup>k − 1</sup> with the mean p of the fill
   * X/m. That is 2 in a filter with the best number of hashes, which is half full, and k in a full
   * one.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   */
  public static double expectedProbesOfAbsent(long elements, long positions, int hashes) {
    checkFilter(elements, positions, hashes);
    double fill = expectedFillRatio((double) elements * hashes, positions);
    double probes = 0;
    for (int i = 0; i < hashes; i++) {
      probes = 1 + fill * probes;
    }
    return probes;
  }

  /**
   * Returns the variance of the number of set positions X, exact: with q₁ = (1 − 1/m)<sup>kn</sup>
   * and q₂ = (1 − 2/m)<sup>kn</sup> it is m·q₁ + m·(m − 1)·q₂ − m²·q₁² (the classical occupancy
   * problem; N. Johnson, S. Kotz, <i>Urn models</i>, 1977, section 3.1), in decimal arithmetic
   * because it cancels badly.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   */
  public static double varianceOfSetPositions(long elements, long positions, int hashes) {
    checkFilter(elements, positions, hashes);
    long throwsOfAll = throwsOf(elements, hashes);
    if (positions == 1 || throwsOfAll <= 1) {
      return 0;
    }
    BigDecimal m = BigDecimal.valueOf(positions);
    BigDecimal q1 = missProbability(1, positions, throwsOfAll, VARIANCE_CONTEXT);
    BigDecimal q2 = missProbability(2, positions, throwsOfAll, VARIANCE_CONTEXT);
    BigDecimal unset = m.multiply(q1);
    BigDecimal pairsUnset = m.multiply(m.subtract(BigDecimal.ONE)).multiply(q2);
    return Math.max(0, unset.add(pairsUnset).subtract(unset.multiply(unset)).doubleValue());
  }

  /**
   * Returns the number of distinct elements that explains a fill best: ln(1 − X/m) / (k · ln(1 −
   * 1/m)) (S. Swamidass, P. Baldi, <i>Mathematical correction for fingerprint similarity
   * measures</i>, 2007).
   *
   * @param setPositions X, from 0 to m
   * @param positions m, at least 1
   * @param hashes k, at least 1
   * @return n, or positive infinity if every position is set
   */
  public static double estimatedElements(long setPositions, long positions, int hashes) {
    checkSet(setPositions, positions);
    checkAtLeast(1, hashes, "hashes");
    if (setPositions == positions) {
      return Double.POSITIVE_INFINITY;
    }
    double m = positions;
    return setPositions == 0
        ? 0
        : StrictMath.log1p(-setPositions / m) / (hashes * StrictMath.log1p(-1 / m));
  }

  /**
   * Returns the mean number of four-bit counters that are exceeded, that is, would count to 16 or
   * more, when distinct elements are each added equally often: m · P(Binomial(n, p) · c > 15),
   * where p = 1 − (1 − 1/m)<sup>k</sup> is the probability that an element hits a given counter.
   * The exact form of the bound 1.37·10<sup>-15</sup> · m of L. Fan, P. Cao, J. Almeida, A. Broder,
   * <i>Summary cache</i>, 2000, section V.C, for c = 1 and half of all counters set; it is
   * 7.1·10<sup>-17</sup> · m there.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   * @param copies c, how often each element is added, at least 1
   */
  public static double expectedOverflowedCounters(
      long elements, long positions, int hashes, long copies) {
    checkFilter(elements, positions, hashes);
    checkAtLeast(1, copies, "copies");
    double logOfMiss = hashes * StrictMath.log1p(-1.0 / positions);
    return positions * CounterOverflow.probability(elements, logOfMiss, copies);
  }

  /**
   * Returns the part of a scalable filter's false-positive probability that its layer i may use: ε
   * · (1 − r) · r<sup>i</sup>. Over all layers these add up to ε (P. Almeida, C. Baquero, N.
   * Preguiça, D. Hutchison, <i>Scalable Bloom filters</i>, 2007, section 4).
   *
   * @param fpp ε, of the whole filter, between 0 and 1, both excluded
   * @param tighteningRatio r, between 0 and 1, both excluded
   * @param layer i, from 0
   */
  public static double layerFpp(double fpp, double tighteningRatio, int layer) {
    checkFpp(fpp);
    checkFraction(tighteningRatio, "tighteningRatio");
    checkAtLeast(0, layer, "layer");
    return fpp * (1 - tighteningRatio) * StrictMath.pow(tighteningRatio, layer);
  }

  /**
   * Returns the false-positive probability of layers of which any may claim an element: 1 − Π(1 −
   * pᵢ).
   *
   * @param layerFpps pᵢ, each from 0 to 1
   */
  public static double compoundFpp(double... layerFpps) {
    double logOfNone = 0;
    for (double p : layerFpps) {
      if (!(p >= 0 && p <= 1)) {
        throw new IllegalArgumentException("layerFpps must lie in [0, 1] but one is " + p);
      }
      logOfNone += StrictMath.log1p(-p);
    }
    return Math.abs(StrictMath.expm1(logOfNone)); // not −0 where nothing is claimed
  }

  /**
   * Returns the false-positive probability of an age-partitioned filter whose present state is
   * known: that an element hits in k consecutive slices somewhere in a row of slices (A. Shtul, C.
   * Baquero, P. Almeida, <i>Age-partitioned Bloom filters</i>, 2020, the recursion F(a, i) = rᵢ ·
   * F(a + 1, i + 1) + (1 − rᵢ) · F(0, i + 1) for an element that hit in the last a slices, with
   * F(k, i) = 1). Here it is followed forwards, as the distribution of a. It is exact for slices
   * that are hit independently of each other; and its mean over independent fills is its value at
   * their means, since each rᵢ occurs in the first power only.
   *
   * @param hashes k, at least 1
   * @param fillRatios rᵢ of each slice in the order of their age, each from 0 to 1
   */
  public static double agePartitionedFpp(int hashes, double... fillRatios) {
    checkAtLeast(1, hashes, "hashes");
    double[] runs = new double[hashes]; // P(no k hits in a row yet, the last a slices were hit)
    runs[0] = 1;
    double claimed = 0;
    for (double r : fillRatios) {
      if (!(r >= 0 && r <= 1)) {
        throw new IllegalArgumentException("fillRatios must lie in [0, 1] but one is " + r);
      }
      claimed += runs[hashes - 1] * r;
      double missed = 0;
      for (int a = hashes - 1; a > 0; a--) {
        missed += runs[a];
        runs[a] = runs[a - 1] * r;
      }
      runs[0] = (missed + runs[0]) * (1 - r);
    }
    return Math.min(1, claimed);
  }

  /**
   * Returns how full the slices of an age-partitioned filter are on average at the end of a
   * generation, when its false-positive probability is highest: the slice of age i has taken the
   * elements of min(i + 1, k) generations, so it is 1 − (1 − 1/s)<sup>g · min(i + 1, k)</sup>. The
   * paper takes the straight line (i + 1) / 2k for i below k, which lies up to 28 % below that.
   *
   * @param hashes k, at least 1
   * @param slices how many slices there are, at least k
   * @param slicePositions s, the positions of a slice, at least 1
   * @param generationElements g, the distinct elements of a generation, at least 0
   * @return the mean fill ratio of each slice, the youngest first
   */
  public static double[] agePartitionedFillRatios(
      int hashes, int slices, long slicePositions, long generationElements) {
    checkFilter(generationElements, slicePositions, hashes);
    checkAtLeast(hashes, slices, "slices");
    double[] fillRatios = new double[slices];
    for (int i = 0; i < slices; i++) {
      fillRatios[i] =
          expectedFillRatio((double) generationElements * Math.min(i + 1, hashes), slicePositions);
    }
    return fillRatios;
  }

  /** E[X/m] = 1 − (1 − 1/m)^(kn). */
  private static double expectedFillRatio(double throwsOfAll, long positions) {
    return throwsOfAll == 0
        ? 0
        : -StrictMath.expm1(throwsOfAll * StrictMath.log1p(-1.0 / positions));
  }

  static void checkFilter(long elements, long positions, int hashes) {
    checkAtLeast(0, elements, "elements");
    checkAtLeast(1, positions, "positions");
    checkAtLeast(1, hashes, "hashes");
  }

  /** k · n, which must be a long. */
  static long throwsOf(long elements, int hashes) {
    if (elements > Long.MAX_VALUE / hashes) {
      throw new IllegalArgumentException(
          "elements times hashes must be below 2^63 but elements is "
              + elements
              + " and hashes is "
              + hashes);
    }
    return elements * hashes;
  }

  static void checkSet(long setPositions, long positions) {
    checkAtLeast(1, positions, "positions");
    if (setPositions < 0 || setPositions > positions) {
      throw new IllegalArgumentException(
          "setPositions must lie in [0, " + positions + "] but is " + setPositions);
    }
  }

  static void checkAtLeast(long least, long value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + " but is " + value);
    }
  }

  static void checkFpp(double fpp) {
    checkFraction(fpp, "fpp");
  }

  private static void checkFraction(double value, String name) {
    if (!(value > 0 && value < 1)) { // also refuses NaN
      throw new IllegalArgumentException(
          name + " must lie between 0 and 1, both excluded, but is " + value);
    }
  }
}
