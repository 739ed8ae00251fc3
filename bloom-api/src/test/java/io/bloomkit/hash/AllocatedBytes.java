package io.bloomkit.hash;

import java.lang.reflect.Method;

/**
 * How many bytes of the heap a piece of code takes. By reflection, because the platform's class for
 * it lies in a module that this one does not read.
 */
public final class AllocatedBytes {

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

  private AllocatedBytes() {}

  /** The bytes that the current thread allocates while it runs this. */
  public static long of(Runnable code) {
    long before = now();
    code.run();
    return now() - before;
  }

  private static long now() {
    try {
      return (long) ALLOCATED.invoke(THREADS, Thread.currentThread().getId());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
