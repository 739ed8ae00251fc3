package io.bloomkit.testkit;

import java.util.function.BooleanSupplier;

/** Runs several threads at the same time, for tests of concurrent filters. */
public final class Racer implements Runnable {

  private final BooleanSupplier part;
  private boolean gotWhatWasPromised;

  private Racer(BooleanSupplier part) {
    this.part = part;
  }

  @Override
  public void run() {
    gotWhatWasPromised = part.getAsBoolean();
  }

  /**
   * Runs each part in its own thread, all at the same time, and waits for all.
   *
   * @return the results of the parts, in their order
   */
  public static boolean[] race(BooleanSupplier... parts) {
    Racer[] racers = new Racer[parts.length];
    // Plain threads: Lincheck does not notice when a subclass of Thread is joined.
    Thread[] threads = new Thread[parts.length];
    for (int i = 0; i < parts.length; i++) {
      racers[i] = new Racer(parts[i]);
      threads[i] = new Thread(racers[i]);
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
      results[i] = racers[i].gotWhatWasPromised;
    }
    return results;
  }
}
