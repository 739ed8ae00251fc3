package io.bloomkit;

/**
 * The exact distribution of the number of occupied cells while balls are thrown into m cells, one
 * after another. With x occupied cells, a throw occupies one more with probability (m − x)/m. All
 * summands are positive, so there is no cancellation. The cost of a throw is proportional to the
 * number of cells that can be occupied.
 */
final class OccupancyDistribution {

  /** A smaller summand does not noticeably change a sum of probabilities. */
  private static final double NEGLIGIBLE = 1e-18;

  private final long cells;
  private final double[] probability;

  /** Computes the distribution after a number of balls was thrown. */
  OccupancyDistribution(long cells, long balls) {
    this.cells = cells;
    this.probability = new double[(int) Math.min(cells, balls) + 1];
    this.probability[0] = 1;
    for (long thrown = 1; thrown <= balls && !isSaturated(); thrown++) {
      for (int x = (int) Math.min(thrown, probability.length - 1); x >= 1; x--) {
        probability[x] = (probability[x] * x + probability[x - 1] * (cells - x + 1)) / cells;
      }
      probability[0] = 0;
    }
  }

  /**
   * Returns whether one more throw would not noticeably change the distribution. By then, the
   * probability of fewer than m − 1 occupied cells is even smaller than that of m − 1. The test
   * does not compare with 1, because rounding may keep the sum of all probabilities from reaching
   * it.
   */
  private boolean isSaturated() {
    int last = probability.length - 1;
    return last == cells
        && probability[last] > 0
        && probability[last - 1] <= NEGLIGIBLE * probability[last];
  }

  /** Returns E[(X/m)^exponent]. */
  double moment(int exponent) {
    double sum = 0;
    for (int x = 1; x < probability.length; x++) {
      sum += probability[x] * StrictMath.pow((double) x / cells, exponent);
    }
    return sum;
  }

  /** Returns P(X = x) at index x. */
  double[] probabilities() {
    return probability;
  }
}
