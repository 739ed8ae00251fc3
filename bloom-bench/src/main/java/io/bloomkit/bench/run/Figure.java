package io.bloomkit.bench.run;

import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * A median, and the least and the most of what it was in a single fork: how far forks differ.
 *
 * @param median of all iterations, or of the ratios of the rounds
 */
public record Figure(double median, double least, double most) {

  /** Returns the figure of forks, each with its iterations. */
  public static Figure ofForks(Collection<double[]> forks) {
    DoubleSummaryStatistics medians =
        forks.stream().mapToDouble(fork -> median(DoubleStream.of(fork))).summaryStatistics();
    double median = median(forks.stream().flatMapToDouble(DoubleStream::of));
    return new Figure(median, medians.getMin(), medians.getMax());
  }

  static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
  }

  /** Returns the largest distance of a fork's median from the median of all. */
  public double error() {
    return Math.max(most - median, median - least);
  }

  /** Returns the median and how far the forks were apart. */
  public String asRatio() {
    return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, least, most);
  }
}
