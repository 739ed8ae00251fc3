package io.bloomkit.flink;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.apache.flink.metrics.reporter.Scheduled;

/** Prints a line of the metrics of all deduplicating tasks, every two seconds. */
public final class ProgressReporter implements MetricReporter, Scheduled {

  private static final Set<String> NAMES =
      Set.of("repeats", "late", "tooFarAhead", "liveElements", "falsePositiveRate", "filterBytes");

  private final Map<Metric, String> metrics = new ConcurrentHashMap<>();

  /** The last line, for tests. */
  static volatile String lastLine = "";

  /** Found by Flink as a service. */
  public static final class Factory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new ProgressReporter();
    }
  }

  static void addTo(Configuration settings) {
    settings.setString("metrics.reporters", "progress");
    settings.setString("metrics.reporter.progress.factory.class", Factory.class.getName());
    settings.setString("metrics.reporter.progress.interval", "2 s");
  }

  @Override
  public void open(MetricConfig config) {}

  @Override
  public void close() {}

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    if (NAMES.contains(name)) {
      metrics.put(metric, name);
    }
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
    metrics.remove(metric);
  }

  @Override
  public void report() {
    long tasks = metrics.values().stream().filter("filterBytes"::equals).count();
    if (tasks > 0) {
      lastLine =
          String.format(
              Locale.ROOT,
              "%d tasks: %,.0f repeats dropped, %,.0f ids remembered, %,.0f kB, rate %.4f %%,"
                  + " %.0f late, %.0f too far ahead",
              tasks,
              sum("repeats"),
              sum("liveElements"),
              sum("filterBytes") / 1e3,
              100 * sum("falsePositiveRate") / tasks,
              sum("late"),
              sum("tooFarAhead"));
      System.out.println(lastLine);
    }
  }

  private double sum(String name) {
    double sum = 0;
    for (Map.Entry<Metric, String> entry : metrics.entrySet()) {
      if (entry.getValue().equals(name)) {
        sum += valueOf(entry.getKey());
      }
    }
    return sum;
  }

  private static double valueOf(Metric metric) {
    if (metric instanceof Counter counter) {
      return counter.getCount();
    }
    return metric instanceof Gauge<?> gauge && gauge.getValue() instanceof Number number
        ? number.doubleValue()
        : 0;
  }
}
