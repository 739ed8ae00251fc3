package io.bloomkit.spark;

import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.StrategyIdentity;
import java.io.Serializable;
import java.util.Objects;

/**
 * The parameters of a filter that all machines of a cluster build together.
 *
 * @param label the SQL name of the kind, since a {@link FilterKind} is not serializable
 */
record FilterSpec<T>(String label, StrategySource<T> strategy, long expected, double fpp)
    implements FilterSource<T>, Serializable {

  /** The largest filter in bytes: the limit of a Spark value, less 1 MiB for the row around it. */
  private static final long MAX_BYTES = Integer.MAX_VALUE - (1 << 20);

  FilterSpec {
    Objects.requireNonNull(label, "label");
    Objects.requireNonNull(strategy, "strategy");
    StrategyIdentity.of(strategy.get());
    long bytes = MergeableKinds.labelled(label).layout(expected, fpp).memoryBytes();
    if (bytes > MAX_BYTES) {
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
              + MAX_BYTES
              + " that a Spark value can hold: reduce expected, increase fpp,"
              + " or build one filter per part of the keys");
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
