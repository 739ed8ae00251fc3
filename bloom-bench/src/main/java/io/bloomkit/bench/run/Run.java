package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * A filter and the conditions under which it is measured.
 *
 * @param threads the number of threads that share the keys of an operation
 */
public record Run(Subject subject, Keys keys, int elements, double fpp, int threads) {

  private static final int LARGE = 1_000_000;

  /** The number of iterations for a small filter, whose timed intervals take microseconds. */
  private static final int SMALL_ITERATIONS = 10;

  private static final int HUGE = 10_000_000;

  /**
   * Returns the options of JMH for one fork. The young generation is small, because an allocating
   * filter would otherwise wait for new memory pages. Without Tier3DelayOn, while many methods wait
   * for the compiler, other methods are compiled before their call sites have a profile, and are
   * not compiled again. Chance decides which methods are affected, and the effect is up to 0.8 of
   * the time.
   */
  public Options options() {
    String heap = elements > HUGE || elements == HUGE && keys != Keys.LONGS ? "8g" : "4g";
    return new OptionsBuilder()
        .include("\\." + FilterBenchmark.class.getSimpleName() + "\\.")
        .forks(1)
        .warmupIterations(0) // the setup compiles the code of the filter
        .measurementIterations(elements > LARGE ? 1 : elements < LARGE ? SMALL_ITERATIONS : 3)
        .addProfiler(Metrics.class)
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true)
        .jvmArgs(
            "-Xms" + heap, "-Xmx" + heap, "-Xmn64m", "-XX:+UseG1GC", "-XX:Tier3DelayOn=1000000")
        .param("subject", subject.name())
        .param("keys", keys.name())
        .param("elements", String.valueOf(elements))
        .param("fpp", String.valueOf(fpp))
        .param("threads", String.valueOf(threads))
        .build();
  }
}
