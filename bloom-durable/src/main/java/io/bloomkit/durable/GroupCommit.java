package io.bloomkit.durable;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread force the log for all that wait. Updates are counted in generations: those
 * between two writes of the log are one. After a failure, nothing becomes durable any more: a
 * second force could succeed although the system has dropped what the first one could not write.
 */
final class GroupCommit {

  /** Writes and forces the log. Returns the last generation that is on the disk. */
  @FunctionalInterface
  interface Force {
    long force() throws IOException;
  }

  /** A thread whose stack overflows may notify nobody. */
  private static final long RECHECK_MILLIS = 1000;

  private final Force force;

  /** The fields are guarded by this object. */
  private long durable;

  private boolean isForcing;

  /** The number of threads in {@link #exclusively} that wait: others let them go first. */
  private int exclusive;

  private long forces;

  /** Why the log failed; null if it did not. Also written without a call. */
  volatile @Nullable Throwable failure;

  GroupCommit(Force force) {
    this.force = force;
  }

  synchronized long forces() {
    return forces;
  }

  void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /**
   * Waits until a generation is durable, and forces the log if nobody else does.
   *
   * @return false if the log has failed before
   */
  boolean await(long generation) {
    return run(generation, force, /* isExclusive= */ false);
  }

  /**
   * Waits until nobody forces the log, and forces it in another way while others wait. Those that
   * come or wait meanwhile do not force it before.
   *
   * @return false if the log has failed, now or before
   */
  boolean exclusively(Force other) {
    return run(Long.MAX_VALUE, other, /* isExclusive= */ true);
  }

  private boolean run(long generation, Force chosen, boolean isExclusive) {
    boolean isInterrupted = false;
    try {
      synchronized (this) {
        isInterrupted = awaitTurn(generation, isExclusive);
        if (durable >= generation) {
          return true;
        }
        if (failure != null) {
          return false;
        }
        isForcing = true;
      }
      // Outside of force(), there is no call until isForcing is false: the stack may overflow.
      long reached = -1;
      try {
        reached = chosen.force();
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
      } finally {
        synchronized (this) {
          isForcing = false;
          forces++;
          durable = reached > durable ? reached : durable;
          notifyAll();
        }
      }
      return reached >= 0;
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits until a generation is durable, or nobody forces the log. Requires the monitor.
   *
   * @return whether the thread was interrupted meanwhile
   */
  private boolean awaitTurn(long generation, boolean isExclusive) {
    boolean isInterrupted = false;
    exclusive += isExclusive ? 1 : 0;
    try {
      while (durable < generation
          && (isForcing || (exclusive > 0 && !isExclusive && failure == null))) {
        try {
          wait(RECHECK_MILLIS);
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } finally {
      exclusive -= isExclusive ? 1 : 0;
    }
    return isInterrupted;
  }
}
