package io.bloomkit.bench;

import io.bloomkit.bench.run.Figure;
import io.bloomkit.bench.run.Metrics;
import io.bloomkit.bench.run.Operation;
import io.bloomkit.bench.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A Markdown table of the figures of filters. The first row is the measure of the others: a time of
 * another row is followed by its ratio to that of the first row in the same round.
 */
final class ResultTable {

  private final List<Run> runs;

  /** The figures of each row, by metric and round. */
  private final List<Map<String, List<Double>>> rows;

  ResultTable(List<Run> runs) {
    this.runs = List.copyOf(runs);
    this.rows = runs.stream().<Map<String, List<Double>>>map(run -> new TreeMap<>()).toList();
  }

  /** Adds the metrics of a round to a row. Each round adds to all rows. */
  void add(int row, Map<String, Double> metrics) {
    metrics.forEach(
        (metric, value) ->
            rows.get(row).computeIfAbsent(metric, key -> new ArrayList<>()).add(value));
  }

  @Override
  public String toString() {
    Run first = runs.get(0);
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%,d %s at %s; nanoseconds per operation; after them, the ratio to the first row, with"
                + " the smallest and the largest of a round%n%n",
            first.elements(),
            first.keys().name().toLowerCase(Locale.ROOT),
            first.fpp()));
    text.append("| filter | threads | fpp measured, % | bits, mean from n/10 to n | bits, full");
    for (Operation operation : Operation.values()) {
      text.append(" | ").append(operation.label);
    }
    text.append(" |\n").append("|---".repeat(5 + Operation.values().length)).append("|\n");
    for (int row = 0; row < runs.size(); row++) {
      text.append("| ").append(runs.get(row).subject().label);
      text.append(" | ").append(runs.get(row).threads());
      text.append(" | ").append(number(row, Metrics.FPP, 100));
      text.append(" | ").append(number(row, Metrics.GROWING_BITS, 1));
      text.append(" | ").append(number(row, Metrics.BITS, 1));
      for (Operation operation : Operation.values()) {
        text.append(" | ").append(number(row, operation.time(), 1)).append(ratio(row, operation));
      }
      text.append(" |\n");
    }
    return text.toString();
  }

  private String number(int row, String metric, double factor) {
    List<Double> values = rows.get(row).get(metric);
    return values == null
        ? ""
        : String.format(Locale.ROOT, "%.3g", factor * Figure.of(values).median());
  }

  /** Returns the ratio to the first row. A batch is compared with single keys of the first row. */
  private String ratio(int row, Operation operation) {
    List<Double> times = rows.get(row).get(operation.time());
    List<Double> measure = rows.get(0).get(operation.single().time());
    if (times == null || measure == null || row == 0 && !operation.isBatch()) {
      return "";
    }
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < Math.min(times.size(), measure.size()); round++) {
      ratios.add(times.get(round) / measure.get(round));
    }
    return "; " + Figure.of(ratios).asRatio();
  }
}
