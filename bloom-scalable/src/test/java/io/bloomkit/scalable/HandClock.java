package io.bloomkit.scalable;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands until it is set. */
final class HandClock implements InstantSource {

  long millis;

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
