package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;

/** A benchmark of a filter with its parameters. */
public record Run(
    String benchmark, Subject subject, Keys keys, int elements, double fpp, Conditions conditions) {

  private static final String FILTER = FilterBenchmark.class.getSimpleName();

  /** Returns the run of a filter under plain conditions. */
  public static Run of(Subject subject, Keys keys, int elements, double fpp) {
    return new Run(FILTER, subject, keys, elements, fpp, Conditions.PLAIN);
  }

  public Run with(Subject other) {
    return new Run(benchmark, other, keys, elements, fpp, conditions);
  }

  public Run with(Conditions others) {
    return new Run(benchmark, subject, keys, elements, fpp, others);
  }

  public Run withThreads(int count) {
    return with(
        new Conditions(
            count, conditions.strategies(), conditions.kinds(), conditions.usualFlags()));
  }

  public Run withStrategies(int count) {
    return with(
        new Conditions(conditions.threads(), count, conditions.kinds(), conditions.usualFlags()));
  }

  /**
   * Returns this run with call sites that have seen two kinds of filter, if the library has two.
   */
  public Run withTwoKinds() {
    int kinds = subject.otherKind().isPresent() ? 2 : 1;
    return with(
        new Conditions(
            conditions.threads(), conditions.strategies(), kinds, conditions.usualFlags()));
  }

  /** Returns this run in a virtual machine with the usual flags. */
  public Run withUsualFlags() {
    return with(
        new Conditions(conditions.threads(), conditions.strategies(), conditions.kinds(), true));
  }

  public boolean isFilter() {
    return benchmark.equals(FILTER);
  }
}
