package io.bloomkit.cuckoo;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that shows what it is set to. */
final class ManualClock implements InstantSource {

  private final AtomicLong millis;

  ManualClock(long millis) {
    this.millis = new AtomicLong(millis);
  }

  void set(long to) {
    millis.set(to);
  }

  /** Moves the time by a number of milliseconds, back if negative. */
  void pass(long more) {
    millis.addAndGet(more);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  @Override
  public long millis() {
    return millis.get();
  }
}
