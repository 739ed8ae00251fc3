package io.bloomkit.bench;

import io.bloomkit.bench.run.Keys;
import io.bloomkit.bench.run.Metrics;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.subject.Subject;
import io.bloomkit.bench.subject.Subject.Trait;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the filters of Bloomkit and of other libraries. Each round runs every filter in a
 * virtual machine of its own, and the order of the filters is reversed in every other round.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description =
        "Measures filters in rounds, writes results.json and prints a table. The first filter, with"
            + " the first number of threads, is the measure of the others.")
public final class Bench implements Callable<Integer> {

  /** The filters that are measured by default, with the fastest ones of other libraries. */
  private static final List<Subject> DEFAULT =
      List.of(
          Subject.BLOCKED,
          Subject.CLASSIC,
          Subject.GUAVA,
          Subject.GUAVA_UNBOXED,
          Subject.FAST_FILTER_BLOOM,
          Subject.FAST_FILTER_BLOCKED,
          Subject.SPARK);

  /** The filters from which elements can be removed. */
  private static final List<Subject> REMOVABLE =
      List.of(
          Subject.FAST_FILTER_COUNTING,
          Subject.FAST_FILTER_SUCCINCT_BLOCKED,
          Subject.HADOOP_COUNTING,
          Subject.COUNTING,
          Subject.BLOCKED_COUNTING,
          Subject.CUCKOO,
          Subject.DYNAMIC_CUCKOO,
          Subject.DYNAMIC_CUCKOO_ALLOCATED,
          Subject.EXPIRING_CUCKOO);

  @Option(
      names = "--removal",
      description = "measures the filters from which elements can be removed, unless --subjects")
  private boolean isRemoval;

  @Option(
      names = "--rounds",
      description = "the number of rounds; each round measures each filter in a process of its own")
  private int rounds = 3;

  @Option(
      names = "--subjects",
      split = ",",
      description = "the filters to measure: ${COMPLETION-CANDIDATES}")
  private List<Subject> subjects = List.of();

  @Option(
      names = "--threads",
      split = ",",
      description = "the numbers of threads that share the keys of a thread-safe filter")
  private List<Integer> threads = List.of(1);

  @Option(names = "--keys", split = ",", description = "the keys: ${COMPLETION-CANDIDATES}")
  private List<Keys> keys = List.of(Keys.LONGS);

  @Option(names = "--elements", split = ",", description = "the numbers of elements")
  private List<Integer> elements = List.of(1_000_000);

  @Option(names = "--fpp", split = ",", description = "the false-positive rates")
  private List<Double> fpps = List.of(0.01);

  @Option(
      names = "--output",
      description = "the folder for the results (default: ${DEFAULT-VALUE})")
  private Path output = Path.of("target", "bench");

  private final List<RunResult> results = new ArrayList<>();

  private Bench() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, RunnerException {
    Files.createDirectories(output);
    System.out.printf(
        "%s %s%n%n", System.getProperty("java.vm.name"), System.getProperty("java.vm.version"));
    for (Keys kind : keys) {
      for (int count : elements) {
        for (double fpp : fpps) {
          System.out.println(measure(runs(kind, count, fpp)));
        }
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private List<Run> runs(Keys kind, int count, double fpp) {
    List<Run> runs = new ArrayList<>();
    for (Subject subject : subjects.isEmpty() ? isRemoval ? REMOVABLE : DEFAULT : subjects) {
      if (kind == Keys.LONGS || subject.has(Trait.TEXTS)) {
        threads.forEach(number -> runs.add(new Run(subject, kind, count, fpp, number)));
      }
    }
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("none of the filters supports the keys " + kind);
    }
    return runs;
  }

  private ResultTable measure(List<Run> runs) throws IOException, RunnerException {
    ResultTable table = new ResultTable(runs);
    for (int round = 1; round <= rounds; round++) {
      for (int i = 0; i < runs.size(); i++) {
        int row = round % 2 == 1 ? i : runs.size() - 1 - i;
        System.err.printf(
            Locale.ROOT,
            "round %d of %d, %d of %d: %s%n",
            round,
            rounds,
            i + 1,
            runs.size(),
            runs.get(row));
        Collection<RunResult> fork = new Runner(runs.get(row).options()).run();
        results.addAll(fork);
        fork.forEach(result -> table.add(row, Metrics.mediansOf(result)));
      }
      writeResults();
    }
    return table;
  }

  private void writeResults() throws IOException {
    try (PrintStream out =
        new PrintStream(
            Files.newOutputStream(output.resolve("results.json")), false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    }
  }
}
