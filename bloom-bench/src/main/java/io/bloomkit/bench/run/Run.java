package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;

/**
 * A filter and the conditions under which it is measured.
 *
 * @param threads the number of threads that share the keys of an operation
 */
public record Run(Subject subject, Keys keys, int elements, double fpp, int threads) {

  /** Returns this run with another filter. */
  public Run with(Subject other) {
    return new Run(other, keys, elements, fpp, threads);
  }

  /** Returns this run with another number of threads. */
  public Run withThreads(int count) {
    return new Run(subject, keys, elements, fpp, count);
  }
}
