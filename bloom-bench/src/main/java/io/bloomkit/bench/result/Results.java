package io.bloomkit.bench.result;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.bloomkit.bench.run.Conditions;
import io.bloomkit.bench.run.Duel;
import io.bloomkit.bench.run.Figure;
import io.bloomkit.bench.run.Keys;
import io.bloomkit.bench.run.Life;
import io.bloomkit.bench.run.Metrics;
import io.bloomkit.bench.run.Operation;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The figures of JMH's result file, with one fork per round and per run or pair of runs. */
final class Results {

  /** Two filters that were measured side by side. */
  private record Pair(Run run, Run peer) {}

  /** Figures by name, with the values of all iterations for each fork. */
  private static final class Forks {
    private final Map<String, List<double[]>> values = new TreeMap<>();

    void add(String metric, double[] fork) {
      values.computeIfAbsent(metric, key -> new ArrayList<>()).add(fork);
    }

    List<double[]> of(String metric) {
      return values.getOrDefault(metric, List.of());
    }

    int count() {
      return values.values().stream().mapToInt(List::size).max().orElse(0);
    }
  }

  private static final Pattern BUILD = Pattern.compile("[+-]");
  private static final Forks NONE = new Forks();

  /** The relative difference up to which metrics count as alike. */
  private static final double ALIKE = 1 / 20.0;

  private static final int DEVIATIONS = 3;

  private final Map<Run, Forks> runs = new LinkedHashMap<>();
  private final Map<Run, Forks> alone = new LinkedHashMap<>();
  private final Map<Pair, Forks> pairs = new LinkedHashMap<>();
  private String machine = "";
  private String javaVersion = "";
  private @Nullable Set<String> flags;

  private Results() {}

  /**
   * Reads a result file of JMH.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the file contains no results
   */
  static Results read(Path json) throws IOException {
    Results results = new Results();
    for (JsonElement element : JsonParser.parseString(Files.readString(json)).getAsJsonArray()) {
      results.add(element.getAsJsonObject());
    }
    if (results.runs.isEmpty() && results.pairs.isEmpty()) {
      throw new IllegalArgumentException("no results in " + json);
    }
    return results;
  }

  private void add(JsonObject result) {
    machine =
        result.get("vmName").getAsString()
            + " "
            + result.get("vmVersion").getAsString()
            + ", JMH "
            + result.get("jmhVersion").getAsString();
    javaVersion = BUILD.split(result.get("vmVersion").getAsString(), 2)[0];
    JsonObject parameters = result.getAsJsonObject("params");
    if (!hasUsualFlags(parameters)) {
      addFlags(result);
    }
    Run run = run(result.get("benchmark").getAsString(), parameters);
    Run peer = parameters.has("peer") ? peer(run, parameters) : null;
    result
        .getAsJsonObject("secondaryMetrics")
        .entrySet()
        .forEach(
            metric -> {
              for (JsonElement fork :
                  metric.getValue().getAsJsonObject().getAsJsonArray("rawData")) {
                double[] iterations =
                    fork.getAsJsonArray().asList().stream()
                        .mapToDouble(JsonElement::getAsDouble)
                        .toArray();
                add(run, peer, metric.getKey(), iterations);
              }
            });
  }

  private void add(Run run, @Nullable Run peer, String metric, double[] fork) {
    if (metric.startsWith(Duel.RATIO)) {
      forks(pairs, new Pair(run, peer)).add(metric.substring(Duel.RATIO.length()), fork);
    } else if (!metric.startsWith(Duel.PEER)) {
      forks(runs, run).add(metric, fork);
      if (peer == null) {
        forks(alone, run).add(metric, fork);
      }
    } else if (!run.equals(peer)) {
      forks(runs, peer).add(metric.substring(Duel.PEER.length()), fork);
    }
  }

  private void addFlags(JsonObject result) {
    Set<String> own = new LinkedHashSet<>();
    result.getAsJsonArray("jvmArgs").forEach(flag -> own.add(flag.getAsString()));
    if (flags == null) {
      flags = own;
    } else {
      flags.retainAll(own);
    }
  }

  private static <K> Forks forks(Map<K, Forks> map, K key) {
    return map.computeIfAbsent(key, absent -> new Forks());
  }

  private static Run run(String method, JsonObject parameters) {
    String type = method.substring(0, method.lastIndexOf('.'));
    String name = type.substring(type.lastIndexOf('.') + 1);
    return new Run(
        parameters.has("peer") ? Life.class.getSimpleName() : name,
        Subject.valueOf(parameters.get("subject").getAsString()),
        parameters.has("keys") ? Keys.valueOf(parameters.get("keys").getAsString()) : Keys.LONGS,
        parameters.get("elements").getAsInt(),
        parameters.get("fpp").getAsDouble(),
        new Conditions(
            count(parameters, "threads"),
            count(parameters, "strategies"),
            count(parameters, "kinds"),
            hasUsualFlags(parameters)));
  }

  private static int count(JsonObject parameters, String name) {
    return parameters.has(name) ? parameters.get(name).getAsInt() : 1;
  }

  private static boolean hasUsualFlags(JsonObject parameters) {
    return parameters.has("usualFlags") && parameters.get("usualFlags").getAsBoolean();
  }

  private static Run peer(Run run, JsonObject parameters) {
    return Run.life(
            Subject.valueOf(parameters.get("peer").getAsString()),
            run.keys(),
            run.elements(),
            parameters.get("peerFpp").getAsDouble())
        .with(
            new Conditions(
                count(parameters, "peerThreads"),
                1,
                count(parameters, "peerKinds"),
                hasUsualFlags(parameters)));
  }

  /** Returns the virtual machine and the version of JMH. */
  String machine() {
    return machine;
  }

  /** Returns the version of Java without the build number. */
  String javaVersion() {
    return javaVersion;
  }

  /** Returns the flags of the virtual machines, except those with the usual flags. */
  String flags() {
    return flags == null ? "" : String.join(" ", flags);
  }

  /** Returns the largest number of processes of any measurement. */
  int processes() {
    Collection<Forks> all = pairs.isEmpty() ? runs.values() : pairs.values();
    return all.stream().mapToInt(Forks::count).max().orElseThrow();
  }

  /** Returns all runs in the order of their subjects. */
  Stream<Run> runs() {
    return runs.keySet().stream()
        .sorted(
            Comparator.comparing(Run::subject).thenComparing(Run::fpp, Comparator.reverseOrder()));
  }

  /** Returns a metric of a run, or an empty result if it was not measured. */
  Optional<Figure> figure(Run run, String metric) {
    return figure(runs.getOrDefault(run, NONE).of(metric));
  }

  /**
   * Returns a metric of a run without another filter, or an empty result if there was no such run.
   */
  Optional<Figure> figureAlone(Run run, String metric) {
    return figure(alone.getOrDefault(run, NONE).of(metric));
  }

  private static Optional<Figure> figure(List<double[]> forks) {
    return forks.isEmpty() ? Optional.empty() : Optional.of(Figure.ofForks(forks));
  }

  /** Returns the number of bits per element. */
  Optional<Double> bitsPerElement(Run run) {
    return figure(run, Metrics.BITS).map(bits -> bits.median() / run.elements());
  }

  /**
   * Returns the ratio of the time of an operation to that of a peer measured side by side, or an
   * empty result if they were not measured side by side.
   */
  Optional<Figure> ratio(Run run, Operation operation, Run peer) {
    return figure(pairs.getOrDefault(new Pair(run, peer), NONE).of(operation.time()));
  }

  /** Returns the peers with which a run was measured side by side. */
  Stream<Run> peers(Run run) {
    return pairs.keySet().stream().filter(pair -> pair.run.equals(run)).map(Pair::peer);
  }

  /**
   * Returns the run of a filter that was measured side by side with a peer and whose metric is
   * closest to that of the peer. The result is empty if no run is within a twentieth or, for false
   * positives, within three standard deviations of the difference of two counts.
   */
  Optional<Run> like(Subject subject, Run peer, String metric) {
    double wanted = figure(peer, metric).map(Figure::median).orElse(Double.NaN);
    return runs()
        .filter(run -> run.isPlain() && run.subject() == subject && run.hasKeysOf(peer))
        .filter(run -> peers(run).anyMatch(peer::equals))
        .filter(run -> distance(run, metric, wanted) <= wanted * tolerance(metric, wanted, peer))
        .min(Comparator.comparingDouble(run -> distance(run, metric, wanted)));
  }

  private static double tolerance(String metric, double wanted, Run peer) {
    return metric.equals(Metrics.ERROR)
        ? Math.max(ALIKE, DEVIATIONS * Math.sqrt(2 / (wanted * peer.elements())))
        : ALIKE;
  }

  private double distance(Run run, String metric, double wanted) {
    return Math.abs(figure(run, metric).orElseThrow().median() - wanted);
  }
}
