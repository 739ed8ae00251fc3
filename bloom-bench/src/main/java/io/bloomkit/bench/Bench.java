package io.bloomkit.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Runs the benchmarks and prints, for every number of elements and filter, the median nanoseconds
 * an element of each operation, and the errors it made. Arguments: numbers of elements, and names
 * of subjects to leave out the others; without any number, 100000 and 1000000.
 */
public final class Bench {

  private static final List<String> OPERATIONS =
      List.of(
          "add",
          "queryPresent",
          "queryAbsent",
          "remove",
          "batchAdd",
          "batchQueryPresent",
          "batchQueryAbsent",
          "batchRemove");

  private Bench() {}

  /** Runs all benchmarks. */
  public static void main(String[] arguments) throws RunnerException {
    List<String> sizes = new ArrayList<>();
    List<String> subjects = new ArrayList<>();
    for (String argument : arguments) {
      (Character.isDigit(argument.charAt(0)) ? sizes : subjects).add(argument);
    }
    if (sizes.isEmpty()) {
      sizes.addAll(List.of("100000", "1000000"));
    }
    if (subjects.isEmpty()) {
      Stream.of(Subject.values()).map(Enum::name).forEach(subjects::add);
    }
    Map<Integer, Map<Subject, List<IterationResult>>> results = new TreeMap<>();
    for (String size : sizes) {
      boolean large = Integer.parseInt(size) > 1_000_000;
      Collection<RunResult> runs =
          new Runner(
                  new OptionsBuilder()
                      .include(LongKeys.class.getSimpleName())
                      .param("subject", subjects.toArray(String[]::new))
                      .param("elements", size)
                      .warmupIterations(large ? 1 : 8)
                      .measurementIterations(large ? 3 : 8)
                      .forks(2)
                      .jvmArgs("-Xms4g", "-Xmx4g", "-Xmn256m", "-XX:+UseG1GC")
                      .build())
              .run();
      Map<Subject, List<IterationResult>> ofSize = new EnumMap<>(Subject.class);
      for (RunResult run : runs) {
        List<IterationResult> iterations = new ArrayList<>();
        for (BenchmarkResult fork : run.getBenchmarkResults()) {
          iterations.addAll(fork.getIterationResults());
        }
        ofSize.put(Subject.valueOf(run.getParams().getParam("subject")), iterations);
      }
      results.put(Integer.parseInt(size), ofSize);
    }
    results.forEach(Bench::print);
  }

  private static void print(int elements, Map<Subject, List<IterationResult>> results) {
    StringBuilder table =
        new StringBuilder(String.format(Locale.ROOT, "%n| %,d elements, ns each |", elements));
    OPERATIONS.forEach(operation -> table.append(' ').append(operation).append(" |"));
    table.append(" errors | bits |\n|---|").append("---|".repeat(OPERATIONS.size() + 2));
    results.forEach(
        (subject, iterations) -> {
          table.append("\n| ").append(subject.label).append(" |");
          for (String operation : OPERATIONS) {
            double nanoseconds = median(iterations, operation) / elements;
            table.append(
                nanoseconds == 0 ? " |" : String.format(Locale.ROOT, " %.1f |", nanoseconds));
          }
          double bits = subject.bits(elements);
          table.append(
              String.format(
                  Locale.ROOT,
                  bits == 0 ? " %.3f %% | |" : " %.3f %% | %.1f |",
                  100 * median(iterations, "falsePositives") / elements,
                  bits));
        });
    System.out.println(table);
  }

  private static double median(List<IterationResult> iterations, String counter) {
    double[] values =
        iterations.stream()
            .mapToDouble(
                iteration ->
                    Objects.requireNonNull(iteration.getSecondaryResults().get(counter)).getScore())
            .sorted()
            .toArray();
    return (values[values.length / 2] + values[(values.length - 1) / 2]) / 2;
  }
}
