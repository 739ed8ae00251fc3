package io.bloomkit;

import io.bloomkit.internal.Arguments;
import java.util.Objects;

/**
 * The formulas of growing filters, which consist of layers. Each formula from a paper names its
 * source. The symbols and the argument checks are those of {@link BloomFormulas}.
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
}
