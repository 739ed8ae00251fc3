package io.bloomkit.bench.run;

import io.bloomkit.bench.subject.Subject;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.util.SplittableRandom;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * Lower bounds of the time of any filter: one random read of eight bytes per key from an array as
 * large as the filter, and one hash per key. Independent reads overlap their memory latency;
 * dependent reads do not.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
public class Floor {

  private static final int KEYS = 1 << 20;
  private static final int REHEARSALS = 1000;
  private static final int REHEARSED_KEYS = 256;
  private static final LongHashStrategy LONGS = HashStrategies.longs();

  /** The filter that determines the size of the array. */
  @Param public Subject subject;

  @Param("1000000")
  public int elements;

  @Param("0.01")
  public double fpp;

  private final long[] keys = new SplittableRandom(1).longs(KEYS).toArray();
  private long[] array;
  private long bits;

  /** Creates the array, and runs the code until it is compiled. */
  @Setup(Level.Trial)
  public void prepare(Blackhole sink) {
    bits = subject.maker.longs(elements, fpp, 0).bits();
    array = new long[Math.toIntExact(bits / Long.SIZE)];
    for (int i = 0; i < REHEARSALS; i++) {
      sink.consume(readIndependently(REHEARSED_KEYS));
      sink.consume(readDependently(REHEARSED_KEYS));
      sink.consume(hash(REHEARSED_KEYS));
    }
  }

  /** Measures a million operations of each type. */
  @Benchmark
  public void touch(Blackhole sink) {
    long start = System.nanoTime();
    sink.consume(readIndependently(KEYS));
    long independent = System.nanoTime();
    sink.consume(readDependently(KEYS));
    long dependent = System.nanoTime();
    sink.consume(hash(KEYS));
    long hash = System.nanoTime();
    Metrics.set(Metrics.INDEPENDENT_READ, (double) (independent - start) / KEYS);
    Metrics.set(Metrics.DEPENDENT_READ, (double) (dependent - independent) / KEYS);
    Metrics.set(Metrics.HASH, (double) (hash - dependent) / KEYS);
    Metrics.set(Metrics.BITS, bits);
  }

  private long readIndependently(int count) {
    long[] array = this.array;
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum += array[index(keys[i], array.length)];
    }
    return sum;
  }

  /**
   * Reads words whose addresses depend on the previous read, and returns the last word. All words
   * are zero, but the processor cannot know that.
   */
  private long readDependently(int count) {
    long[] array = this.array;
    long read = 0;
    for (int i = 0; i < count; i++) {
      read = array[index(keys[i] ^ read, array.length)];
    }
    return read;
  }

  private long hash(int count) {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum ^= LONGS.hashLong(keys[i]);
    }
    return sum;
  }

  private static int index(long key, int length) {
    return (int) ((key >>> Integer.SIZE) * length >>> Integer.SIZE);
  }
}
