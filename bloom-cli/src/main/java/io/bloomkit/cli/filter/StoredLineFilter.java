package io.bloomkit.cli.filter;

import io.bloomkit.DeletableFilter;
import io.bloomkit.FilterPlan;
import io.bloomkit.cli.io.LineHash;
import io.bloomkit.format.FilterKind;
import io.bloomkit.format.FilterReader;
import io.bloomkit.format.StorableFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;

/** A filter in this library's file format. */
final class StoredLineFilter<T> extends LineFilter {

  private final FilterKind kind;
  private final LineHash<T> hash;
  private final StorableFilter<T> filter;

  private StoredLineFilter(FilterKind kind, LineHash<T> hash, StorableFilter<T> filter) {
    this.kind = kind;
    this.hash = hash;
    this.filter = filter;
  }

  /**
   * Returns an empty filter.
   *
   * @throws IllegalArgumentException if {@code items} or {@code fpp} is not supported
   */
  static <T> StoredLineFilter<T> create(FilterKind kind, LineHash<T> hash, long items, double fpp) {
    return new StoredLineFilter<>(kind, hash, kind.create(hash.strategy(), items, fpp));
  }

  /** Reads a filter with a known kind and strategy. */
  static <T> StoredLineFilter<T> read(FilterKind kind, LineHash<T> hash, Path file)
      throws IOException {
    return new StoredLineFilter<>(kind, hash, readFilter(kind, hash, file));
  }

  private static <T> StorableFilter<T> readFilter(FilterKind kind, LineHash<T> hash, Path file)
      throws IOException {
    return FilterReader.readFrom(file, reader -> kind.read(reader, hash.strategy()));
  }

  @Override
  LineKind kind() {
    return new LineKind.Installed(kind);
  }

  @Override
  boolean mightContain(byte[] bytes, int from, int to) {
    return filter.mightContainHash(hash.hash(bytes, from, to));
  }

  @Override
  boolean add(byte[] bytes, int from, int to) {
    try {
      return kind.addHash(filter, hash.hash(bytes, from, to));
    } catch (IllegalStateException e) { // the filter is full
      throw new IllegalArgumentException(
          e.getMessage() + "; build the filter again with a larger --items", e);
    }
  }

  @Override
  boolean remove(byte[] bytes, int from, int to) {
    requireDeletable();
    return ((DeletableFilter<T>) filter).removeHash(hash.hash(bytes, from, to));
  }

  @Override
  long count(byte[] bytes, int from, int to) {
    requireCounts();
    return ((DeletableFilter<T>) filter).countHash(hash.hash(bytes, from, to));
  }

  @Override
  void merge(Path other) throws IOException {
    StorableFilter<T> read = readFilter(kind, hash, other);
    if (!kind.isMergeable()) {
      throw new IllegalArgumentException(
          kind() + " filters cannot be merged; add the lines of one filter to the other");
    }
    kind.merge(filter, read);
  }

  @Override
  void intersect(Path other) throws IOException {
    kind.intersect(filter, readFilter(kind, hash, other));
  }

  @Override
  void subtract(Path other) throws IOException {
    kind.subtract(filter, readFilter(kind, hash, other));
  }

  @Override
  LineFilter convert(LineKind to) {
    if (to instanceof LineKind.Installed other) {
      Optional<StorableFilter<T>> converted = kind.convert(filter, other.kind());
      if (converted.isPresent()) {
        return new StoredLineFilter<>(other.kind(), hash, converted.get());
      }
    }
    throw kind().noConversion(to);
  }

  @Override
  double expectedFpp() {
    return filter.expectedFpp();
  }

  @Override
  long approximateElementCount() {
    return filter.approximateElementCount();
  }

  @Override
  Optional<FilterPlan> plan() {
    return filter.plan();
  }

  @Override
  boolean isOverfull() {
    return filter.isOverfull();
  }

  @Override
  long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  Map<String, Number> figures() {
    return kind.layoutOf(filter).figures();
  }

  @Override
  LongToDoubleFunction fppByElements() {
    return kind.is(FilterKind.Trait.GROWING) // the layout has the rate of one layer only
        ? elements -> Double.NaN
        : kind.layoutOf(filter)::fpp;
  }

  @Override
  void writeTo(Path file) throws IOException {
    filter.writeTo(file);
  }
}
