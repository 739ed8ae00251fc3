package io.bloomkit.cli.experiment;

import io.bloomkit.testkit.stat.Binomial;
import io.bloomkit.testkit.stat.Interval;

/**
 * The measured false-positive rate of a filter.
 *
 * @param falsePositives how many queries were positive
 * @param absent how many were asked
 */
public record MeasuredRate(long falsePositives, long absent) {

  private static final double CONFIDENCE = 0.999;

  public double value() {
    return absent == 0 ? 0 : (double) falsePositives / absent;
  }

  /**
   * Returns the exact 99.9 % interval of Clopper and Pearson; all of [0, 1] if nothing was asked.
   */
  public Interval interval() {
    if (absent == 0) {
      return new Interval(0, 1);
    }
    return Binomial.confidenceInterval(falsePositives, absent, CONFIDENCE);
  }
}
