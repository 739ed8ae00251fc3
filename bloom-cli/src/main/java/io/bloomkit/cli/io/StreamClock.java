package io.bloomkit.cli.io;

import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that the reader of a stream sets to the time of a line or of a block. Not thread-safe.
 */
public final class StreamClock implements InstantSource {

  private long millis;

  public StreamClock(long millis) {
    this.millis = millis;
  }

  public void set(long newMillis) {
    millis = newMillis;
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
