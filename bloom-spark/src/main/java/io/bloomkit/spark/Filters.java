package io.bloomkit.spark;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.FilterFile;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;

/** Reads filters of the {@link MergeableKinds} from their file format. */
final class Filters {

  private Filters() {}

  /**
   * Reads a filter of a known kind and strategy.
   *
   * @throws IllegalArgumentException if it is damaged, or of another kind or strategy
   */
  static <T> StorableFilter<T> read(
      byte[] bytes, FilterKind kind, HashStrategy<? super T> strategy) {
    try {
      return kind.fromBytes(bytes, strategy);
    } catch (FilterFormatException e) {
      throw unreadable(e);
    }
  }

  /**
   * Reads a filter of any mergeable kind with a known strategy.
   *
   * @throws IllegalArgumentException if it is damaged, of a kind that is not one of {@link
   *     MergeableKinds}, or of another strategy
   */
  static <T> StorableFilter<T> read(byte[] bytes, HashStrategy<? super T> strategy) {
    FilterFile file = inspect(bytes);
    StrategyIdentity identity = StrategyIdentity.of(strategy);
    if (strategy instanceof ColumnStrategy && !file.strategy().equals(identity)) {
      throw new IllegalArgumentException(
          "the filter was filled by strategy "
              + file.strategy().id()
              + " but is to be read with "
              + identity.id()
              + ": cast the value to the type of the column that filled it");
    }
    return read(bytes, kind(file), strategy);
  }

  /**
   * Reads a filter whose strategy is unknown. The result can be merged, but neither queried nor
   * added to.
   *
   * @throws IllegalArgumentException if it is damaged, or of a kind that is not one of {@link
   *     MergeableKinds}
   */
  static StorableFilter<Object> readAny(byte[] bytes) {
    FilterFile file = inspect(bytes);
    return read(bytes, kind(file), file.opaqueStrategy());
  }

  /**
   * Returns what the header of a filter states.
   *
   * @throws IllegalArgumentException if it is damaged
   */
  static FilterFile inspect(byte[] bytes) {
    try {
      return FilterFile.inspect(bytes);
    } catch (FilterFormatException e) {
      throw unreadable(e);
    }
  }

  static FilterKind kind(FilterFile file) {
    return MergeableKinds.of(file)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the filter is a "
                        + (file.isDelta() ? "Delta" : file.className())
                        + ", which is not supported on Spark; supported kinds: "
                        + MergeableKinds.labels()));
  }

  private static IllegalArgumentException unreadable(FilterFormatException e) {
    return new IllegalArgumentException("cannot read the filter: " + e.getMessage(), e);
  }
}
