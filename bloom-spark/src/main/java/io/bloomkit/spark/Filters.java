package io.bloomkit.spark;

import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterHeader;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.StorableFilter;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** Reads filters of the kinds that merge. */
final class Filters {

  private Filters() {}

  /**
   * Reads a filter.
   *
   * @throws IllegalArgumentException if it is damaged, or of another kind or strategy
   */
  static <T> StorableFilter<T> read(
      byte[] bytes, FilterKind kind, HashStrategy<? super T> strategy) {
    try {
      return FilterReader.fromBytes(bytes, reader -> kind.read(reader, strategy));
    } catch (FilterFormatException e) {
      throw unreadable(e);
    }
  }

  /**
   * Reads a filter by a strategy.
   *
   * @throws IllegalArgumentException if it is damaged, of a kind that is not one of {@link
   *     MergeableKinds}, or of another strategy
   */
  static <T> StorableFilter<T> read(byte[] bytes, HashStrategy<? super T> strategy) {
    return read(bytes, kind(header(bytes)), strategy);
  }

  /**
   * Reads a filter whose strategy is unknown: it can be merged, but neither queried nor added to.
   *
   * @throws IllegalArgumentException if it is damaged, or of a kind that is not one of {@link
   *     MergeableKinds}
   */
  static StorableFilter<Object> readAny(byte[] bytes) {
    FilterHeader header = header(bytes);
    return read(bytes, kind(header), new NamedStrategy(header.strategy()));
  }

  /** A strategy of which only the name is known. */
  private record NamedStrategy(StrategyIdentity identity) implements HashStrategy<Object> {

    @Override
    public long hash(Object element) {
      throw new UnsupportedOperationException("only the name of " + identity + " is known here");
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
                        + header.variant().name()
                        + ", but here only those kinds are known that merge: "
                        + MergeableKinds.labels()));
  }

  private static IllegalArgumentException unreadable(IOException e) {
    return new IllegalArgumentException("cannot read the filter: " + e.getMessage(), e);
  }
}
