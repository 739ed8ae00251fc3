package io.bloomkit;

import io.bloomkit.internal.Arguments;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Objects;

/**
 * The formulas of flat Bloom filters and of layers of them, with their sources. In a flat filter,
 * an element may take any of the positions. {@link BlockedFormulas} has the formulas of blocked
 * filters.
 *
 * <p>The symbols are:
 *
 * <ul>
 *   <li><i>n</i>, the number of distinct elements;
 *   <li><i>m</i>, the number of positions (bits or counters);
 *   <li><i>k</i>, the number of hashes: an element takes k positions, which an insertion sets and a
 *       query tests;
 *   <li><i>X</i>, the number of positions that are set (non-zero);
 *   <li>ε, the false-positive probability: the probability that the query of an element that was
 *       never added is positive.
 * </ul>
 *
 * <p>Logarithms are natural unless a base is given. Every method is a pure function. It throws
 * {@link IllegalArgumentException} if an argument is out of its range; the message names the
 * argument and its value. {@link #exactFpp}, {@link #distributionOfSetPositions} and {@link
 * #varianceOfSetPositions} also require that k · n is below 2<sup>63</sup>.
 */
public final class BloomFormulas {

  private static final double LN_2 = StrictMath.log(2);

  /**
   * Up to this number of steps, computing the distribution of X is faster than decimal arithmetic.
   */
  private static final long MAX_OCCUPANCY_STEPS = 20_000;

  /**
   * Cancellation loses as many digits as m³ has, 3 · 11.1 for the largest m; powers lose log₁₀ kn
   * more.
   */
  private static final MathContext VARIANCE_CONTEXT = new MathContext(90);

  private BloomFormulas() {}

  /**
   * Returns the number of positions per element that a false-positive probability requires: m/n =
   * −ln ε / (ln 2)² = 1.44 · log₂(1/ε). Assumes the {@linkplain #optimalHashes optimal number of
   * hashes}. Each reduction of the probability by a factor of ten adds 4.8 to m/n.
   *
   * @param fpp ε, in (0, 1)
   */
  public static double optimalPositionsPerElement(double fpp) {
    Arguments.checkFraction(fpp, "fpp");
    return -StrictMath.log(fpp) / (LN_2 * LN_2);
  }

  /**
   * Returns the number of positions that n elements require for a false-positive probability: m =
   * ⌈−n · ln ε / (ln 2)²⌉ (B. Bloom, <i>Space/time trade-offs in hash coding with allowable
   * errors</i>, 1970, in the form of the textbooks). Assumes the {@linkplain #optimalHashes optimal
   * number of hashes}.
   *
   * @param elements n, at least 1
   * @param fpp ε, in (0, 1)
   * @return the number, or {@link Long#MAX_VALUE} if it is larger
   */
  public static long optimalPositions(long elements, double fpp) {
    Arguments.checkAtLeast(1, elements, "elements");
    return (long) Math.ceil(elements * optimalPositionsPerElement(fpp));
  }

  /**
   * Returns the smallest power of two that is not less than a number of positions.
   *
   * @param positions m, from 1 to 2<sup>62</sup>
   */
  public static long roundUpToPowerOfTwo(long positions) {
    Arguments.checkAtLeast(1, positions, "positions");
    if (positions > 1L << 62) {
      throw new IllegalArgumentException("positions must be at most 2^62, got " + positions);
    }
    return Long.highestOneBit(2 * positions - 1);
  }

  /**
   * Returns the optimal number of hashes as a real number, ln 2 · m/n. With that number, about half
   * of all positions are set.
   *
   * @param elements n, at least 1
   * @param positions m, at least 1
   */
  public static double optimalHashes(long elements, long positions) {
    Arguments.checkAtLeast(1, elements, "elements");
    Arguments.checkAtLeast(1, positions, "positions");
    return LN_2 * positions / elements;
  }

  /**
   * Returns {@link #optimalHashes} rounded up, ⌈ln 2 · m/n⌉, as in many textbooks. {@link
   * #bestHashes} is often lower by one. For ten elements or fewer, {@code bestHashes} may be lower
   * by more: for 10 elements in 260 positions it returns 17, and this method returns 19.
   *
   * @param elements n, at least 1
   * @param positions m, at least 1
   * @return the number, or {@link Integer#MAX_VALUE} if it is larger
   */
  public static int optimalHashesRoundedUp(long elements, long positions) {
    return (int) Math.ceil(optimalHashes(elements, positions));
  }

  /**
   * Returns the whole number of hashes, from 1 to {@link FlatShape#MAX_HASHES}, at which the
   * false-positive probability is lowest. If several numbers give this probability, returns the
   * smallest. For few elements the result may be well below {@link #optimalHashes}: for 2 elements
   * in 78 positions, this method returns 23, and {@link #optimalHashes} returns 27.03.
   *
   * @param elements n, at least 1
   * @param positions m, at least 1
   */
  public static int bestHashes(long elements, long positions) {
    double optimum = optimalHashes(elements, positions);
    int best = (int) Math.max(1, Math.min(FlatShape.MAX_HASHES, StrictMath.ceil(optimum)));
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
   * Returns the exact rate, computed by the much cheaper classic formula where the two agree to
   * four digits.
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
    FormulaArguments.checkFilter(elements, positions, hashes);
    return StrictMath.pow(-StrictMath.expm1(-(double) hashes * elements / positions), hashes);
  }

  /**
   * Returns the classic formula (1 − (1 − 1/m)<sup>kn</sup>)<sup>k</sup>. This formula is often
   * called exact, but it replaces the fill ratio by its mean, so its result is slightly below
   * {@link #exactFpp}. With 7 hashes, the result is 6 % too low for 10 elements in 96 positions,
   * and 0.07 % too low for 1,000 elements in 9,600 positions.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   */
  public static double classicFpp(long elements, long positions, int hashes) {
    FormulaArguments.checkFilter(elements, positions, hashes);
    return StrictMath.pow(expectedFillRatio((double) elements * hashes, positions), hashes);
  }

  /**
   * Returns the exact expected false-positive probability E[(X/m)<sup>k</sup>]. It depends on the
   * number of elements, not on the state of a filter.
   *
   * <p>The formula is due to P. Bose et al., <i>On the false-positive rate of Bloom filters</i>,
   * 2008, and K. Christensen, A. Roginsky, M. Jimeno, <i>A new analysis of the false positive rate
   * of a Bloom filter</i>, 2010: Σ<sub>d</sub> S(k,d) · (m)<sub>d</sub>/m<sup>k</sup> ·
   * Σ<sub>j</sub> (−1)<sup>j</sup> · C(d,j) · (1 − j/m)<sup>kn</sup>, with the Stirling numbers of
   * the second kind S(k,d) and the falling factorials (m)<sub>d</sub>. The terms of the sum largely
   * cancel each other, so the sum is computed in decimal arithmetic with enough digits for the
   * accuracy of a double. If k·n · min(m, k·n) is at most 20,000, the result is computed from
   * {@linkplain #distributionOfSetPositions the distribution of X} instead. Costs up to some
   * milliseconds; the cost grows with k.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, from 1 to {@link FlatShape#MAX_HASHES}
   */
  public static double exactFpp(long elements, long positions, int hashes) {
    FormulaArguments.checkFilter(elements, positions, hashes);
    if (hashes > FlatShape.MAX_HASHES) {
      throw new IllegalArgumentException(
          "hashes must be at most " + FlatShape.MAX_HASHES + ", got " + hashes);
    }
    if (elements == 0) {
      return 0;
    }
    long totalHashes = FormulaArguments.totalHashes(elements, hashes);
    if (Math.min(positions, totalHashes) <= MAX_OCCUPANCY_STEPS / totalHashes) {
      return new OccupancyDistribution(positions, totalHashes).moment(hashes);
    }
    return ExactFpp.bySum(totalHashes, positions, hashes);
  }

  /**
   * Returns approximately the false-positive rate that 64-bit hashes alone cause,
   * 3n/2<sup>63</sup>. No number of positions lowers this rate. The other formulas do not include
   * it, because it is small: 3·10<sup>-13</sup> for a million elements.
   *
   * <p>The derivation of positions uses 63 bits of a hash. So with probability n/2<sup>63</sup>, an
   * absent element agrees with one of the n elements in these bits, and thus in all positions.
   * There are two more cases: the sequence of positions of an absent element is that of one of the
   * n elements, shifted by i places forwards or backwards. For each i, each case has the
   * probability n/2<sup>63</sup>. In a half-full filter, the i positions of the absent element that
   * the stored element does not have are all set with probability 2<sup>-i</sup>. Summed over i,
   * each of the two cases thus adds n/2<sup>63</sup> to the rate.
   *
   * @param elements n, at least 0
   */
  public static double hashFloor(long elements) {
    Arguments.checkAtLeast(0, elements, "elements");
    return elements * 0x3p-63;
  }

  /**
   * Returns the exact distribution of the number of set positions X. Intended for small filters:
   * takes up to k·n·min(m, k·n) steps and an array of min(m, k·n) + 1 numbers.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   * @return P(X = x) at index x, for x from 0 to min(m, k·n)
   */
  public static double[] distributionOfSetPositions(long elements, int positions, int hashes) {
    FormulaArguments.checkFilter(elements, positions, hashes);
    long totalHashes = FormulaArguments.totalHashes(elements, hashes);
    return new OccupancyDistribution(positions, totalHashes).probabilities();
  }

  /**
   * Returns the false-positive probability of a filter with X set positions: (X/m)<sup>k</sup>.
   *
   * @param setPositions X, from 0 to m
   * @param positions m, at least 1
   * @param hashes k, at least 1
   */
  public static double fppAtFill(long setPositions, long positions, int hashes) {
    FormulaArguments.checkSet(setPositions, positions);
    Arguments.checkAtLeast(1, hashes, "hashes");
    return StrictMath.pow((double) setPositions / positions, hashes);
  }

  /**
   * Returns the largest number of set positions X at which the false-positive probability {@link
   * #fppAtFill} is at most ε.
   *
   * @param positions m, at least 1
   * @param hashes k, at least 1
   * @param fpp ε, in (0, 1)
   */
  public static long fillAtFpp(long positions, int hashes, double fpp) {
    Arguments.checkAtLeast(1, positions, "positions");
    Arguments.checkAtLeast(1, hashes, "hashes");
    Arguments.checkFraction(fpp, "fpp");
    long set = (long) Math.floor(positions * StrictMath.pow(fpp, 1.0 / hashes));
    // The root is rounded, so the last unit is settled by fppAtFill itself.
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
    FormulaArguments.checkFilter(elements, positions, hashes);
    return positions * expectedFillRatio((double) elements * hashes, positions);
  }

  /**
   * Returns the mean number of positions that a query of an absent element reads if it stops at the
   * first position that is not set: 1 + p + … + p<sup>k − 1</sup>, where p is the mean of the fill
   * ratio X/m. The result is about 2 if half of the positions are set, and k if all are set.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   */
  public static double expectedProbesOfAbsent(long elements, long positions, int hashes) {
    FormulaArguments.checkFilter(elements, positions, hashes);
    double fill = expectedFillRatio((double) elements * hashes, positions);
    double probes = 0;
    for (int i = 0; i < hashes; i++) {
      probes = 1 + fill * probes;
    }
    return probes;
  }

  /**
   * Returns the exact variance of the number of set positions X: m·q₁ + m·(m − 1)·q₂ − m²·q₁²,
   * where q₁ = (1 − 1/m)<sup>kn</sup> and q₂ = (1 − 2/m)<sup>kn</sup> (the classical occupancy
   * problem; N. Johnson, S. Kotz, <i>Urn models</i>, 1977, section 3.1).
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   */
  public static double varianceOfSetPositions(long elements, long positions, int hashes) {
    FormulaArguments.checkFilter(elements, positions, hashes);
    long totalHashes = FormulaArguments.totalHashes(elements, hashes);
    if (positions == 1 || totalHashes <= 1) {
      return 0;
    }
    BigDecimal m = BigDecimal.valueOf(positions);
    BigDecimal q1 = ExactFpp.missProbability(1, positions, totalHashes, VARIANCE_CONTEXT);
    BigDecimal q2 = ExactFpp.missProbability(2, positions, totalHashes, VARIANCE_CONTEXT);
    BigDecimal unset = m.multiply(q1);
    BigDecimal pairsUnset = m.multiply(m.subtract(BigDecimal.ONE)).multiply(q2);
    return Math.max(0, unset.add(pairsUnset).subtract(unset.multiply(unset)).doubleValue());
  }

  /**
   * Returns the estimated number of distinct elements in a filter with X set positions: ln(1 − X/m)
   * / (k · ln(1 − 1/m)) (S. Swamidass, P. Baldi, <i>Mathematical correction for fingerprint
   * similarity measures</i>, 2007).
   *
   * @param setPositions X, from 0 to m
   * @param positions m, at least 1
   * @param hashes k, at least 1
   * @return n, or positive infinity if every position is set
   */
  public static double estimatedElements(long setPositions, long positions, int hashes) {
    FormulaArguments.checkSet(setPositions, positions);
    Arguments.checkAtLeast(1, hashes, "hashes");
    if (setPositions == positions) {
      return Double.POSITIVE_INFINITY;
    }
    double m = positions;
    return setPositions == 0
        ? 0
        : StrictMath.log1p(-setPositions / m) / (hashes * StrictMath.log1p(-1 / m));
  }

  /**
   * Returns the expected number of 4-bit counters that overflow when each of n distinct elements is
   * added c times: m · P(c · Y > 15). Y has the binomial distribution of k·n trials with the
   * success probability 1/m. A counter overflows when its count exceeds 15. If two of the k
   * positions of an element are equal, an addition increments the counter at this position twice.
   *
   * <p>If c = 1 and half of all counters are non-zero, the result is 7.1·10<sup>-17</sup> · m. The
   * upper bound in <i>Summary cache</i> (L. Fan, P. Cao, J. Almeida, A. Broder, 2000, section V.C)
   * is 1.37·10<sup>-15</sup> · m.
   *
   * @param elements n, at least 0
   * @param positions m, at least 1
   * @param hashes k, at least 1
   * @param copies c, the number of additions of each element, at least 1
   */
  public static double expectedOverflowedCounters(
      long elements, long positions, int hashes, long copies) {
    FormulaArguments.checkFilter(elements, positions, hashes);
    Arguments.checkAtLeast(1, copies, "copies");
    long derived = elements > Long.MAX_VALUE / hashes ? Long.MAX_VALUE : elements * hashes;
    return positions
        * CounterOverflow.probability(derived, StrictMath.log1p(-1.0 / positions), copies);
  }

  /** E[X/m] = 1 − (1 − 1/m)^(kn). */
  static double expectedFillRatio(double totalHashes, long positions) {
    return totalHashes == 0
        ? 0
        : -StrictMath.expm1(totalHashes * StrictMath.log1p(-1.0 / positions));
  }

  /**
   * Returns the false-positive probability planned for layer i of a growing filter: ε · (1 − r) ·
   * r<sup>i</sup>. The sum over infinitely many layers is ε (P. Almeida, C. Baquero, N. Preguiça,
   * D. Hutchison, <i>Scalable Bloom filters</i>, 2007, section 4).
   *
   * @param fpp ε, the probability of the whole filter, in (0, 1)
   * @param tighteningRatio r, in (0, 1)
   * @param layer i, from 0 for the oldest layer
   */
  public static double layerFpp(double fpp, double tighteningRatio, int layer) {
    Arguments.checkFraction(fpp, "fpp");
    Arguments.checkFraction(tighteningRatio, "tighteningRatio");
    Arguments.checkAtLeast(0, layer, "layer");
    return fpp * (1 - tighteningRatio) * StrictMath.pow(tighteningRatio, layer);
  }

  /**
   * Returns the false-positive probability of a layered filter, in which a query is positive if it
   * is positive in any layer: 1 − Π(1 − pᵢ).
   *
   * @param layerFpps pᵢ, the probability of each layer, from 0 to 1
   * @return the probability; 0 if there are no layers
   */
  public static double compoundFpp(double... layerFpps) {
    Objects.requireNonNull(layerFpps, "layerFpps");
    double logOfNone = 0;
    for (double p : layerFpps) {
      if (!(p >= 0 && p <= 1)) {
        throw new IllegalArgumentException("layerFpps must be in [0, 1], got " + p);
      }
      logOfNone += StrictMath.log1p(-p);
    }
    return Math.abs(StrictMath.expm1(logOfNone)); // not −0 if all are 0
  }
}
