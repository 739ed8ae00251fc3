package io.bloomkit.bench.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Passes figures that a benchmark has measured itself to JMH by name, since there are too many
 * figures for auxiliary counters.
 */
public final class Metrics implements InternalProfiler {

  /** The false-positive rate. */
  public static final String FPP = "FPP";

  /** The size of the full filter, in bits per element. */
  public static final String BITS = "BITS";

  /** The mean size while the filter grows from a tenth of the elements, in bits per element. */
  public static final String GROWING_BITS = "GROWING_BITS";

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

  /** Returns the medians of all iterations of a fork, by metric. */
  public static Map<String, Double> mediansOf(RunResult fork) {
    Map<String, DoubleStream.Builder> values = new TreeMap<>();
    for (BenchmarkResult result : fork.getBenchmarkResults()) {
      for (IterationResult iteration : result.getIterationResults()) {
        iteration
            .getSecondaryResults()
            .forEach(
                (metric, value) ->
                    values
                        .computeIfAbsent(metric, key -> DoubleStream.builder())
                        .add(value.getScore()));
      }
    }
    Map<String, Double> medians = new TreeMap<>();
    values.forEach((metric, all) -> medians.put(metric, Figure.median(all.build())));
    return medians;
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
