package io.bloomkit.scalable.aging;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Insertions, queries and shifts allocate nothing: less than a byte per operation on average. */
@Tag("allocation")
class AgingAllocationTest {

  private static final int OPERATIONS = 200_000;

  private final HandClock clock = new HandClock(0);

  @Test
  void additionsQueriesAndShiftsAllocateNothing() throws ReflectiveOperationException {
    AgingShape shape = AgingShape.of(1000, 0.01);
    for (AgingBloomFilter<Long> filter :
        List.of(byCount(shape), byTime(shape, Duration.ofMillis(100)))) {
      assertAllocatesNothing(filter, OPERATIONS / 200);
    }
  }

  /** A byte a shift would be noticed. */
  @Test
  void aShiftWithEveryAdditionAllocatesNothing() throws ReflectiveOperationException {
    AgingShape shape = new AgingShape(7, 13, 128, 1);
    for (AgingBloomFilter<Long> filter :
        List.of(byCount(shape), byTime(shape, Duration.ofMillis(1)))) {
      assertAllocatesNothing(filter, OPERATIONS - 1);
    }
  }

  /** Only the end of a generation takes memory: a slice, and what says where the others are. */
  @Test
  void aConcurrentFilterAllocatesNothingWithinAGeneration() throws ReflectiveOperationException {
    AgingShape shape = new AgingShape(7, 13, 1 << 16, 3 * OPERATIONS);
    assertAllocatesNothing(
        AgingBloomFilter.builder(HashStrategies.longs()).shape(shape).concurrent().build(), 0);
    assertAllocatesNothing(
        AgingBloomFilter.builder(HashStrategies.longs())
            .shape(shape, Duration.ofDays(1))
            .clock(clock)
            .concurrent()
            .build(),
        0);
  }

  private static AgingBloomFilter<Long> byCount(AgingShape shape) {
    return AgingBloomFilter.builder(HashStrategies.longs()).shape(shape).build();
  }

  private AgingBloomFilter<Long> byTime(AgingShape shape, Duration generation) {
    return AgingBloomFilter.builder(HashStrategies.longs())
        .shape(shape, generation)
        .clock(clock)
        .build();
  }

  private void assertAllocatesNothing(AgingBloomFilter<Long> filter, long leastGenerations)
      throws ReflectiveOperationException {
    run(filter); // warm
    long generation = filter.cycle().generation();
    long before = allocatedBytes();
    run(filter);
    long bytes = allocatedBytes() - before;
    assertTrue(filter.cycle().generation() >= generation + leastGenerations, filter::toString);
    assertTrue(bytes < OPERATIONS, bytes + " bytes for " + OPERATIONS + " of " + filter);
  }

  private void run(AgingBloomFilter<Long> filter) {
    for (long hash = 1; hash <= OPERATIONS; hash++) {
      clock.millis++;
      filter.addLong(hash); // which calls addHash
      filter.mightContainLong(~hash);
    }
  }

  /** By reflection, because the platform's class for it lies in a module this does not read. */
  private static long allocatedBytes() throws ReflectiveOperationException {
    Object threads =
        Class.forName("java.lang.management.ManagementFactory")
            .getMethod("getThreadMXBean")
            .invoke(null);
    Method allocated =
        Class.forName("com.sun.management.ThreadMXBean")
            .getMethod("getThreadAllocatedBytes", long.class);
    return (long) allocated.invoke(threads, Thread.currentThread().getId());
  }
}
