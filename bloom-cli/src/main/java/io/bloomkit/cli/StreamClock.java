package io.bloomkit.cli;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that whoever reads a stream sets: to the time of a line, or to that of a block. */
final class StreamClock implements InstantSource {

  private long millis;

  StreamClock(long millis) {
    this.millis = millis;
  }

  void set(long newMillis) {
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
