package io.bloomkit.cli.filter;

import io.bloomkit.InsertableFilter;
import io.bloomkit.MergeableFilter;
import io.bloomkit.classic.parquet.ParquetBloomFilter;
import io.bloomkit.classic.spark.SparkBloomFilter;
import io.bloomkit.cli.foreign.ValueType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.LongToDoubleFunction;

/** A filter of Parquet or Spark. Its elements are the bytes of lines, or values of another type. */
final class ForeignLineFilter extends LineFilter {

  private final ForeignKind kind;
  private final ValueType type;
  private final InsertableFilter<Object> filter;

  private ForeignLineFilter(ForeignKind kind, ValueType type, InsertableFilter<Object> filter) {
    this.kind = kind;
    this.type = type;
    this.filter = filter;
  }

  /** Wraps a filter whose elements are of a type. */
  @SuppressWarnings("unchecked") // the type creates elements for the strategy of the filter
  static ForeignLineFilter of(ForeignKind kind, ValueType type, InsertableFilter<?> filter) {
    return new ForeignLineFilter(kind, type, (InsertableFilter<Object>) filter);
  }

  @Override
  LineKind kind() {
    return kind;
  }

  @Override
  boolean mightContain(byte[] bytes, int from, int to) {
    return filter.mightContainHash(type.hash(filter.strategy(), bytes, from, to));
  }

  @Override
  boolean add(byte[] bytes, int from, int to) {
    return filter.addHash(type.hash(filter.strategy(), bytes, from, to));
  }

  @Override
  @SuppressWarnings("unchecked") // merge refuses incompatible filters
  void merge(Path other) throws IOException {
    ((MergeableFilter<Object>) filter).merge(kind.read(type, other).filter);
  }

  @Override
  LineFilter convert(LineKind to) {
    throw kind.noConversion(to);
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
  long memoryBytes() {
    return filter.memoryBytes();
  }

  @Override
  Map<String, Number> figures() {
    if (filter instanceof ParquetBloomFilter<?> parquets) {
      return parquets.shape().layout().withSetPositions(parquets.setPositions()).figures();
    }
    SparkBloomFilter<?> sparks = (SparkBloomFilter<?>) filter;
    return Map.of(
        "positions",
        sparks.positions(),
        "hashes",
        sparks.hashes(),
        "setPositions",
        sparks.setPositions(),
        "fill",
        (double) sparks.setPositions() / sparks.positions());
  }

  @Override
  LongToDoubleFunction fppByElements() {
    if (filter instanceof ParquetBloomFilter<?> parquets) {
      return parquets.shape()::fpp;
    }
    return ((SparkBloomFilter<?>) filter)::fpp;
  }

  @Override
  void writeTo(Path file) throws IOException {
    if (filter instanceof ParquetBloomFilter<?> parquets) {
      parquets.writeTo(file);
    } else {
      ((SparkBloomFilter<?>) filter).writeTo(file);
    }
  }
}
