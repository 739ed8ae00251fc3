package io.bloomkit.testkit.internal;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Reads the Java runtime's count of the bytes that a thread allocates on the heap. */
public final class AllocatedBytes {

  /** The number of bytes that the measurement and the virtual machine may allocate. */
  public static final long OF_THE_MEASUREMENT = 4000;

  private static final int STRETCHES = 5;

  /** {@code null} if the runtime counts nothing. Looked up once, since that allocates. */
  private static final @Nullable ThreadMXBean THREADS = measuring();

  /** Receives results, so the compiler cannot remove their computation. */
  @SuppressWarnings("unused")
  private static volatile long sink;

  private AllocatedBytes() {}

  /**
   * Runs an operation on all indexes, in five equal parts. Returns the smallest number of bytes
   * that one of the last four parts allocates. Class linking and growth of a filter allocate only
   * in some parts; an operation that always allocates does so in all parts.
   *
   * @param operation takes an index; the compiler cannot remove the computation of its results
   * @param count the number of indexes, which begin at 0
   * @param step the number of indexes that one call of the operation covers
   */
  public static long inSteadyState(IntToLongFunction operation, int count, int step) {
    int stretch = count / STRETCHES;
    run(operation, 0, stretch, step);
    long least = Long.MAX_VALUE;
    for (int from = stretch; from + stretch <= count; from += stretch) {
      long before = required();
      run(operation, from, from + stretch, step);
      least = Math.min(least, required() - before);
    }
    return least;
  }

  private static void run(IntToLongFunction operation, int from, int to, int step) {
    long sum = 0;
    for (int i = from; i < to; i += step) {
      sum += operation.applyAsLong(i);
    }
    sink = sum;
  }

  private static long required() {
    if (THREADS == null) {
      throw new AssertionError("this Java runtime does not measure allocation: run on HotSpot");
    }
    return ofThisThread();
  }

  /**
   * Returns the number of bytes that the current thread has allocated on the heap so far, or −1 if
   * the runtime does not count them.
   */
  public static long ofThisThread() {
    return THREADS == null ? -1 : THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static @Nullable ThreadMXBean measuring() {
    return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
            && threads.isThreadAllocatedMemorySupported()
            && threads.isThreadAllocatedMemoryEnabled()
        ? threads
        : null;
  }
}
