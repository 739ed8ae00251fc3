package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;

/** What was measured: a benchmark and its parameters. */
public record Run(
    String benchmark,
    Subject subject,
    Keys keys,
    int elements,
    double fpp,
    int threads,
    int strategies) {

  private static final String LIFE = Life.class.getSimpleName();
  private static final String FLOOR = Floor.class.getSimpleName();

  /** Returns the life of a filter with one thread and one hash function. */
  public static Run life(Subject subject, Keys keys, int elements, double fpp) {
    return new Run(LIFE, subject, keys, elements, fpp, 1, 1);
  }

  static Run floor(Subject subject, int elements, double fpp) {
    return new Run(FLOOR, subject, Keys.LONGS, elements, fpp, 1, 1);
  }

  public Run with(Subject other) {
    return new Run(benchmark, other, keys, elements, fpp, threads, strategies);
  }

  public Run withThreads(int count) {
    return new Run(benchmark, subject, keys, elements, fpp, count, strategies);
  }

  public Run withStrategies(int count) {
    return new Run(benchmark, subject, keys, elements, fpp, threads, count);
  }

  public boolean isLife() {
    return benchmark.equals(LIFE);
  }

  /** Whether it is one by one thread, whose filter's code has seen one hash function. */
  public boolean isPlain() {
    return isLife() && threads == 1 && strategies == 1;
  }

  /** Whether both have the same keys, and as many of them. */
  public boolean hasKeysOf(Run other) {
    return keys == other.keys && elements == other.elements;
  }
}
