package io.bloomkit.cli.interop;

import io.bloomkit.cli.interop.LogicalType.Unit;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.IntType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the logical type of a column: {@code LogicalType} of parquet.thrift, or the older {@code
 * ConvertedType}. Many writers record both, which must agree.
 */
final class LogicalTypeReader {

  private LogicalTypeReader() {}

  /** Returns the logical type of a column, or null if it has none. */
  static @Nullable LogicalType of(SchemaElement element) {
    LogicalType converted = element.isSetConverted_type() ? converted(element) : null;
    LogicalType logical = element.isSetLogicalType() ? logical(element.getLogicalType()) : null;
    if (converted == null || logical == null) {
      return logical == null ? converted : logical;
    }
    String seenByOldReaders = logical.toString().replace("local)", "UTC)"); // who know no other
    return seenByOldReaders.equals(converted.toString())
        ? logical
        : LogicalType.other(logical + " and " + converted);
  }

  private static LogicalType logical(org.apache.parquet.format.LogicalType type) {
    if (!type.isSet()) {
      return LogicalType.other("of a later version of Parquet");
    }
    return switch (type.getSetField()) {
      case STRING, ENUM, JSON -> LogicalType.text(type.getSetField().name());
      case DECIMAL ->
          LogicalType.decimal(type.getDECIMAL().getPrecision(), type.getDECIMAL().getScale());
      case DATE -> LogicalType.date();
      case TIME -> {
        Unit unit = unit(type.getTIME().getUnit());
        yield unit == null
            ? LogicalType.other("TIME")
            : LogicalType.time(unit, type.getTIME().isIsAdjustedToUTC());
      }
      case TIMESTAMP -> {
        Unit unit = unit(type.getTIMESTAMP().getUnit());
        yield unit == null
            ? LogicalType.other("TIMESTAMP")
            : LogicalType.timestamp(unit, type.getTIMESTAMP().isIsAdjustedToUTC());
      }
      case INTEGER -> {
        IntType integer = type.getINTEGER();
        yield LogicalType.whole(integer.getBitWidth(), integer.isIsSigned());
      }
      case UUID -> LogicalType.uuid();
      case FLOAT16 -> LogicalType.float16();
      case MAP, LIST, UNKNOWN, BSON, VARIANT, GEOMETRY, GEOGRAPHY ->
          LogicalType.other(type.getSetField().name());
    };
  }

  /** Returns the unit of a time; null for one of a later version. */
  private static @Nullable Unit unit(TimeUnit unit) {
    return unit.isSet() ? Unit.valueOf(unit.getSetField().name()) : null;
  }

  private static LogicalType converted(SchemaElement element) {
    ConvertedType type = element.getConverted_type();
    return switch (type) {
      case UTF8 -> LogicalType.text("STRING");
      case ENUM, JSON -> LogicalType.text(type.name());
      case DECIMAL -> LogicalType.decimal(element.getPrecision(), element.getScale());
      case DATE -> LogicalType.date();
      case TIME_MILLIS -> LogicalType.time(Unit.MILLIS, true);
      case TIME_MICROS -> LogicalType.time(Unit.MICROS, true);
      case TIMESTAMP_MILLIS -> LogicalType.timestamp(Unit.MILLIS, true);
      case TIMESTAMP_MICROS -> LogicalType.timestamp(Unit.MICROS, true);
      case UINT_8, UINT_16, UINT_32, UINT_64, INT_8, INT_16, INT_32, INT_64 -> {
        String name = type.name();
        int bits = Integer.parseInt(name.substring(name.indexOf('_') + 1));
        yield LogicalType.whole(bits, name.startsWith("INT"));
      }
      case MAP, MAP_KEY_VALUE, LIST, BSON, INTERVAL -> LogicalType.other(type.name());
    };
  }
}
