package io.bloomkit.bench;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole filter an invocation: from empty to full, all keys asked for, as many others asked for,
 * all removed again. {@link Bench} divides by the number of keys.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 8)
@Measurement(iterations = 8)
@Fork(2)
public class LongKeys {

  /** A filter and random keys: the even ones are added, the odd ones never. */
  @State(Scope.Thread)
  public abstract static class Filter {

    @Param public Subject subject = Subject.CLASSIC;

    @Param({"100000", "1000000", "10000000"})
    public int elements;

    long[] keys = {};
    Subject.Longs filter = Subject.CLASSIC.empty(1);

    /** Makes the keys. */
    @Setup(Level.Trial)
    public void makeKeys() {
      keys = new SplittableRandom(1).longs(elements).map(key -> key & ~1L).toArray();
    }

    int addAll() {
      int added = 0;
      for (long key : keys) {
        added += filter.add(key) ? 1 : 0;
      }
      return added;
    }
  }

  /** Empty at every invocation. */
  @State(Scope.Thread)
  public static class Empty extends Filter {

    /** Makes the filter. */
    @Setup(Level.Invocation)
    public void makeFilter() {
      filter = subject.empty(elements);
    }
  }

  /** Full at every invocation. */
  @State(Scope.Thread)
  public static class Full extends Filter {

    /** Makes the filter and fills it. */
    @Setup(Level.Invocation)
    public void makeFilter() {
      filter = subject.empty(elements);
      addAll();
    }
  }

  /** Adds all keys to an empty filter. */
  @Benchmark
  public int add(Empty state) {
    return state.addAll();
  }

  /** Asks for all keys that are there. */
  @Benchmark
  public int queryPresent(Full state) {
    int claimed = 0;
    for (long key : state.keys) {
      claimed += state.filter.mightContain(key) ? 1 : 0;
    }
    return claimed;
  }

  /** Asks for as many keys that are not there. */
  @Benchmark
  public int queryAbsent(Full state) {
    int claimed = 0;
    for (long key : state.keys) {
      claimed += state.filter.mightContain(key | 1) ? 1 : 0;
    }
    return claimed;
  }

  /** Removes all keys. */
  @Benchmark
  public int remove(Full state) {
    int removed = 0;
    for (long key : state.keys) {
      removed += state.filter.remove(key) ? 1 : 0;
    }
    return removed;
  }
}
