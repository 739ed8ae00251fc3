package io.bloomkit.cli.io;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that a test sets. Not thread-safe. */
public final class HandClock implements InstantSource {

  private long millis;

  public HandClock(long millis) {
    this.millis = millis;
  }

  public void set(long newMillis) {
    millis = newMillis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis);
  }
}
