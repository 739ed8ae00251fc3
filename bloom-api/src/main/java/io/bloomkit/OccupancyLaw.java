package io.bloomkit;

/**
 * The exact distribution of the number of occupied cells while balls are thrown into m cells, one
 * after another: from x occupied cells a throw leads to x + 1 with probability (m − x)/m. All
 * summands are positive, so nothing cancels; a throw costs as much as there are cells that can be
 * occupied.
 */
final class OccupancyLaw {

  /** Below this, a summand no longer changes a sum of probabilities. */
  private static final double NEGLIGIBLE = 1e-18;

  private final long cells;
  private final double[] probability;
  private long throwsMade;

  OccupancyLaw(long cells, long mostThrows) {
    this.cells = cells;
    this.probability = new double[(int) Math.min(cells, mostThrows) + 1];
    this.probability[0] = 1;
  }

  /** Returns whether that changed the distribution. */
  boolean throwUntil(long throwsInAll) {
    long before = throwsMade;
    while (throwsMade < throwsInAll && !isSaturated()) {
      throwOne();
    }
    return throwsMade > before;
  }

  private void throwOne() {
    throwsMade++;
    for (int x = (int) Math.min(throwsMade, probability.length - 1); x >= 1; x--) {
      probability[x] = (probability[x] * x + probability[x - 1] * (cells - x + 1)) / cells;
    }
    probability[0] = 0;
  }

  /**
   * Returns whether one more throw would not change the distribution noticeably. By then, the mass
   * outside the last two cells is smaller still. Because of rounding, the sum of all may never be
   * exactly 1.
   */
  private boolean isSaturated() {
    int last = probability.length - 1;
    return last == cells
        && probability[last] > 0
        && probability[last - 1] <= NEGLIGIBLE * probability[last];
  }

  /** E[(X/m)^exponent]. */
  double moment(int exponent) {
    double sum = 0;
    for (int x = 1; x < probability.length; x++) {
      sum += probability[x] * StrictMath.pow((double) x / cells, exponent);
    }
    return sum;
  }

  /** P(X = x) at index x. */
  double[] probabilities() {
    return probability.clone();
  }
}
