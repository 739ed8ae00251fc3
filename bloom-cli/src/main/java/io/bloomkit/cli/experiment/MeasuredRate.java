package io.bloomkit.cli.experiment;

import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.Interval;

/**
 * The measured false-positive rate of a filter.
 *
 * @param falsePositives the number of positive queries
 * @param absent the number of queries of absent elements
 */
public record MeasuredRate(long falsePositives, long absent) {

  private static final double CONFIDENCE = 0.999;

  public double value() {
    return absent == 0 ? 0 : (double) falsePositives / absent;
  }

  /** Returns the exact 99.9 % interval of Clopper and Pearson; [0, 1] without queries. */
  public Interval interval() {
    if (absent == 0) {
      return new Interval(0, 1);
    }
    return Binomial.confidenceInterval(falsePositives, absent, CONFIDENCE);
  }
}
