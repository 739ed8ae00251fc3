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
    return converted.equals(logical) || converted.equals(asUtc(logical))
        ? logical
        : new LogicalType.Other(logical + " and " + converted);
  }

  /** Returns the type that old readers see: they have no local times. */
  private static LogicalType asUtc(LogicalType logical) {
    if (logical instanceof LogicalType.Time time) {
      return new LogicalType.Time(time.unit(), true);
    }
    return logical instanceof LogicalType.Timestamp timestamp
        ? new LogicalType.Timestamp(timestamp.unit(), true)
        : logical;
  }

  private static LogicalType logical(org.apache.parquet.format.LogicalType type) {
    if (!type.isSet()) {
      return new LogicalType.Other("of a later version of Parquet");
    }
    return switch (type.getSetField()) {
      case STRING, ENUM, JSON -> new LogicalType.Text(type.getSetField().name());
      case DECIMAL ->
          new LogicalType.Decimal(type.getDECIMAL().getPrecision(), type.getDECIMAL().getScale());
      case DATE -> new LogicalType.Date();
      case TIME -> {
        Unit unit = unit(type.getTIME().getUnit());
        yield unit == null
            ? new LogicalType.Other("TIME")
            : new LogicalType.Time(unit, type.getTIME().isIsAdjustedToUTC());
      }
      case TIMESTAMP -> {
        Unit unit = unit(type.getTIMESTAMP().getUnit());
        yield unit == null
            ? new LogicalType.Other("TIMESTAMP")
            : new LogicalType.Timestamp(unit, type.getTIMESTAMP().isIsAdjustedToUTC());
      }
      case INTEGER -> {
        IntType integer = type.getINTEGER();
        yield new LogicalType.Whole(integer.getBitWidth(), integer.isIsSigned());
      }
      case UUID -> new LogicalType.Uuid();
      case FLOAT16 -> new LogicalType.Float16();
      case MAP, LIST, UNKNOWN, BSON, VARIANT, GEOMETRY, GEOGRAPHY ->
          new LogicalType.Other(type.getSetField().name());
    };
  }

  /** Returns the unit of a time; null for one of a later version. */
  private static @Nullable Unit unit(TimeUnit unit) {
    return unit.isSet() ? Unit.valueOf(unit.getSetField().name()) : null;
  }

  private static LogicalType converted(SchemaElement element) {
    ConvertedType type = element.getConverted_type();
    return switch (type) {
      case UTF8 -> new LogicalType.Text("STRING");
      case ENUM, JSON -> new LogicalType.Text(type.name());
      case DECIMAL -> new LogicalType.Decimal(element.getPrecision(), element.getScale());
      case DATE -> new LogicalType.Date();
      case TIME_MILLIS -> new LogicalType.Time(Unit.MILLIS, true);
      case TIME_MICROS -> new LogicalType.Time(Unit.MICROS, true);
      case TIMESTAMP_MILLIS -> new LogicalType.Timestamp(Unit.MILLIS, true);
      case TIMESTAMP_MICROS -> new LogicalType.Timestamp(Unit.MICROS, true);
      case UINT_8, UINT_16, UINT_32, UINT_64, INT_8, INT_16, INT_32, INT_64 -> {
        String name = type.name();
        int bits = Integer.parseInt(name.substring(name.indexOf('_') + 1));
        yield new LogicalType.Whole(bits, name.startsWith("INT"));
      }
      case MAP, MAP_KEY_VALUE, LIST, BSON, INTERVAL -> new LogicalType.Other(type.name());
    };
  }
}
