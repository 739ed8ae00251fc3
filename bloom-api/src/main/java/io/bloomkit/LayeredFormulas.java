package io.bloomkit;

import io.bloomkit.internal.Arguments;
import java.util.Objects;

/**
 * The formulas of growing filters, which consist of layers, and of aging filters, which consist of
 * slices. Each formula from a paper names its source. The symbols and the argument checks are those
 * of {@link BloomFormulas}.
 */
public final class LayeredFormulas {

  private LayeredFormulas() {}

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

  /**
   * Returns the false-positive probability of an age-partitioned filter whose slices have the fill
   * ratios rᵢ. An element has one position in each slice, and hits a slice if this position is set.
   * The result is the probability that an absent element hits k consecutive slices. It is exact if
   * the slices are hit independently of each other.
   *
   * <p>Source: A. Shtul, C. Baquero, P. Almeida, <i>Age-partitioned Bloom filters</i>, 2020, with
   * the recursion F(a, i) = rᵢ · F(a + 1, i + 1) + (1 − rᵢ) · F(0, i + 1). F(a, i) is the
   * probability that a query is positive, given that the run of hits just before slice i has the
   * length a. Therefore F(k, i) = 1 and F(a, S) = 0 for all {@code a < k}, where S is the number of
   * slices. The result is F(0, 0). It is linear in each rᵢ. So if the fill ratios are random and
   * independent, this method, called with their mean values, returns the mean of the probability.
   *
   * @param hashes k, at least 1
   * @param fillRatios rᵢ, the fill ratio of each slice, from 0 to 1, ordered by age; ascending and
   *     descending order give the same result
   * @return the probability; 0 if there are fewer than k slices
   */
  public static double agePartitionedFpp(int hashes, double... fillRatios) {
    Arguments.checkAtLeast(1, hashes, "hashes");
    Objects.requireNonNull(fillRatios, "fillRatios");
    // At index a: P(no k hits in a row yet, and exactly the last a slices were hit).
    double[] runs = new double[hashes];
    runs[0] = 1;
    double positive = 0;
    for (double r : fillRatios) {
      if (!(r >= 0 && r <= 1)) {
        throw new IllegalArgumentException("fillRatios must be in [0, 1], got " + r);
      }
      positive += runs[hashes - 1] * r;
      double missed = 0;
      for (int a = hashes - 1; a > 0; a--) {
        missed += runs[a];
        runs[a] = runs[a - 1] * r;
      }
      runs[0] = (missed + runs[0]) * (1 - r);
    }
    return Math.min(1, positive);
  }

  /**
   * Returns the mean fill ratios of the slices of an age-partitioned filter at the end of a
   * generation, when its false-positive probability is highest. In a generation, g elements are
   * added, each to the k youngest slices. After a generation, the oldest slice is cleared and
   * becomes the youngest. The formula assumes that the filter has run for at least as many
   * generations as it has slices. Just before the clearing, the slice of age i, from 0 for the
   * youngest, holds the elements of min(i + 1, k) generations, so its mean fill ratio is 1 − (1 −
   * 1/s)<sup>g · min(i + 1, k)</sup>.
   *
   * @param hashes k, at least 1
   * @param slices the number of slices, at least k
   * @param slicePositions s, the number of positions of a slice, at least 1
   * @param generationElements g, the number of distinct elements of a generation, at least 0
   * @return the mean fill ratio of each slice, the youngest first
   */
  public static double[] agePartitionedFillRatios(
      int hashes, int slices, long slicePositions, long generationElements) {
    FormulaArguments.checkFilter(generationElements, slicePositions, hashes);
    Arguments.checkAtLeast(hashes, slices, "slices");
    double[] fillRatios = new double[slices];
    for (int i = 0; i < slices; i++) {
      fillRatios[i] =
          BloomFormulas.expectedFillRatio(
              (double) generationElements * Math.min(i + 1, hashes), slicePositions);
    }
    return fillRatios;
  }
}
