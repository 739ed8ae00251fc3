package io.bloomkit.cli.experiment;

import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.Interval;

/**
 * A measured rate and its prediction.
 *
 * @param positives the number of positive queries
 * @param queries the number of queries
 * @param expected the rate that a formula predicts
 */
public record Rate(long positives, long queries, double expected) {
  private static final double CONFIDENCE = 0.999;

  /** Returns the measured rate; 0 without queries. */
  public double measured() {
    return queries == 0 ? 0 : (double) positives / queries;
  }

  /** Returns the exact 99.9 % interval of Clopper and Pearson; [0, 1] without queries. */
  public Interval interval() {
    return queries == 0
        ? new Interval(0, 1)
        : Binomial.confidenceInterval(positives, queries, CONFIDENCE);
  }

  /** Returns whether the prediction is in the interval. */
  public boolean isAsExpected() {
    return interval().contains(expected);
  }
}
