package io.bloomkit.bench;

import io.bloomkit.bench.Subject.Trait;
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
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The life of a filter: from empty to full, all keys asked for, as many others asked for, all
 * removed again; then once more by the forms for many keys at once. Each operation is timed on its
 * own, which takes a quarter of the time that a benchmark an operation would take, and lets noise
 * on the machine hit all operations alike.
 *
 * <p>The lives before the first measured one are short and many, so that each loop is called often
 * enough to be compiled as a whole and not from its middle on.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class Life {

  /** An iteration is as many lives as take so many elements in all. */
  private static final int ELEMENTS_PER_ITERATION = 1_000_000;

  /** No more keys are asked for, however many were added. */
  static final int MOST_QUERIES = 10_000_000;

  private static final int REHEARSALS = 1000;
  private static final int REHEARSED_ELEMENTS = 256;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Param public Subject subject;
  @Param public Keys keys;

  @Param("1000000")
  public int elements;

  @Param("0.01")
  public double fpp;

  /** How many threads share the keys of an operation. */
  @Param("1")
  public int threads;

  /** How many hash functions the filter's code has been called with. */
  @Param("1")
  public int strategies;

  private final Map<Operation, Totals> totals = new EnumMap<>(Operation.class);
  private List<Operation> operations;
  private int queries;
  private Workload workload;
  private ExecutorService helpers;

  /** Makes the keys, and has everything compiled. */
  @Setup(Level.Trial)
  public void prepare() {
    operations =
        Stream.of(Operation.values())
            .filter(operation -> !operation.isRemoval() || subject.has(Trait.REMOVAL))
            .filter(operation -> !operation.isBatch() || subject.has(Trait.BATCH) && threads == 1)
            .toList();
    queries = Math.min(elements, MOST_QUERIES);
    workload = keys.workload(subject, elements, fpp, queries);
    helpers = Executors.newFixedThreadPool(threads);
    Workload rehearsal = keys.workload(subject, REHEARSED_ELEMENTS, fpp, REHEARSED_ELEMENTS);
    for (int i = 0; i < REHEARSALS; i++) {
      for (int strategy = strategies - 1; strategy >= 0; strategy--) {
        rehearsal.renew(strategy);
        for (Operation operation : operations) {
          rehearsal.run(operation, 0, REHEARSED_ELEMENTS);
        }
      }
    }
  }

  /** Lets the helpers go. */
  @TearDown(Level.Trial)
  public void end() {
    helpers.shutdown();
  }

  /** As many lives as make an iteration. */
  @Benchmark
  public void live() throws ExecutionException, InterruptedException {
    totals.clear();
    int lives = Math.max(1, ELEMENTS_PER_ITERATION / elements);
    for (int i = 0; i < lives; i++) {
      workload.renew(0);
      for (Operation operation : operations) {
        if (operation == Operation.BATCH_ADD) {
          workload.renew(0);
        }
        time(operation);
      }
    }
    long all = (long) lives * queries;
    if (totals.get(Operation.QUERY_PRESENT).claimed != all) {
      throw new IllegalStateException(subject + " denies keys that were added");
    }
    totals.forEach((operation, total) -> total.report(operation));
    Metrics.set(Metrics.ERROR, (double) totals.get(Operation.QUERY_ABSENT).claimed / all);
    Metrics.set(Metrics.BITS, workload.bits());
  }

  private void time(Operation operation) throws ExecutionException, InterruptedException {
    int keys =
        switch (operation) {
          case ADD, REMOVE, BATCH_ADD, BATCH_REMOVE -> elements;
          default -> queries;
        };
    Totals total = totals.computeIfAbsent(operation, key -> new Totals());
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    long time = System.nanoTime();
    int claimed = threads == 1 ? workload.run(operation, 0, keys) : runTogether(operation, keys);
    total.nanoseconds += System.nanoTime() - time;
    total.bytes += THREADS.getCurrentThreadAllocatedBytes() - bytes;
    total.claimed += claimed;
    total.keys += keys;
  }

  private int runTogether(Operation operation, int keys)
      throws ExecutionException, InterruptedException {
    List<Future<Integer>> parts = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int from = (int) ((long) keys * i / threads);
      int to = (int) ((long) keys * (i + 1) / threads);
      parts.add(helpers.submit(() -> workload.run(operation, from, to)));
    }
    int claimed = 0;
    for (Future<Integer> part : parts) {
      claimed += part.get();
    }
    return claimed;
  }

  /** What an operation has taken in the lives of an iteration. */
  private static final class Totals {
    long nanoseconds;
    long bytes;
    long claimed;
    long keys;

    void report(Operation operation) {
      Metrics.set(operation.time(), (double) nanoseconds / keys);
      Metrics.set(operation.allocation(), (double) bytes / keys);
    }
  }
}
