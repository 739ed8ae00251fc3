package io.bloomkit.counting.dynamic;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that shows what it is set to. */
final class HandClock implements InstantSource {

  volatile long millis;

  HandClock(long millis) {
    this.millis = millis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis);
  }

  @Override
  public long millis() {
    return millis;
  }
}
