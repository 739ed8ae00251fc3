package io.bloomkit.bench.run;

import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * A median, with the smallest and the largest median of a single fork.
 *
 * @param median the median of all iterations, or of the ratios of all rounds
 * @param least the smallest median of a fork
 * @param most the largest median of a fork
 */
public record Figure(double median, double least, double most) {

  /** Returns the figure of forks, each given by the values of its iterations. */
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

  /** Returns the median and the range of the forks' medians as text. */
  public String asRatio() {
    return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, least, most);
  }
}
