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

  private final Force force;

  /** The fields are guarded by this object. */
  private long durable;

  private boolean isForcing;
  private long forces;
  private volatile @Nullable Throwable failure;

  GroupCommit(Force force) {
    this.force = force;
  }

  synchronized long forces() {
    return forces;
  }

  /** Returns why the log failed; null if it did not. */
  @Nullable Throwable failure() {
    return failure;
  }

  synchronized void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
    notifyAll();
  }

  /**
   * Waits until a generation is durable, and forces the log if nobody else does.
   *
   * @return false if the log has failed before
   */
  boolean await(long generation) {
    boolean isInterrupted = false;
    try {
      while (true) {
        synchronized (this) {
          isInterrupted |= awaitTurn(generation);
          if (durable >= generation) {
            return true;
          }
          if (failure != null) {
            return false;
          }
          isForcing = true;
        }
        lead(force);
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits until nobody forces the log, and forces it in another way while others wait.
   *
   * @return false if the log has failed, now or before
   */
  boolean exclusively(Force other) {
    boolean isInterrupted;
    synchronized (this) {
      isInterrupted = awaitTurn(Long.MAX_VALUE);
      if (failure != null) {
        return false;
      }
      isForcing = true;
    }
    lead(other);
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    return failure == null;
  }

  /**
   * Waits until a generation is durable, or nobody forces the log. Requires the monitor.
   *
   * @return whether the thread was interrupted meanwhile
   */
  private boolean awaitTurn(long generation) {
    boolean isInterrupted = false;
    while (durable < generation && isForcing) {
      try {
        wait();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    return isInterrupted;
  }

  private void lead(Force chosen) {
    long reached = -1;
    try {
      reached = chosen.force();
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    } finally {
      synchronized (this) {
        isForcing = false;
        forces++;
        durable = Math.max(durable, reached);
        notifyAll();
      }
    }
  }
}
