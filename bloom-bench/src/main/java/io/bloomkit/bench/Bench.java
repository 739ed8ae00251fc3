package io.bloomkit.bench;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks and prints, for every operation and number of elements, the median
 * nanoseconds an element of each filter. Arguments: numbers of elements; without any, 100000 and
 * 1000000.
 */
public final class Bench {

  private Bench() {}

  /** Runs all benchmarks. */
  public static void main(String[] arguments) throws RunnerException {
    String[] sizes = arguments.length == 0 ? new String[] {"100000", "1000000"} : arguments;
    for (String operation : List.of("add", "queryPresent", "queryAbsent", "remove")) {
      String[] subjects =
          Stream.of(Subject.values())
              .filter(subject -> subject.removes || !operation.equals("remove"))
              .map(Enum::name)
              .toArray(String[]::new);
      Collection<RunResult> results =
          new Runner(
                  new OptionsBuilder()
                      .include(LongKeys.class.getSimpleName() + "\\." + operation + "$")
                      .param("subject", subjects)
                      .param("elements", sizes)
                      .jvmArgs("-Xms4g", "-Xmx4g", "-Xmn1g", "-XX:+UseSerialGC")
                      .build())
              .run();
      print(operation, results);
    }
  }

  private static void print(String operation, Collection<RunResult> results) {
    Map<Integer, Map<Subject, Double>> medians = new TreeMap<>();
    for (RunResult result : results) {
      int elements = Integer.parseInt(result.getParams().getParam("elements"));
      medians
          .computeIfAbsent(elements, n -> new EnumMap<>(Subject.class))
          .put(
              Subject.valueOf(result.getParams().getParam("subject")),
              result.getPrimaryResult().getStatistics().getPercentile(50) / elements);
    }
    StringBuilder table = new StringBuilder("\n| " + operation + ", ns an element |");
    medians.keySet().forEach(n -> table.append(String.format(Locale.ROOT, " %,d |", n)));
    table.append("\n|---|").append("---|".repeat(medians.size())).append('\n');
    for (Subject subject : Subject.values()) {
      if (medians.values().stream().allMatch(row -> row.containsKey(subject))) {
        table.append("| ").append(subject.label).append(" |");
        for (Map<Subject, Double> row : medians.values()) {
          table.append(
              String.format(Locale.ROOT, " %.1f |", Objects.requireNonNull(row.get(subject))));
        }
        table.append('\n');
      }
    }
    System.out.println(table);
  }
}
