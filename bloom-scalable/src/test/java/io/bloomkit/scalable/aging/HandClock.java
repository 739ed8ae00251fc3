package io.bloomkit.scalable.aging;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands until it is set. */
public final class HandClock implements InstantSource {

  public long millis;

  public HandClock(long millis) {
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
