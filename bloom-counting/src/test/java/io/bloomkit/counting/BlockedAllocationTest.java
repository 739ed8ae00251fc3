package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.DeletableFilter;
import io.bloomkit.HashStrategies;
import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.BlockedBloomFilter;
import java.lang.reflect.Method;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The operations of the blocked filters, of bits and of counters, take no memory: of thousands that
 * are warm, not one allocates. Here since this module knows both filters.
 */
class BlockedAllocationTest {

  private static final int HASHES = 100_000;
  private static final int BATCH = 100;

  /** What the measurement itself may take. */
  private static final long MOST_BYTES = 1000;

  private final long[] hashes = new SplittableRandom(15).longs(HASHES).toArray();
  private final boolean[] answers = new boolean[HASHES];
  private final Long[] elements = new Long[HASHES];

  private long sink;

  BlockedAllocationTest() {
    for (int i = 0; i < HASHES; i++) {
      elements[i] = (long) i;
    }
  }

  @TestFactory
  Stream<DynamicTest> takesNoMemory() {
    BlockedBloomFilter.Builder<Long> bits =
        BlockedBloomFilter.builder(HashStrategies.longs()).expecting(HASHES, 0.01);
    BlockedCountingBloomFilter.Builder<Long> counters =
        BlockedCountingBloomFilter.builder(HashStrategies.longs()).expecting(HASHES, 0.01);
    BlockedBloomFilter<Long> singleBits = bits.build();
    BlockedCountingBloomFilter<Long> singleCounters = counters.build();
    return Stream.of(
            insertions("bits", singleBits),
            insertions("concurrent bits", bits.concurrent().build()),
            insertions("bits as of counters", singleCounters.toBlocked()),
            insertions("counters", singleCounters),
            removals("counters", singleCounters),
            sharedCounters(counters.concurrent().build()))
        .flatMap(tests -> tests);
  }

  private Stream<DynamicTest> sharedCounters(BlockedCountingBloomFilter<Long> filter) {
    return Stream.concat(
        insertions("concurrent counters", filter), removals("concurrent counters", filter));
  }

  private Stream<DynamicTest> insertions(String name, InsertableFilter<Long> filter) {
    return Stream.of(
        test(name + ": add", i -> filter.add(elements[i]) ? 1 : 0),
        test(name + ": addHash", i -> filter.addHash(hashes[i]) ? 1 : 0),
        testBatch(name + ": addHashes", i -> filter.addHashes(hashes, i, BATCH)),
        test(name + ": mightContain", i -> filter.mightContain(elements[i]) ? 1 : 0),
        test(name + ": mightContainHash", i -> filter.mightContainHash(hashes[i]) ? 1 : 0),
        testBatch(
            name + ": mightContainHashes",
            i -> filter.mightContainHashes(hashes, i, BATCH, answers)));
  }

  private Stream<DynamicTest> removals(String name, DeletableFilter<Long> filter) {
    return Stream.of(
        test(name + ": count", i -> filter.count(elements[i])),
        test(name + ": countHash", i -> filter.countHash(hashes[i])),
        test(name + ": remove", i -> filter.remove(elements[i]) ? 1 : 0),
        test(name + ": removeHash", i -> filter.removeHash(hashes[i]) ? 1 : 0),
        testBatch(name + ": removeHashes", i -> filter.removeHashes(hashes, i, BATCH)));
  }

  private DynamicTest test(String name, IntToLongFunction operation) {
    return test(name, operation, 1);
  }

  private DynamicTest testBatch(String name, IntToLongFunction operation) {
    return test(name, operation, BATCH);
  }

  private DynamicTest test(String name, IntToLongFunction operation, int step) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          long bytes = allocated(operation, step);
          assertTrue(bytes <= MOST_BYTES, () -> name + ": " + bytes + " bytes");
        });
  }

  /**
   * The bytes that a fifth of the operations takes. Of those after the first the least counts: what
   * the virtual machine links on the way comes once, what an operation takes every time.
   */
  private long allocated(IntToLongFunction operation, int step) {
    int fifth = HASHES / 5;
    run(operation, 0, fifth, step);
    long least = Long.MAX_VALUE;
    for (int from = fifth; from < HASHES; from += fifth) {
      long before = AllocatedBytes.ofThisThread();
      run(operation, from, from + fifth, step);
      least = Math.min(least, AllocatedBytes.ofThisThread() - before);
    }
    return least;
  }

  private void run(IntToLongFunction operation, int from, int to, int step) {
    long sum = 0;
    for (int i = from; i < to; i += step) {
      sum += operation.applyAsLong(i);
    }
    sink += sum; // used, so that nothing is left out
  }

  /** The measurement sees a filter whose operations allocate, however rarely. */
  @Test
  void oneAllocationInAThousandIsSeen() {
    long bytes = allocated(i -> i % 1000 == 0 ? answers.clone().length : 0, 1);
    assertTrue(bytes >= 20L * HASHES, () -> bytes + " bytes");
    assertEquals(HASHES / 1000L * HASHES, sink);
  }

  /** By reflection, because the platform's class lies in a module that this one does not read. */
  private static final class AllocatedBytes {

    private static final Object THREADS;
    private static final Method ALLOCATED;

    static {
      try {
        THREADS =
            Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        ALLOCATED =
            Class.forName("com.sun.management.ThreadMXBean")
                .getMethod("getThreadAllocatedBytes", long.class);
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("this Java runtime does not measure allocation", e);
      }
    }

    static long ofThisThread() {
      try {
        return (long) ALLOCATED.invoke(THREADS, Thread.currentThread().getId());
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }
  }
}
