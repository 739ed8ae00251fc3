package io.bloomkit.counting;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;

/** Whether another thread waits for a lock. */
final class WaitingThreads {

  private WaitingThreads() {}

  /** Returns once a thread waits for a lock, and fails if it ends without. */
  static void awaitBlocked(Thread thread) {
    long start = System.nanoTime();
    while (thread.getState() != Thread.State.BLOCKED) {
      assertTrue(System.nanoTime() - start < TimeUnit.MINUTES.toNanos(1), "does not get on");
      assertNotEquals(Thread.State.TERMINATED, thread.getState(), "did not wait for the lock");
      Thread.onSpinWait();
    }
  }

  /** Returns once a thread has ended, and fails if it waits for a lock for more than a moment. */
  static void awaitEnd(Thread thread) throws InterruptedException {
    int blocked = 0;
    while (thread.isAlive()) {
      thread.join(1);
      blocked = thread.getState() == Thread.State.BLOCKED ? blocked + 1 : 0;
      assertTrue(blocked < 300, "waited for the lock");
    }
  }
}
