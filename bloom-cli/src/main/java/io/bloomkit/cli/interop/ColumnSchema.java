package io.bloomkit.cli.interop;

import io.bloomkit.hash.HashStrategy;
import io.bloomkit.interop.parquet.ParquetStrategies;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/**
 * A column in the schema of a Parquet file.
 *
 * @param path the path
 * @param type the physical type
 * @param length the length in bytes of a value of {@code FIXED_LEN_BYTE_ARRAY}
 * @param logical the logical type, or null if lines are values of the physical type
 */
record ColumnSchema(ColumnPath path, Type type, int length, @Nullable LogicalType logical) {

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
   * Checks that lines can be parsed as values.
   *
   * @throws IllegalArgumentException if the logical type is unknown, or no type of such values
   */
  void requireKnownType() {
    if (logical != null && !logical.fits(type, length)) {
      throw new IllegalArgumentException(
          "column "
              + path
              + " has the type "
              + logical
              + ", stored as "
              + type
              + "; bloom check does not know how its values are stored");
    }
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
    if (logical == null) {
      return valueType().equalHashes(strategy, bytes, from, to);
    }
    byte[] line = Arrays.copyOfRange(bytes, from, to);
    List<?> forms;
    try {
      forms = logical.forms(line, type, length);
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "'"
              + new String(line, StandardCharsets.UTF_8)
              + "' is not a value of column "
              + path
              + "; write "
              + logical.notation(),
          e);
    }
    return forms.stream().mapToLong(strategy::hash).toArray();
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
