package io.bloomkit.bench.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Passes figures that a benchmark has measured itself to JMH by name, since there are too many
 * figures for auxiliary counters.
 */
public final class Metrics implements InternalProfiler {

  /** The false-positive rate. */
  public static final String ERROR = "ERROR";

  /** The size of the filter in bits. */
  public static final String BITS = "BITS";

  private static final Map<String, Double> OF_ITERATION = new TreeMap<>();

  /** Sets a metric of this iteration. */
  static void set(String metric, double value) {
    OF_ITERATION.put(metric, value);
  }

  /** Removes all metrics. */
  static void beginIteration() {
    OF_ITERATION.clear();
  }

  /** Returns the metrics of this iteration, by name. */
  static Map<String, Double> ofIteration() {
    return new TreeMap<>(OF_ITERATION);
  }

  @Override
  public String getDescription() {
    return "figures that a benchmark has measured itself";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    beginIteration();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    Collection<Result<?>> results = new ArrayList<>();
    OF_ITERATION.forEach(
        (metric, value) -> results.add(new ScalarResult(metric, value, "", AggregationPolicy.AVG)));
    return results;
  }
}
