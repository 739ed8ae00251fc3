package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** One benchmark with one value for each of its parameters. */
public record Case(Class<?> benchmark, Map<String, String> parameters) {

  private static final int LARGE = 1_000_000;
  private static final int HUGE = 10_000_000;

  public static Case life(Subject subject, Keys keys, int elements, double fpp) {
    return new Case(
        Life.class,
        Map.of(
            "subject", subject.name(),
            "keys", keys.name(),
            "elements", String.valueOf(elements),
            "fpp", String.valueOf(fpp)));
  }

  /** Returns the lives of two filters with the same keys, side by side. */
  public static Case duel(Run run, Run peer) {
    Map<String, String> parameters =
        new TreeMap<>(life(run.subject(), run.keys(), run.elements(), run.fpp()).parameters);
    parameters.put("threads", String.valueOf(run.threads()));
    parameters.put("strategies", String.valueOf(run.strategies()));
    parameters.put("peer", peer.subject().name());
    parameters.put("peerFpp", String.valueOf(peer.fpp()));
    parameters.put("peerThreads", String.valueOf(peer.threads()));
    return new Case(Duel.class, parameters);
  }

  public boolean isDuel() {
    return benchmark == Duel.class;
  }

  public boolean isDuelOf(int elements) {
    return isDuel() && parameters.get("elements").equals(String.valueOf(elements));
  }

  /** Returns this case, in which the second filter is the first that is made. */
  public Case withPeerFirst() {
    Map<String, String> changed = new TreeMap<>(parameters);
    changed.put("peerFirst", "true");
    return new Case(benchmark, changed);
  }

  public static Case floor(Subject subject, int elements, double fpp) {
    return new Case(
        Floor.class,
        Map.of(
            "subject", subject.name(),
            "elements", String.valueOf(elements),
            "fpp", String.valueOf(fpp)));
  }

  Case with(String parameter, int value) {
    Map<String, String> changed = new TreeMap<>(parameters);
    changed.put(parameter, String.valueOf(value));
    return new Case(benchmark, changed);
  }

  /**
   * Returns what JMH needs to run it in one fork. The young generation is small, since else it is
   * new memory, and not the filter, that an allocating filter waits for. Tier3DelayOn: while many
   * methods wait for the compiler, others are otherwise compiled without having seen what they
   * call, and stay so; which filter that hits is chance, and costs it up to 0.8 of its time.
   */
  public Options options() {
    int elements = Integer.parseInt(parameters.get("elements"));
    boolean roomy =
        elements > HUGE || elements == HUGE && !Keys.LONGS.name().equals(parameters.get("keys"));
    String heap = roomy ? "8g" : "4g";
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("\\." + benchmark.getSimpleName() + "\\.")
            .forks(1)
            .warmupIterations(0) // a filter has its code compiled before its first life
            .measurementIterations(elements > LARGE ? 1 : 3)
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
