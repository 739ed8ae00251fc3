package io.bloomkit.testkit.internal;

import java.util.function.BooleanSupplier;

/** Runs several threads concurrently, for tests of concurrent filters. */
public final class ConcurrentRunner implements Runnable {

  private final BooleanSupplier part;
  private boolean result;

  private ConcurrentRunner(BooleanSupplier part) {
    this.part = part;
  }

  /**
   * Runs one of the parts that were passed to {@link #runAll}. Only threads started by {@code
   * runAll} call this method.
   */
  @Override
  public void run() {
    result = part.getAsBoolean();
  }

  /**
   * Runs several parts concurrently, each in a thread of its own, and waits until all threads have
   * ended.
   *
   * @param parts the parts to run
   * @return the results of the parts, in the order of {@code parts}; false for a part that throws
   * @throws AssertionError if the calling thread is interrupted while it waits
   */
  public static boolean[] runAll(BooleanSupplier... parts) {
    ConcurrentRunner[] runners = new ConcurrentRunner[parts.length];
    // Plain threads, since Lincheck does not detect joins of subclasses of Thread.
    Thread[] threads = new Thread[parts.length];
    for (int i = 0; i < parts.length; i++) {
      runners[i] = new ConcurrentRunner(parts[i]);
      threads[i] = new Thread(runners[i]);
    }
    for (Thread thread : threads) {
      thread.start();
    }
    boolean[] results = new boolean[parts.length];
    for (int i = 0; i < parts.length; i++) {
      try {
        threads[i].join();
      } catch (InterruptedException e) {
        throw new AssertionError("nobody interrupts a race", e);
      }
      results[i] = runners[i].result;
    }
    return results;
  }
}
