package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import io.bloomkit.bench.subject.Subject.Trait;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
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
 * All operations of a filter. A fork measures one filter only, so that the profile of the compiler
 * belongs to it. The {@link Metrics} of an iteration are the times of the operations, the bytes
 * that they allocate, and the size and the false-positive rate of the full filter.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class FilterBenchmark {

  /** The maximum number of queried keys. */
  private static final int MAX_QUERIES = 10_000_000;

  /** The number of elements of a filter in a warm-up, enough for the full number of hashes. */
  private static final int WARMUP_KEYS = 20_000;

  /**
   * The number of keys per call in a warm-up. It is small, so that a loop is entered often and the
   * whole method is compiled.
   */
  private static final int WARMUP_PART = 256;

  private static final int MIN_WARMUPS = 10;

  /**
   * The number of warm-ups of the measured filter. It is small, since each of them creates filters
   * of full size.
   */
  private static final int FULL_SIZE_WARMUPS = 3;

  private static final int WARMUP_MILLIS = 1500;

  /** The number of parts in which a filter is filled. Its size is taken after each of them. */
  private static final int PARTS = 20;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Param public Subject subject;
  @Param public Keys keys;

  @Param("1000000")
  public int elements;

  @Param("0.01")
  public double fpp;

  /** The number of threads that share the keys of an operation. */
  @Param("1")
  public int threads;

  private List<Operation> operations;
  private Workload workload;
  private int queries;
  private ExecutorService pool;

  /** Creates the keys, and runs the code until it is compiled. */
  @Setup(Level.Trial)
  public void prepare() {
    operations =
        Stream.of(Operation.values())
            .filter(operation -> !operation.isRemoval() || subject.has(Trait.REMOVAL))
            .filter(operation -> !operation.isBatch() || subject.has(Trait.BATCH) && threads == 1)
            .toList();
    queries = Math.min(elements, MAX_QUERIES);
    workload = keys.workload(subject, elements, fpp, queries);
    pool = Executors.newFixedThreadPool(threads);
    warmUp();
  }

  /** Stops the threads. */
  @TearDown(Level.Trial)
  public void end() {
    pool.shutdown();
  }

  /**
   * Runs small filters of the kind, and the measured filter with a few keys, so that code that
   * depends on the size of the filter is compiled too.
   */
  private void warmUp() {
    int count = Math.min(elements, WARMUP_KEYS);
    Workload small = keys.workload(subject, count, fpp, count);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WARMUP_MILLIS);
    for (int i = 0; i < MIN_WARMUPS || System.nanoTime() < end; i++) {
      if (i < FULL_SIZE_WARMUPS) {
        warmUp(workload, count);
      }
      warmUp(small, count);
    }
  }

  private void warmUp(Workload warmed, int count) {
    for (Operation operation : operations) {
      if (operation.isAddition()) {
        warmed.renew();
      }
      for (int from = 0; from < count; from += WARMUP_PART) {
        warmed.run(operation, from, Math.min(count, from + WARMUP_PART));
      }
    }
  }

  /** Runs all operations. */
  @Benchmark
  public void run() {
    for (Operation operation : operations) {
      if (operation.isAddition()) {
        workload.renew();
      }
      measure(operation);
    }
  }

  private void measure(Operation operation) {
    int count = operation.isQuery() ? queries : elements;
    long bytes = 0;
    long nanoseconds = 0;
    long positives = 0;
    double growingBits = 0;
    for (int part = 0; part < PARTS; part++) {
      int from = (int) ((long) count * part / PARTS);
      int to = (int) ((long) count * (part + 1) / PARTS);
      long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      positives += threads == 1 ? workload.run(operation, from, to) : share(operation, from, to);
      nanoseconds += System.nanoTime() - start;
      bytes += THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
      if (operation == Operation.ADD && to >= elements / 10) {
        growingBits += (double) workload.bits() / to / (PARTS - PARTS / 10 + 1);
      }
    }
    Metrics.set(operation.time(), (double) nanoseconds / count);
    Metrics.set(operation.allocation(), (double) bytes / count);
    switch (operation) {
      case ADD -> {
        Metrics.set(Metrics.GROWING_BITS, growingBits);
        Metrics.set(Metrics.BITS, (double) workload.bits() / elements);
      }
      case QUERY_ABSENT -> Metrics.set(Metrics.FPP, (double) positives / count);
      case QUERY_PRESENT, BATCH_QUERY_PRESENT -> {
        if (positives != count) {
          throw new IllegalStateException(subject + " is negative for keys that were added");
        }
      }
      default -> {}
    }
  }

  /** Performs an operation on a range of the keys, a part of it in each thread. */
  private int share(Operation operation, int from, int to) {
    List<Future<Integer>> parts = new ArrayList<>();
    long count = (long) to - from;
    for (int i = 0; i < threads; i++) {
      int first = from + (int) (count * i / threads);
      int end = from + (int) (count * (i + 1) / threads);
      parts.add(pool.submit(() -> workload.run(operation, first, end)));
    }
    int positives = 0;
    for (Future<Integer> part : parts) {
      try {
        positives += part.get();
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(subject + " failed in another thread", e);
      }
    }
    return positives;
  }
}
