package io.bloomkit.spark;

import io.bloomkit.InsertableFilter;
import io.bloomkit.hash.StrategyIdentity;
import java.io.Serializable;
import java.util.Objects;

/** What all machines must agree on to build one filter. */
record FilterSpec<T>(FilterKind kind, StrategySource<T> strategy, long expected, double fpp)
    implements FilterSource<T>, Serializable {

  /** What a value of Spark holds, less room for the row around it. */
  private static final long MOST_BYTES = Integer.MAX_VALUE - (1 << 20);

  FilterSpec {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(strategy, "strategy");
    StrategyIdentity.of(strategy.get());
    long bytes = kind.memoryBytes(expected, fpp);
    if (bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a "
              + kind.label()
              + " filter of "
              + expected
              + " elements at fpp "
              + fpp
              + " takes "
              + bytes
              + " bytes, more than the "
              + MOST_BYTES
              + " of a value in Spark: expect fewer elements, allow more errors, or build one"
              + " filter for each part of the keys");
    }
  }

  @Override
  public InsertableFilter<T> create() {
    return kind.create(strategy.get(), expected, fpp);
  }

  @Override
  public InsertableFilter<T> read(byte[] bytes) {
    return Filters.read(bytes, kind, strategy.get());
  }
}
