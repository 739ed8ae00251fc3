package io.bloomkit.bench.run;

import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Two filters that are measured side by side with the same keys.
 *
 * @param peerFirst whether the second filter is created, and its code compiled, before the first
 */
public record Case(Run run, Run peer, boolean peerFirst) {

  private static final int LARGE = 1_000_000;

  /** The number of iterations for a small filter, whose timed intervals take microseconds. */
  private static final int SMALL_ITERATIONS = 10;

  private static final int HUGE = 10_000_000;

  /** Returns this case with the order of the filters that a round has, from round 1. */
  public Case ofRound(int round) {
    return new Case(run, peer, round % 2 == 0);
  }

  /**
   * Returns the options of JMH for one fork. The young generation is small, because an allocating
   * filter would otherwise wait for new memory pages. Without Tier3DelayOn, while many methods wait
   * for the compiler, other methods are compiled before their call sites have a profile, and are
   * not compiled again. Chance decides which filter is affected, and the effect is up to 0.8 of the
   * time.
   */
  public Options options() {
    int elements = run.elements();
    String heap = elements > HUGE || elements == HUGE && run.keys() != Keys.LONGS ? "8g" : "4g";
    return new OptionsBuilder()
        .include("\\." + PairBenchmark.class.getSimpleName() + "\\.")
        .forks(1)
        .warmupIterations(0) // the code of a filter is compiled before the first iteration
        .measurementIterations(elements > LARGE ? 1 : elements < LARGE ? SMALL_ITERATIONS : 3)
        .addProfiler(Metrics.class)
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true)
        .jvmArgs(
            "-Xms" + heap, "-Xmx" + heap, "-Xmn64m", "-XX:+UseG1GC", "-XX:Tier3DelayOn=1000000")
        .param("subject", run.subject().name())
        .param("keys", run.keys().name())
        .param("elements", String.valueOf(elements))
        .param("fpp", String.valueOf(run.fpp()))
        .param("threads", String.valueOf(run.threads()))
        .param("peer", peer.subject().name())
        .param("peerThreads", String.valueOf(peer.threads()))
        .param("peerFirst", String.valueOf(peerFirst))
        .build();
  }
}
