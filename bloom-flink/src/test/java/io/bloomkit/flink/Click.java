package io.bloomkit.flink;

import org.jspecify.annotations.Nullable;

/** A record of the tests; public and mutable, since Flink serializes it field by field. */
public final class Click {

  public @Nullable String id;
  public long time;

  /** For Flink. */
  public Click() {}

  Click(@Nullable String id, long time) {
    this.id = id;
    this.time = time;
  }

  @Nullable String id() {
    return id;
  }

  long time() {
    return time;
  }

  @Override
  public String toString() {
    return id + "@" + time;
  }
}
