package io.bloomkit.bench.run;

import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import java.util.stream.DoubleStream;

/** A median, with the smallest and the largest value. */
public record Figure(double median, double min, double max) {

  /** Returns the figure of any number of values, at least one. */
  public static Figure of(Collection<Double> values) {
    DoubleSummaryStatistics all =
        values.stream().mapToDouble(Double::doubleValue).summaryStatistics();
    double median = median(values.stream().mapToDouble(Double::doubleValue));
    return new Figure(median, all.getMin(), all.getMax());
  }

  /** Returns the median of at least one value. */
  static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
  }

  /** Returns the median and the range as text. */
  public String asRatio() {
    return String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", median, min, max);
  }
}
