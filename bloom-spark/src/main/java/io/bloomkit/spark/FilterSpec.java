package io.bloomkit.spark;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.StrategyIdentity;
import java.io.Serializable;
import java.util.Objects;

/**
 * The parameters of a filter that all machines of a cluster build together.
 *
 * @param label the name of the kind in SQL: kinds are not serializable
 */
record FilterSpec<T>(String label, StrategySource<T> strategy, long expected, double fpp)
    implements FilterSource<T>, Serializable {

  /** The largest size of a value in Spark, less room for the row around it. */
  private static final long MOST_BYTES = Integer.MAX_VALUE - (1 << 20);

  FilterSpec {
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(strategy, "strategy");
    StrategyIdentity.of(strategy.get());
    long bytes = MergeableKinds.labelled(label).layout(expected, fpp).memoryBytes();
    if (bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a "
              + label
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

  FilterSpec(FilterKind kind, StrategySource<T> strategy, long expected, double fpp) {
    this(kind.label(), strategy, expected, fpp);
  }

  private FilterKind kind() {
    return MergeableKinds.labelled(label);
  }

  @Override
  public StorableFilter<T> create() {
    return kind().create(strategy.get(), expected, fpp);
  }

  @Override
  public StorableFilter<T> read(byte[] bytes) {
    return Filters.read(bytes, kind(), strategy.get());
  }
}
