package io.bloomkit.testkit;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands until it is set. */
final class HandClock implements InstantSource {

  private long millis;

  HandClock(long millis) {
    this.millis = millis;
  }

  void set(long newMillis) {
    millis = newMillis;
  }

  void advance(long by) {
    millis += by;
  }

  @Override
  public long millis() {
    return millis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis);
  }
}
