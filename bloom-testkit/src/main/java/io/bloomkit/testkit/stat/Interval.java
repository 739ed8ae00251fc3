package io.bloomkit.testkit.stat;

/**
 * A closed interval of probabilities, such as a confidence interval.
 *
 * @param lower the lower end
 * @param upper the upper end, at least {@code lower}
 */
public record Interval(double lower, double upper) {

  /**
   * Creates an interval.
   *
   * @throws IllegalArgumentException if {@code lower} is above {@code upper}, or one of them is NaN
   */
  public Interval {
    if (!(lower <= upper)) {
      throw new IllegalArgumentException(
          "lower must be at most upper, got " + lower + ", and upper " + upper);
    }
  }

  /** Returns whether a value lies in this interval, its ends included. */
  public boolean contains(double value) {
    return lower <= value && value <= upper;
  }
}
