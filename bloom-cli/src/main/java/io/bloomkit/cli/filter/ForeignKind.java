package io.bloomkit.cli.filter;

import io.bloomkit.InsertableFilter;
import io.bloomkit.classic.parquet.ParquetBloomFilter;
import io.bloomkit.classic.parquet.ParquetShape;
import io.bloomkit.classic.parquet.ParquetStrategies;
import io.bloomkit.classic.spark.SparkBloomFilter;
import io.bloomkit.classic.spark.SparkType;
import io.bloomkit.classic.spark.SparkVersion;
import io.bloomkit.cli.foreign.ValueType;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.hash.HashStrategy;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * A file format of another program that records neither the strategy nor the type of the elements.
 */
enum ForeignKind implements LineKind {
  /** A Bloom filter of Parquet: its header and its bitset. */
  PARQUET,

  /** Spark's {@code BloomFilterImpl}. */
  SPARK_V1,

  /** Spark's {@code BloomFilterImplV2}. */
  SPARK_V2;

  /** The first byte of Parquet's header: in Thrift's encoding, an int as the first field. */
  private static final int PARQUET_START = 0x15;

  /** The number of bytes at the beginning of a file that distinguish these kinds. */
  static final int START_BYTES = 4;

  /**
   * Returns the kind of a file by its first bytes, or an empty result if it is none of these kinds.
   */
  static Optional<ForeignKind> of(byte[] start) {
    if (start.length > 0 && start[0] == PARQUET_START) {
      return Optional.of(PARQUET);
    }
    if (Arrays.equals(start, new byte[] {0, 0, 0, 1})) {
      return Optional.of(SPARK_V1);
    }
    return Arrays.equals(start, new byte[] {0, 0, 0, 2}) ? Optional.of(SPARK_V2) : Optional.empty();
  }

  @Override
  public boolean isConcurrent() {
    return false;
  }

  @Override
  public FilterLayout layout(long items, double fpp) {
    return switch (this) {
      case PARQUET -> ParquetShape.of(items, fpp).layout();
      case SPARK_V1 -> SparkBloomFilter.layout(SparkVersion.V1, items, fpp);
      case SPARK_V2 -> SparkBloomFilter.layout(SparkVersion.V2, items, fpp);
    };
  }

  @Override
  public boolean isConvertibleTo(LineKind to) {
    return false;
  }

  /** {@inheritDoc} The elements are the bytes of lines. */
  @Override
  public LineFilter create(LineStrategy strategy, long items, double fpp) {
    InsertableFilter<byte[]> filter =
        switch (this) {
          case PARQUET -> ParquetBloomFilter.create(ParquetStrategies.byteArray(), items, fpp);
          case SPARK_V1 -> SparkBloomFilter.create(SparkVersion.V1, SparkType.binary(), items, fpp);
          case SPARK_V2 -> SparkBloomFilter.create(SparkVersion.V2, SparkType.binary(), items, fpp);
        };
    return ForeignLineFilter.of(this, ValueType.BYTES, filter);
  }

  @Override
  public LineFilter read(LineStrategy strategy, Path file) throws IOException {
    return read(ValueType.BYTES, file);
  }

  /**
   * Reads a filter.
   *
   * @param type the type of the elements
   * @throws IllegalArgumentException if filters of this kind do not support the type
   * @throws IOException if the file cannot be read or is invalid
   */
  ForeignLineFilter read(ValueType type, Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      InsertableFilter<?> filter =
          this == PARQUET
              ? ParquetBloomFilter.readFrom(in, parquetStrategy(type))
              : SparkBloomFilter.readFrom(in, sparkType(type));
      FilterFile.requireEnd(file, in);
      return ForeignLineFilter.of(this, type, filter);
    }
  }

  private static HashStrategy<?> parquetStrategy(ValueType type) {
    return switch (type) {
      case INT32 -> ParquetStrategies.int32();
      case INT64 -> ParquetStrategies.int64();
      case FLOAT -> ParquetStrategies.float32();
      case DOUBLE -> ParquetStrategies.float64();
      case BYTES, HEX -> ParquetStrategies.byteArray();
    };
  }

  private SparkType<?> sparkType(ValueType type) {
    return switch (type) {
      case INT64 -> SparkType.longs();
      case BYTES, HEX -> SparkType.binary();
      default ->
          throw new IllegalArgumentException(
              "a "
                  + this
                  + " filter does not support elements of type "
                  + type
                  + ": int64, bytes or hex");
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
