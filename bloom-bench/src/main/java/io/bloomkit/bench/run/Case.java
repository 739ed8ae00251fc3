package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** A benchmark with a value for each of its parameters. */
public record Case(Class<?> benchmark, Map<String, String> parameters) {

  private static final int LARGE = 1_000_000;

  /** The number of iterations for a small filter, whose timed intervals take microseconds. */
  private static final int SMALL_ITERATIONS = 10;

  private static final int HUGE = 10_000_000;

  public static Case single(Subject subject, Keys keys, int elements, double fpp) {
    return new Case(
        FilterBenchmark.class,
        Map.of(
            "subject", subject.name(),
            "keys", keys.name(),
            "elements", String.valueOf(elements),
            "fpp", String.valueOf(fpp)));
  }

  /** Returns the case of two filters side by side with the same keys. */
  public static Case pair(Run run, Run peer) {
    Map<String, String> parameters =
        new TreeMap<>(single(run.subject(), run.keys(), run.elements(), run.fpp()).parameters);
    parameters.put("threads", String.valueOf(run.threads()));
    parameters.put("peer", peer.subject().name());
    parameters.put("peerFpp", String.valueOf(peer.fpp()));
    parameters.put("peerThreads", String.valueOf(peer.threads()));
    return new Case(PairBenchmark.class, parameters);
  }

  public boolean isPair() {
    return benchmark == PairBenchmark.class;
  }

  /** Returns this case with the second filter created first. */
  public Case withPeerFirst() {
    Map<String, String> changed = new TreeMap<>(parameters);
    changed.put("peerFirst", "true");
    return new Case(benchmark, changed);
  }

  /**
   * Returns the options of JMH for one fork. The young generation is small, because an allocating
   * filter would otherwise wait for new memory pages. Without Tier3DelayOn, while many methods wait
   * for the compiler, other methods are compiled before their call sites have a profile, and are
   * not compiled again. Chance decides which filter is affected, and the effect is up to 0.8 of the
   * time.
   */
  public Options options() {
    int elements = Integer.parseInt(parameters.get("elements"));
    boolean roomy =
        elements > HUGE || (elements == HUGE && !Keys.LONGS.name().equals(parameters.get("keys")));
    String heap = roomy ? "8g" : "4g";
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("\\." + benchmark.getSimpleName() + "\\.")
            .forks(1)
            .warmupIterations(0) // the code of a filter is compiled before the first iteration
            .measurementIterations(elements > LARGE ? 1 : elements < LARGE ? SMALL_ITERATIONS : 3)
            .addProfiler(Metrics.class)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true)
            .jvmArgs(
                "-Xms" + heap,
                "-Xmx" + heap,
                "-Xmn64m",
                "-XX:+UseG1GC",
                "-XX:Tier3DelayOn=1000000");
    parameters.forEach((name, value) -> options.param(name, value));
    return options.build();
  }

  @Override
  public String toString() {
    return benchmark.getSimpleName() + " " + new TreeMap<>(parameters);
  }
}
