package io.bloomkit.spark;

import io.bloomkit.FilterFormatException;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;

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
    return read(bytes, kind(header(bytes)), strategy);
  }

  /**
   * Reads a filter whose strategy is unknown. The result can be merged, but neither queried nor
   * added to.
   *
   * @throws IllegalArgumentException if it is damaged, or of a kind that is not one of {@link
   *     MergeableKinds}
   */
  static StorableFilter<Object> readAny(byte[] bytes) {
    FilterHeader header = header(bytes);
    return read(bytes, kind(header), new NamedStrategy(header.strategy()));
  }

  /** The identity of a strategy whose code is not available. */
  private record NamedStrategy(StrategyIdentity identity) implements HashStrategy<Object> {

    @Override
    public long hash(Object element) {
      throw new UnsupportedOperationException(
          "cannot hash: only the identity of " + identity + " is known");
    }

    @Override
    public String id() {
      return identity.id();
    }

    @Override
    public long fingerprint() {
      return identity.fingerprint();
    }
  }

  static FilterHeader header(byte[] bytes) {
    try {
      return FilterHeader.readFrom(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  static FilterKind kind(FilterHeader header) {
    return MergeableKinds.of(header.variant())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the filter is a "
                        + header.variantName()
                        + ", which is not supported on Spark; supported kinds: "
                        + MergeableKinds.labels()));
  }

  private static IllegalArgumentException unreadable(IOException e) {
    return new IllegalArgumentException("cannot read the filter: " + e.getMessage(), e);
  }
}
