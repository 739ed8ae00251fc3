package io.bloomkit.scalable;

import java.util.function.BooleanSupplier;

/** One thread of a race: what it does, and whether it got what was promised. */
final class Racer implements Runnable {

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
   * Runs some threads at once.
   *
   * @return for each of them what it returned
   */
  static boolean[] race(BooleanSupplier... parts) {
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
