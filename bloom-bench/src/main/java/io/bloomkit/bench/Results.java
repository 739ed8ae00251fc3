package io.bloomkit.bench;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The figures of JMH's file: one fork a round and run. */
final class Results {

  private final String machine;
  private final Map<Run, Map<String, List<double[]>>> forks;

  private Results(String machine, Map<Run, Map<String, List<double[]>>> forks) {
    this.machine = machine;
    this.forks = forks;
  }

  /**
   * Reads what JMH has written.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if it has no results in it
   */
  static Results read(Path json) throws IOException {
    Map<Run, Map<String, List<double[]>>> forks = new LinkedHashMap<>();
    String machine = "";
    for (JsonElement element : JsonParser.parseString(Files.readString(json)).getAsJsonArray()) {
      JsonObject result = element.getAsJsonObject();
      machine =
          result.get("vmName").getAsString()
              + " "
              + result.get("vmVersion").getAsString()
              + ", JMH "
              + result.get("jmhVersion").getAsString();
      Map<String, List<double[]>> metrics =
          forks.computeIfAbsent(run(result), key -> new TreeMap<>());
      for (Map.Entry<String, JsonElement> metric :
          result.getAsJsonObject("secondaryMetrics").entrySet()) {
        List<double[]> values = metrics.computeIfAbsent(metric.getKey(), key -> new ArrayList<>());
        for (JsonElement fork : metric.getValue().getAsJsonObject().getAsJsonArray("rawData")) {
          values.add(
              fork.getAsJsonArray().asList().stream()
                  .mapToDouble(JsonElement::getAsDouble)
                  .toArray());
        }
      }
    }
    if (forks.isEmpty()) {
      throw new IllegalArgumentException("there are no results in " + json);
    }
    return new Results(machine, forks);
  }

  private static Run run(JsonObject result) {
    String method = result.get("benchmark").getAsString();
    String type = method.substring(0, method.lastIndexOf('.'));
    JsonObject parameters = result.getAsJsonObject("params");
    return new Run(
        type.substring(type.lastIndexOf('.') + 1),
        Subject.valueOf(parameters.get("subject").getAsString()),
        parameters.has("keys") ? Keys.valueOf(parameters.get("keys").getAsString()) : Keys.LONGS,
        parameters.get("elements").getAsInt(),
        parameters.get("fpp").getAsDouble(),
        parameters.has("threads") ? parameters.get("threads").getAsInt() : 1,
        parameters.has("strategies") ? parameters.get("strategies").getAsInt() : 1);
  }

  /** Returns the virtual machine and the version of JMH. */
  String machine() {
    return machine;
  }

  /** Returns the most rounds that a run had. */
  int rounds() {
    return forks.values().stream()
        .flatMap(metrics -> metrics.values().stream())
        .mapToInt(List::size)
        .max()
        .orElseThrow();
  }

  /** Returns all runs, by the order of subjects. */
  Stream<Run> runs() {
    return forks.keySet().stream()
        .sorted(
            Comparator.comparing(Run::subject).thenComparing(Run::fpp, Comparator.reverseOrder()));
  }

  /** Returns a metric of a run; nothing if it was not measured. */
  Optional<Figure> figure(Run run, String metric) {
    Collection<double[]> values = values(run, metric);
    return values.isEmpty() ? Optional.empty() : Optional.of(Figure.ofForks(values));
  }

  /** Returns the bits that an element takes. */
  Optional<Double> bitsPerElement(Run run) {
    return figure(run, Metrics.BITS).map(bits -> bits.median() / run.elements());
  }

  /**
   * Returns one metric as a part of another, of the same round each, so that a machine which is
   * slow for a while does not count; nothing if either was not measured.
   */
  Optional<Figure> ratio(Run run, String metric, Run base, String baseMetric) {
    List<double[]> above = values(run, metric);
    List<double[]> below = values(base, baseMetric);
    int rounds = Math.min(above.size(), below.size());
    return rounds == 0
        ? Optional.empty()
        : Optional.of(
            Figure.ofForks(
                IntStream.range(0, rounds)
                    .mapToObj(
                        i ->
                            new double[] {
                              Figure.median(Arrays.stream(above.get(i)))
                                  / Figure.median(Arrays.stream(below.get(i)))
                            })
                    .toList()));
  }

  /**
   * Returns the run of a filter with the keys of a peer, of all errors it was made for, whose
   * metric comes nearest to that of the peer; if there is none, the one made for the same error.
   */
  Run nearest(Subject subject, Run peer, String metric) {
    double wanted = figure(peer, metric).map(Figure::median).orElse(Double.NaN);
    return runs()
        .filter(run -> run.isPlain() && run.subject() == subject && run.hasKeysOf(peer))
        .min(
            Comparator.comparingDouble(
                run -> Math.abs(figure(run, metric).orElseThrow().median() - wanted)))
        .orElse(peer.with(subject));
  }

  private List<double[]> values(Run run, String metric) {
    return forks.getOrDefault(run, Map.of()).getOrDefault(metric, List.of());
  }
}
