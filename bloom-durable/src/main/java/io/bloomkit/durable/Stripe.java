package io.bloomkit.durable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/** Keeps the fields of a stripe out of the cache lines of other objects. */
@SuppressWarnings("unused")
abstract class StripePadding {

  private long p0;
  private long p1;
  private long p2;
  private long p3;
  private long p4;
  private long p5;
  private long p6;
  private long p7;
}

/** The fields of a {@link Stripe}. */
abstract class StripeFields extends StripePadding {

  int count;
  int removalCount;
  int capacity;
  UpdateBuffer buffer = Stripe.NO_BUFFER;
}

/**
 * A lock for the updates of some hashes or of some threads, and their updates that are not yet in
 * the log. An update changes the filter and is appended here under the lock.
 *
 * <p>The lock is held for one update, which takes less time than waking a thread. So it spins
 * first. Entering and leaving costs half as much as with a {@code ReentrantLock}.
 */
@SuppressWarnings("unused") // the padding
final class Stripe extends StripeFields {

  static final UpdateBuffer NO_BUFFER = new UpdateBuffer(0);

  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(Stripe.class, "held", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int SPINS = 100;
  private static final long PARK_NANOS = 20_000;

  /** Also written without a call, where the stack may have overflowed. */
  volatile boolean held;

  private long p0;
  private long p1;
  private long p2;
  private long p3;
  private long p4;
  private long p5;
  private long p6;
  private long p7;

  boolean tryLock() {
    return HELD.compareAndSet(this, false, true);
  }

  void lock() {
    if (!tryLock()) {
      lockHeld();
    }
  }

  private void lockHeld() {
    int tries = 0;
    do {
      pause(this, tries++);
    } while ((boolean) HELD.getOpaque(this) || !tryLock());
  }

  /** Waits for a lock that was held several times in a row. */
  static void pause(Object blocker, int tries) {
    if (tries < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(blocker, PARK_NANOS);
    }
  }

  void unlock() {
    HELD.setRelease(this, false);
  }

  boolean hasBuffer() {
    return capacity > 0;
  }

  void setBuffer(UpdateBuffer empty) {
    buffer = empty;
    capacity = empty.hashes.length;
  }

  void append(long hash) {
    buffer.hashes[count++] = hash;
  }

  void appendRemoval(long hash) {
    buffer.hashes[count] = hash;
    buffer.markRemoval(count);
    count++;
    removalCount++;
  }

  /** Returns the updates, and has none afterwards. */
  UpdateBuffer take() {
    UpdateBuffer taken = buffer;
    taken.count = count;
    taken.removalCount = removalCount;
    count = 0;
    removalCount = 0;
    setBuffer(NO_BUFFER);
    return taken;
  }
}
