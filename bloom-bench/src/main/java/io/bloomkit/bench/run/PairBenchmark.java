package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
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
 * Two filters side by side. The filters take turns: each performs an operation on a small part of
 * the keys, then the other one does. The ratio of two such intervals, and the median of all ratios,
 * hardly depends on the load of the machine or the placement of the process, whereas each time
 * does. Each filter has {@linkplain OwnClasses classes of its own}.
 *
 * <p>If only the first filter has batch methods, or if both filters are the same, the batch methods
 * of the first filter are compared with the methods for single keys of the second.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class PairBenchmark {

  /** The prefix of the names of the second filter's metrics. */
  public static final String PEER = "PEER_";

  /** The prefix of the names of ratio metrics. */
  public static final String RATIO = "RATIO_";

  private static final int PARTS = 20;

  @Param public Subject subject;
  @Param public Keys keys;

  @Param("1000000")
  public int elements;

  @Param("0.01")
  public double fpp;

  @Param("1")
  public int threads;

  @Param public Subject peer;

  @Param("1")
  public int peerThreads;

  /** Whether the second filter is created, and its code compiled, before the first. */
  @Param("false")
  public boolean peerFirst;

  private final Map<Operation, DoubleStream.Builder> ratios = new EnumMap<>(Operation.class);
  private Contender ours;
  private Contender theirs;
  private boolean isAgainstItself;

  /** Creates both filters. */
  @Setup(Level.Trial)
  public void prepare() {
    Run run = new Run(subject, keys, elements, fpp, threads);
    Run peerRun = new Run(peer, keys, elements, fpp, peerThreads);
    isAgainstItself = run.equals(peerRun);
    if (peerFirst) {
      theirs = new Contender(peerRun);
    }
    ours = new Contender(run);
    if (!peerFirst) {
      theirs = new Contender(peerRun);
    }
  }

  /** Stops the threads of both filters. */
  @TearDown(Level.Trial)
  public void end() {
    ours.close();
    theirs.close();
  }

  /** Runs all operations of both filters. */
  @Benchmark
  public void compare() {
    ours.beginIteration();
    theirs.beginIteration();
    ratios.clear();
    for (Operation operation : ours.operations()) {
      if (operation.isAddition()) {
        ours.renew();
        theirs.renew();
      }
      compare(operation);
    }
    ours.report("");
    theirs.report(PEER);
    ratios.forEach(
        (operation, values) ->
            Metrics.set(RATIO + operation.time(), Figure.median(values.build())));
  }

  private void compare(Operation operation) {
    Operation other = counterpart(operation);
    int count = ours.keysOf(operation);
    for (int i = 0; i < PARTS; i++) {
      int from = (int) ((long) count * i / PARTS);
      int to = (int) ((long) count * (i + 1) / PARTS);
      if (other == null) {
        ours.perform(operation, from, to);
      } else {
        double ratio =
            i % 2 == 0 // alternates which filter runs after the other
                ? (double) ours.perform(operation, from, to) / theirs.perform(other, from, to)
                : 1
                    / ((double) theirs.perform(other, from, to)
                        / ours.perform(operation, from, to));
        ratios.computeIfAbsent(operation, key -> DoubleStream.builder()).add(ratio);
      }
    }
  }

  /** Returns the operation of the second filter to compare with, or null if there is none. */
  private @Nullable Operation counterpart(Operation operation) {
    List<Operation> possible = theirs.operations();
    boolean inItsOwnForm =
        possible.contains(operation) && !(isAgainstItself && operation.isBatch());
    Operation other = inItsOwnForm ? operation : operation.single();
    return possible.contains(other) ? other : null;
  }
}
