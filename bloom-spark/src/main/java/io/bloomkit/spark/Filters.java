package io.bloomkit.spark;

import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterHeader;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.InsertableFilter;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.counting.BlockedCountingBloomFilter;
import io.bloomkit.counting.CountingBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;

/** What the kinds of filters do alike but, being final classes, under no common name. */
final class Filters {

  private Filters() {}

  /**
   * Reads a filter.
   *
   * @throws IllegalArgumentException if it is damaged, or of another kind or strategy
   */
  static <T> InsertableFilter<T> read(
      byte[] bytes, FilterKind kind, HashStrategy<? super T> strategy) {
    try {
      return kind.read(bytes, strategy);
    } catch (FilterFormatException e) {
      throw unreadable(e);
    }
  }

  /**
   * Reads a filter by a strategy.
   *
   * @throws IllegalArgumentException if it is damaged, of a kind that is not one of {@link
   *     FilterKind}, or of another strategy
   */
  static <T> InsertableFilter<T> read(byte[] bytes, HashStrategy<? super T> strategy) {
    return read(bytes, kind(header(bytes)), strategy);
  }

  /**
   * Reads a filter whose strategy is unknown: it can be merged, but neither asked nor added to.
   *
   * @throws IllegalArgumentException if it is damaged, or of a kind that is not one of {@link
   *     FilterKind}
   */
  static InsertableFilter<Object> readAny(byte[] bytes) {
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
    return FilterKind.of(header.variant())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the filter is a "
                        + header.variant().name()
                        + ", but here only those kinds are known that merge: "
                        + FilterKind.labels()));
  }

  private static IllegalArgumentException unreadable(IOException e) {
    return new IllegalArgumentException("cannot read the filter: " + e.getMessage(), e);
  }

  /**
   * Adds all elements of a filter to another one.
   *
   * @throws IllegalArgumentException if they are of different kinds, sizes or strategies
   */
  static <T> void merge(InsertableFilter<T> into, InsertableFilter<T> other) {
    if (into instanceof ClassicBloomFilter<T> a && other instanceof ClassicBloomFilter<T> b) {
      a.merge(b);
    } else if (into instanceof BlockedBloomFilter<T> a
        && other instanceof BlockedBloomFilter<T> b) {
      a.merge(b);
    } else if (into instanceof CountingBloomFilter<T> a
        && other instanceof CountingBloomFilter<T> b) {
      a.merge(b);
    } else if (into instanceof BlockedCountingBloomFilter<T> a
        && other instanceof BlockedCountingBloomFilter<T> b) {
      a.merge(b);
    } else {
      throw new IllegalArgumentException("cannot merge: this is " + into + ", other is " + other);
    }
  }

  /**
   * Takes all elements of a filter from another one.
   *
   * @throws IllegalArgumentException if they are of different kinds, sizes or strategies, are not
   *     of counters, or the other holds what this one does not
   */
  static <T> void subtract(InsertableFilter<T> from, InsertableFilter<T> other) {
    if (from instanceof CountingBloomFilter<T> a && other instanceof CountingBloomFilter<T> b) {
      a.subtract(b);
    } else if (from instanceof BlockedCountingBloomFilter<T> a
        && other instanceof BlockedCountingBloomFilter<T> b) {
      a.subtract(b);
    } else {
      throw new IllegalArgumentException(
          "cannot subtract: both must be counting filters of one kind, but this is "
              + from
              + ", other is "
              + other);
    }
  }

  /** Returns how many positions a filter has. */
  static long positions(InsertableFilter<?> filter) {
    if (filter instanceof ClassicBloomFilter<?> f) {
      return f.shape().positions();
    } else if (filter instanceof BlockedBloomFilter<?> f) {
      return f.shape().positions();
    } else if (filter instanceof CountingBloomFilter<?> f) {
      return f.shape().positions();
    }
    return ((BlockedCountingBloomFilter<?>) filter).shape().positions();
  }

  /** Returns how many positions an element takes. */
  static int hashes(InsertableFilter<?> filter) {
    if (filter instanceof ClassicBloomFilter<?> f) {
      return f.shape().hashes();
    } else if (filter instanceof BlockedBloomFilter<?> f) {
      return f.shape().hashes();
    } else if (filter instanceof CountingBloomFilter<?> f) {
      return f.shape().hashes();
    }
    return ((BlockedCountingBloomFilter<?>) filter).shape().hashes();
  }
}
