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
 * Hands JMH what a benchmark has measured itself, by name, since there are too many figures for
 * fields.
 */
public final class Metrics implements InternalProfiler {

  /** Wrong answers for absent keys, as a part of them. */
  public static final String ERROR = "ERROR";

  /** The bits of the filter. */
  public static final String BITS = "BITS";

  /** Nanoseconds of one hash. */
  public static final String HASH = "HASH";

  /** Nanoseconds of one read from a place that is known before the last read has ended. */
  public static final String INDEPENDENT_READ = "INDEPENDENT_READ";

  /** Nanoseconds of one read from a place that follows from the last read. */
  public static final String DEPENDENT_READ = "DEPENDENT_READ";

  private static final Map<String, Double> OF_ITERATION = new TreeMap<>();

  /** Says what a metric was in this iteration. */
  static void set(String metric, double value) {
    OF_ITERATION.put(metric, value);
  }

  /** Forgets all metrics. */
  static void beginIteration() {
    OF_ITERATION.clear();
  }

  /** Returns the metrics of this iteration, by name. */
  static Map<String, Double> ofIteration() {
    return new TreeMap<>(OF_ITERATION);
  }

  @Override
  public String getDescription() {
    return "what a benchmark has measured itself";
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
