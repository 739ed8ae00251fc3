package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import java.util.concurrent.TimeUnit;
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
 * The operations of a filter. It is filled twice, with the results of the additions ignored and
 * used. Then keys that are present, keys that are absent and a mixture of both are queried, and all
 * elements are removed. The same follows with batches. Each operation is timed separately. This
 * takes a quarter of the time of one benchmark per operation, and noise on the machine affects all
 * operations equally.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class FilterBenchmark {

  /** The total number of elements of an iteration. */
  private static final int ELEMENTS_PER_ITERATION = 1_000_000;

  @Param public Subject subject;
  @Param public Keys keys;

  @Param("1000000")
  public int elements;

  @Param("0.01")
  public double fpp;

  private Contender contender;

  /** Creates the filter. */
  @Setup(Level.Trial)
  public void prepare() {
    contender = new Contender(new Run(subject, keys, elements, fpp, 1), Keys::workload);
  }

  /** Stops the threads of the filter. */
  @TearDown(Level.Trial)
  public void end() {
    contender.close();
  }

  /** Runs an iteration. */
  @Benchmark
  public void run() {
    contender.beginIteration();
    int times = Math.max(1, ELEMENTS_PER_ITERATION / elements);
    for (int i = 0; i < times; i++) {
      for (Operation operation : contender.operations()) {
        if (operation.isAddition()) {
          contender.renew();
        }
        contender.perform(operation, 0, contender.keysOf(operation));
      }
    }
    contender.report("");
  }
}
