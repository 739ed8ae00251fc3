package io.bloomkit.bench;

import io.bloomkit.bench.run.Case;
import io.bloomkit.bench.run.ChangeTable;
import io.bloomkit.bench.run.Keys;
import io.bloomkit.bench.run.Run;
import io.bloomkit.bench.subject.Subject;
import io.bloomkit.bench.subject.Subject.Trait;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
 * Measures the filters of Bloomkit and of other libraries in pairs. Each round runs every pair in a
 * virtual machine of its own, and the order of the filters of a pair alternates between rounds.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures filters in rounds, writes results.json and prints a table.")
public final class Bench implements Callable<Integer> {

  /** The filters that are measured by default, with the fastest ones of other libraries. */
  private static final Map<Subject, List<Subject>> PEERS =
      Map.of(
          Subject.CLASSIC, List.of(Subject.GUAVA, Subject.FAST_FILTER_BLOOM),
          Subject.BLOCKED, List.of(Subject.GUAVA, Subject.FAST_FILTER_BLOCKED),
          Subject.COUNTING, List.of(Subject.FAST_FILTER_COUNTING),
          Subject.BLOCKED_COUNTING, List.of(Subject.FAST_FILTER_SUCCINCT_BLOCKED),
          Subject.DYNAMIC_CUCKOO, List.of(Subject.COUNTING, Subject.FAST_FILTER_CUCKOO_16));

  /** The filters from which elements can be removed. The last one is the measure of the others. */
  private static final List<Subject> REMOVABLE =
      List.of(
          Subject.DYNAMIC_CUCKOO,
          Subject.DYNAMIC_CUCKOO_ALLOCATED,
          Subject.EXPIRING_CUCKOO,
          Subject.CUCKOO,
          Subject.CUCKOO_FILTER_4J,
          Subject.HADOOP_COUNTING,
          Subject.FAST_FILTER_COUNTING);

  @Option(
      names = "--removal",
      description =
          "compares the filters from which elements can be removed, all in this process, and"
              + " prints their size while they grow and the time of each operation")
  private boolean isRemoval;

  @Option(
      names = "--rounds",
      description = "the number of rounds; each round measures each pair in a process of its own")
  private int rounds = 3;

  @Option(
      names = "--subjects",
      split = ",",
      description = "the filters to measure: ${COMPLETION-CANDIDATES}")
  private List<Subject> subjects = List.of();

  @Option(
      names = "--peers",
      split = ",",
      description = "the filters with which each of them is compared (default: itself)")
  private List<Subject> peers = List.of();

  @Option(
      names = "--threads",
      description = "numbers of threads, each of which is compared with one thread")
  private int threads = 1;

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

  private Bench() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true).execute(arguments));
  }

  @Override
  public Integer call() throws IOException {
    if (isRemoval) {
      for (int count : elements) {
        System.out.printf(Locale.ROOT, "%,d elements%n%n", count);
        System.out.println(
            ChangeTable.of(subjects.isEmpty() ? REMOVABLE : subjects, count, fpps.get(0), rounds));
      }
      return CommandLine.ExitCode.OK;
    }
    List<Case> cases = cases();
    Files.createDirectories(output);
    Path json = output.resolve("results.json");
    List<RunResult> results = new ArrayList<>();
    long start = System.nanoTime();
    for (int round = 1; round <= rounds; round++) {
      for (int i = 0; i < cases.size(); i++) {
        Case of = cases.get(i).ofRound(round);
        System.err.printf(
            Locale.ROOT,
            "%5.0f s, round %d of %d, %d of %d: %s%n",
            (System.nanoTime() - start) / 1e9,
            round,
            rounds,
            i + 1,
            cases.size(),
            of);
        try {
          results.addAll(new Runner(of.options()).run());
        } catch (RunnerException e) { // the failure of a pair does not end the run
          e.printStackTrace();
        }
      }
      try (PrintStream out =
          new PrintStream(Files.newOutputStream(json), false, StandardCharsets.UTF_8)) {
        ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
      }
    }
    System.err.printf(Locale.ROOT, "%5.0f s%n", (System.nanoTime() - start) / 1e9);
    System.out.println(ResultTable.of(Files.readString(json)));
    return CommandLine.ExitCode.OK;
  }

  private List<Case> cases() {
    if (subjects.isEmpty() && !peers.isEmpty()) {
      throw new IllegalArgumentException(
          "--peers requires --subjects, with which the peers are compared");
    }
    return subjects.isEmpty() ? beside(PEERS) : chosen();
  }

  private List<Case> beside(Map<Subject, List<Subject>> peersOf) {
    List<Case> cases = new ArrayList<>();
    peersOf.forEach(
        (subject, others) -> {
          for (int count : elements) {
            Run run = new Run(subject, Keys.LONGS, count, fpps.get(0), 1);
            others.forEach(peer -> cases.add(new Case(run, run.with(peer), false)));
          }
        });
    return cases;
  }

  private List<Case> chosen() {
    List<Case> cases = new ArrayList<>();
    for (Keys kind : keys) {
      for (int count : elements) {
        for (double fpp : fpps) {
          for (Subject subject : subjects) {
            if (kind == Keys.LONGS || subject.has(Trait.TEXTS)) {
              Run run = new Run(subject, kind, count, fpp, 1);
              peers.forEach(peer -> cases.add(new Case(run, run.with(peer), false)));
              if (threads > 1) {
                cases.add(new Case(run.withThreads(threads), run, false));
              } else if (peers.isEmpty()) {
                cases.add(new Case(run, run, false));
              }
            }
          }
        }
      }
    }
    return cases;
  }
}
