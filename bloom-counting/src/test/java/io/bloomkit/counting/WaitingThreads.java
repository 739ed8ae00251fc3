package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** Whether another thread waits for a lock. */
final class WaitingThreads {

  private WaitingThreads() {}

  /** Returns once a thread waits for a lock, and fails if it ends without. */
  static void awaitBlocked(Thread thread) {
    while (thread.getState() != Thread.State.BLOCKED) {
      assertNotEquals(Thread.State.TERMINATED, thread.getState(), "did not ask for the lock");
      Thread.onSpinWait();
    }
  }

  /** Returns once a thread has ended, and fails if it waits for a lock. */
  static void awaitEnd(Thread thread) {
    while (thread.getState() != Thread.State.TERMINATED) {
      assertNotEquals(Thread.State.BLOCKED, thread.getState(), "asked for the lock");
      Thread.onSpinWait();
    }
  }
}
