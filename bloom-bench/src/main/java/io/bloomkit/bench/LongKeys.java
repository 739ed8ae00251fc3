package io.bloomkit.bench;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The life of a filter: from empty to full, all keys asked for, as many others asked for, all
 * removed again; then once more by the forms for many keys at once. Each phase is timed on its own,
 * which takes a quarter of the time that a benchmark a phase would take, and lets noise on the
 * machine hit all phases alike.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LongKeys {

  /** A filter and random keys: the even ones are added, the odd ones never. */
  @State(Scope.Thread)
  public static class Filter {

    @Param public Subject subject = Subject.CLASSIC;

    @Param({"100000", "1000000", "10000000"})
    public int elements;

    long[] keys = {};
    long[] others = {};
    Subject.Longs filter = Subject.CLASSIC.empty(1);

    /** Makes the keys. */
    @Setup(Level.Trial)
    public void makeKeys() {
      keys = new SplittableRandom(1).longs(elements).map(key -> key & ~1L).toArray();
      others = new SplittableRandom(1).longs(elements).map(key -> key | 1).toArray();
    }

    /** Makes the filter. */
    @Setup(Level.Invocation)
    public void makeFilter() {
      filter = subject.empty(elements);
    }
  }

  /** Nanoseconds of each phase, all keys together. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Nanoseconds {
    public long add;
    public long queryPresent;
    public long queryAbsent;
    public long remove;
    public long batchAdd;
    public long batchQueryPresent;
    public long batchQueryAbsent;
    public long batchRemove;
    public long falsePositives;
  }

  /** One life. */
  @Benchmark
  public void life(Filter state, Nanoseconds nanoseconds) {
    Subject.Longs filter = state.filter;
    long time = System.nanoTime();
    for (long key : state.keys) {
      filter.add(key);
    }
    nanoseconds.add = -time + (time = System.nanoTime());
    requireAll(countClaimed(filter, state.keys), state);
    nanoseconds.queryPresent = -time + (time = System.nanoTime());
    nanoseconds.falsePositives = countClaimed(filter, state.others);
    nanoseconds.queryAbsent = -time + (time = System.nanoTime());
    if (state.subject.removes) {
      for (long key : state.keys) {
        filter.remove(key);
      }
      nanoseconds.remove = -time + System.nanoTime();
    }
    if (state.subject.hasBatch) {
      batchLife(filter, state, nanoseconds);
    }
  }

  private static void batchLife(Subject.Longs filter, Filter state, Nanoseconds nanoseconds) {
    if (!state.subject.removes) {
      filter.clear();
    }
    long time = System.nanoTime();
    filter.addAll(state.keys);
    nanoseconds.batchAdd = -time + (time = System.nanoTime());
    requireAll(filter.countClaimed(state.keys), state);
    nanoseconds.batchQueryPresent = -time + (time = System.nanoTime());
    filter.countClaimed(state.others);
    nanoseconds.batchQueryAbsent = -time + (time = System.nanoTime());
    if (state.subject.removes) {
      filter.removeAll(state.keys);
      nanoseconds.batchRemove = -time + System.nanoTime();
    }
  }

  private static int countClaimed(Subject.Longs filter, long[] keys) {
    int claimed = 0;
    for (long key : keys) {
      claimed += filter.mightContain(key) ? 1 : 0;
    }
    return claimed;
  }

  private static void requireAll(int claimed, Filter state) {
    if (claimed != state.keys.length) {
      throw new IllegalStateException(state.subject + " denies keys that were added");
    }
  }
}
