package io.bloomkit.flink;

import org.jspecify.annotations.Nullable;

/** A record of the tests; public and mutable, so that Flink serializes it field by field. */
public final class Click {

  public @Nullable String id;

  /** Event time in milliseconds. */
  public long time;

  /** Its place in the stream. */
  public long number;

  /** For Flink. */
  public Click() {}

  Click(@Nullable String id, long time, long number) {
    this.id = id;
    this.time = time;
    this.number = number;
  }

  @Nullable String id() {
    return id;
  }

  @Override
  public String toString() {
    return id + "@" + time;
  }
}
