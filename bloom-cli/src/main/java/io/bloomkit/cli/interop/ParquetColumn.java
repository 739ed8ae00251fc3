package io.bloomkit.cli.interop;

import io.bloomkit.classic.parquet.ParquetStrategies;
import io.bloomkit.hash.HashStrategy;
import org.apache.parquet.format.Type;

/**
 * A column of a row group.
 *
 * @param rowGroup the index of the row group
 * @param name the path of the column in the schema, separated by dots
 * @param type the physical type
 * @param length the length in bytes of a value of {@code FIXED_LEN_BYTE_ARRAY}
 * @param filterOffset the offset of the column's filter in the file, or −1 if it has none
 */
public record ParquetColumn(int rowGroup, String name, Type type, int length, long filterOffset) {

  /**
   * Returns whether the column has a Bloom filter. The format has no filters for {@code BOOLEAN}.
   */
  public boolean hasFilter() {
    return filterOffset >= 0 && type != Type.BOOLEAN;
  }

  /** Returns the type of the lines in a query of this column. */
  public ValueType valueType() {
    return switch (type) {
      case INT32 -> ValueType.INT32;
      case INT64 -> ValueType.INT64;
      case FLOAT -> ValueType.FLOAT;
      case DOUBLE -> ValueType.DOUBLE;
      case FIXED_LEN_BYTE_ARRAY, INT96 -> ValueType.HEX;
      case BYTE_ARRAY, BOOLEAN -> ValueType.BYTES;
    };
  }

  /** Returns the strategy for the values that {@link #valueType} creates. */
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
}
