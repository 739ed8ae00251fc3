package io.bloomkit.bench;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.bloomkit.bench.run.Figure;
import io.bloomkit.bench.run.Metrics;
import io.bloomkit.bench.run.Operation;
import io.bloomkit.bench.run.PairBenchmark;
import io.bloomkit.bench.subject.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A Markdown table of results.json. A row has the figures of a filter, and the ratios of its times
 * to those of a peer if the two were measured side by side.
 */
final class ResultTable {

  /** The values of all forks with the same parameters, by metric. */
  private final Map<String, Map<String, List<double[]>>> rows = new TreeMap<>();

  private String machine = "";

  static String of(String json) {
    ResultTable table = new ResultTable();
    for (JsonElement result : JsonParser.parseString(json).getAsJsonArray()) {
      table.add(result.getAsJsonObject());
    }
    return table.toString();
  }

  private void add(JsonObject result) {
    machine =
        result.get("vmName").getAsString()
            + " "
            + result.get("vmVersion").getAsString()
            + ", flags "
            + result.getAsJsonArray("jvmArgs")
            + ", JMH "
            + result.get("jmhVersion").getAsString();
    Map<String, List<double[]>> metrics =
        rows.computeIfAbsent(title(result.getAsJsonObject("params")), key -> new TreeMap<>());
    result
        .getAsJsonObject("secondaryMetrics")
        .entrySet()
        .forEach(
            metric -> {
              for (JsonElement fork :
                  metric.getValue().getAsJsonObject().getAsJsonArray("rawData")) {
                List<Double> values = new ArrayList<>();
                fork.getAsJsonArray().forEach(value -> values.add(value.getAsDouble()));
                metrics
                    .computeIfAbsent(metric.getKey(), key -> new ArrayList<>())
                    .add(values.stream().mapToDouble(Double::doubleValue).toArray());
              }
            });
  }

  /** Returns the first cells of a row: the filter, its peer, and the conditions. */
  private static String title(JsonObject parameters) {
    List<String> conditions = new ArrayList<>();
    for (String name : List.of("keys", "elements", "fpp")) {
      conditions.add(parameters.get(name).getAsString().toLowerCase(Locale.ROOT));
    }
    for (String name : List.of("threads", "peerThreads")) {
      if (parameters.get(name).getAsInt() > 1) {
        conditions.add(parameters.get(name).getAsString() + " " + name);
      }
    }
    return label(parameters, "subject")
        + " | "
        + label(parameters, "peer")
        + " | "
        + String.join(", ", conditions);
  }

  private static String label(JsonObject parameters, String name) {
    return Subject.valueOf(parameters.get(name).getAsString()).label;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(machine);
    text.append("\n\n| filter | beside | keys, elements, fpp | fpp measured, % | bits per element");
    for (Operation operation : Operation.values()) {
      text.append(" | ").append(operation.label);
    }
    text.append(" |\n").append("|---".repeat(5 + Operation.values().length)).append("|\n");
    rows.forEach((title, metrics) -> addRow(text, title, metrics));
    return text.append("\nTimes are nanoseconds per operation; after them, the ratio to the peer,")
        .append(" with the smallest and the largest of a process.\n")
        .toString();
  }

  private static void addRow(
      StringBuilder text, String title, Map<String, List<double[]>> metrics) {
    double elements = Double.parseDouble(title.split(", ")[1]);
    text.append("| ").append(title);
    text.append(" | ").append(number(metrics, Metrics.ERROR, 0.01));
    text.append(" | ").append(number(metrics, Metrics.BITS, elements));
    for (Operation operation : Operation.values()) {
      List<double[]> ratio = metrics.get(PairBenchmark.RATIO + operation.time());
      text.append(" | ").append(number(metrics, operation.time(), 1));
      if (ratio != null) {
        text.append("; ").append(Figure.ofForks(ratio).asRatio());
      }
    }
    text.append(" |\n");
  }

  private static String number(Map<String, List<double[]>> metrics, String metric, double unit) {
    List<double[]> forks = metrics.get(metric);
    return forks == null
        ? ""
        : String.format(Locale.ROOT, "%.3g", Figure.ofForks(forks).median() / unit);
  }
}
