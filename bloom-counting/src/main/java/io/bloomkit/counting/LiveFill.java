package io.bloomkit.counting;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The number of non-zero counters of a {@link CountingBloomFilter} that maintains it. */
final class LiveFill {

  /** The number in a concurrent filter; {@code null} in other filters. */
  private final @Nullable LongAdder shared;

  private final long counters;
  private long count;

  LiveFill(long counters, boolean concurrent) {
    this.counters = counters;
    this.shared = concurrent ? new LongAdder() : null;
  }

  void add(long change) {
    if (shared == null) {
      count += change;
    } else if (change != 0) {
      shared.add(change);
    }
  }

  /** Sets the number. Requires that no other thread changes it. */
  void set(long nonZeroCounters) {
    count = 0;
    if (shared != null) {
      shared.reset();
    }
    add(nonZeroCounters);
  }

  /** Returns the number: approximate while other threads change it, but always within bounds. */
  long get() {
    return shared == null ? count : Math.max(0, Math.min(counters, shared.sum()));
  }
}
