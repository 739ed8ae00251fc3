package io.bloomkit.cli.interop;

import io.bloomkit.classic.parquet.ParquetStrategies;
import io.bloomkit.hash.HashStrategy;
import org.apache.parquet.format.Type;

/**
 * A column in the schema of a Parquet file.
 *
 * @param path the path
 * @param type the physical type
 * @param length the length in bytes of a value of {@code FIXED_LEN_BYTE_ARRAY}
 */
record ColumnSchema(ColumnPath path, Type type, int length) {

  /** Returns the strategy for the stored forms of values. */
  @SuppressWarnings("unchecked")
  HashStrategy<Object> strategy() {
    HashStrategy<?> strategy =
        switch (type) {
          case INT32 -> ParquetStrategies.int32();
          case INT64 -> ParquetStrategies.int64();
          case FLOAT -> ParquetStrategies.float32();
          case DOUBLE -> ParquetStrategies.float64();
          case FIXED_LEN_BYTE_ARRAY -> ParquetStrategies.fixedLenByteArray(length);
          case INT96 -> ParquetStrategies.int96();
          case BYTE_ARRAY, BOOLEAN -> ParquetStrategies.byteArray();
        };
    return (HashStrategy<Object>) strategy;
  }

  /**
   * Returns the hashes of all stored forms of a line's value.
   *
   * @param strategy {@link #strategy}
   * @return the hashes; empty if any bytes may be a stored form, so that no row group can be
   *     skipped
   * @throws IllegalArgumentException if the line is not a value of this column
   */
  long[] hashes(HashStrategy<Object> strategy, byte[] bytes, int from, int to) {
    return valueType().equalHashes(strategy, bytes, from, to);
  }

  private ValueType valueType() {
    return switch (type) {
      case INT32 -> ValueType.INT32;
      case INT64 -> ValueType.INT64;
      case FLOAT -> ValueType.FLOAT;
      case DOUBLE -> ValueType.DOUBLE;
      case FIXED_LEN_BYTE_ARRAY, INT96 -> ValueType.HEX;
      case BYTE_ARRAY, BOOLEAN -> ValueType.BYTES;
    };
  }
}
