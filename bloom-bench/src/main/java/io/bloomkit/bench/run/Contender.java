package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject.Trait;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A measured filter with its keys and the cost of its operations.
 *
 * <p>Other filters of its kind run before the first measurement, so that its code is compiled by
 * then.
 */
final class Contender implements AutoCloseable {

  /** The maximum number of queried keys. */
  static final int MOST_QUERIES = 10_000_000;

  /** The number of elements of a filter in a rehearsal, enough for the full number of hashes. */
  private static final int REHEARSED_KEYS = 20_000;

  /**
   * The number of keys per call in a rehearsal. It is small, so that a loop is entered often and
   * the whole method is compiled.
   */
  private static final int REHEARSED_PART = 256;

  private static final int LEAST_REHEARSALS = 10;

  /**
   * The number of rehearsals for large filters. It is small, since each rehearsal creates filters
   * of full size.
   */
  private static final int LARGE_REHEARSALS = 3;

  private static final int REHEARSAL_MILLIS = 1500;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Run run;
  private final List<Operation> operations;
  private final int queries;
  private final Workload workload;
  private final ExecutorService helpers;
  private final Map<Operation, Totals> totals = new EnumMap<>(Operation.class);
  private long bits;

  /** Creates the keys, and runs the code until it is compiled. */
  Contender(Run run) {
    OwnClasses source = new OwnClasses();
    this.run = run;
    this.operations =
        Stream.of(Operation.values())
            .filter(operation -> !operation.isRemoval() || run.subject().has(Trait.REMOVAL))
            .filter(
                operation ->
                    !operation.isBatch() || run.subject().has(Trait.BATCH) && run.threads() == 1)
            .toList();
    this.queries = Math.min(run.elements(), MOST_QUERIES);
    this.workload = source.workload(run.keys(), run.subject(), run.elements(), run.fpp(), queries);
    this.helpers = Executors.newFixedThreadPool(run.threads());
    rehearse(source);
  }

  /**
   * Runs small filters of the kind, and the measured filter with a few keys, so that code that
   * depends on the size of the filter is compiled too.
   */
  private void rehearse(OwnClasses source) {
    int keys = Math.min(run.elements(), REHEARSED_KEYS);
    Workload small = source.workload(run.keys(), run.subject(), keys, run.fpp(), keys);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REHEARSAL_MILLIS);
    for (int i = 0; i < LEAST_REHEARSALS || System.nanoTime() < end; i++) {
      if (i < LARGE_REHEARSALS) {
        rehearse(workload, keys);
      }
      rehearse(small, keys);
    }
  }

  private void rehearse(Workload rehearsed, int keys) {
    for (Operation operation : operations) {
      if (operation.isAddition()) {
        rehearsed.renew();
      }
      for (int from = 0; from < keys; from += REHEARSED_PART) {
        rehearsed.run(operation, from, Math.min(keys, from + REHEARSED_PART));
      }
    }
  }

  List<Operation> operations() {
    return operations;
  }

  /** Returns the number of keys for an operation. */
  int keysOf(Operation operation) {
    return switch (operation) {
      case ADD, ADD_USED, REMOVE, BATCH_ADD, BATCH_REMOVE -> run.elements();
      default -> queries;
    };
  }

  /** Replaces the filter by an empty one. */
  void renew() {
    workload.renew();
  }

  /**
   * Performs an operation on a range of the keys.
   *
   * @return the time in nanoseconds
   */
  long perform(Operation operation, int from, int to) {
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long start = System.nanoTime();
    int positive =
        run.threads() == 1 ? workload.run(operation, from, to) : runTogether(operation, from, to);
    long nanoseconds = System.nanoTime() - start;
    Totals total = totals.computeIfAbsent(operation, key -> new Totals());
    total.bytes += THREADS.getCurrentThreadAllocatedBytes() - bytes;
    total.nanoseconds += nanoseconds;
    total.positive += positive;
    total.keys += to - from;
    if (operation == Operation.QUERY_ABSENT) {
      bits = workload.bits(); // measured before removals, which shrink some filters
    }
    return nanoseconds;
  }

  private int runTogether(Operation operation, int from, int to) {
    List<Future<Integer>> parts = new ArrayList<>();
    long keys = (long) to - from;
    for (int i = 0; i < run.threads(); i++) {
      int first = from + (int) (keys * i / run.threads());
      int end = from + (int) (keys * (i + 1) / run.threads());
      parts.add(helpers.submit(() -> workload.run(operation, first, end)));
    }
    int positive = 0;
    for (Future<Integer> part : parts) {
      try {
        positive += part.get();
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(run.subject() + " failed in another thread", e);
      }
    }
    return positive;
  }

  /** Returns the present size of the filter in bits. */
  long bits() {
    return workload.bits();
  }

  /** Returns the fraction of positives of an operation since {@link #beginIteration}. */
  double positives(Operation operation) {
    Totals total = totals.get(operation);
    return (double) total.positive / total.keys;
  }

  /** Resets the costs of all operations. */
  void beginIteration() {
    totals.clear();
  }

  /**
   * Reports the costs of all operations as metrics.
   *
   * @param prefix the prefix of the names of the metrics
   * @throws IllegalStateException if the filter had a false negative
   */
  void report(String prefix) {
    totals.forEach(
        (operation, total) -> {
          Metrics.set(prefix + operation.time(), (double) total.nanoseconds / total.keys);
          Metrics.set(prefix + operation.allocation(), (double) total.bytes / total.keys);
        });
    for (Operation query : List.of(Operation.QUERY_PRESENT, Operation.BATCH_QUERY_PRESENT)) {
      Totals present = totals.get(query);
      if (present != null && present.positive != present.keys) {
        throw new IllegalStateException(run.subject() + " is negative for keys that were added");
      }
    }
    Totals absent = totals.get(Operation.QUERY_ABSENT);
    Metrics.set(prefix + Metrics.ERROR, (double) absent.positive / absent.keys);
    Metrics.set(prefix + Metrics.BITS, bits);
  }

  /** Stops the helper threads. */
  @Override
  public void close() {
    helpers.shutdown();
  }

  private static final class Totals {
    long nanoseconds;
    long bytes;
    long positive;
    long keys;
  }
}
