package io.bloomkit.cli.interop;

import static io.bloomkit.cli.interop.FooterProtocol.BYTE;
import static io.bloomkit.cli.interop.FooterProtocol.FALSE;
import static io.bloomkit.cli.interop.FooterProtocol.I32;
import static io.bloomkit.cli.interop.FooterProtocol.STRUCT;
import static io.bloomkit.cli.interop.FooterProtocol.TRUE;
import static io.bloomkit.cli.interop.FooterProtocol.field;
import static io.bloomkit.cli.interop.FooterProtocol.malformed;

import io.bloomkit.cli.interop.LogicalType.Unit;
import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.jspecify.annotations.Nullable;
import shaded.parquet.org.apache.thrift.TException;

/**
 * Reads the union {@code LogicalType} of parquet.thrift, and the older {@code ConvertedType}. Many
 * writers record both, which must agree.
 */
final class LogicalTypeReader {

  /** The choices of the union by id. */
  private static final List<String> CHOICES =
      List.of(
          "0",
          "STRING",
          "MAP",
          "LIST",
          "ENUM",
          "DECIMAL",
          "DATE",
          "TIME",
          "TIMESTAMP",
          "9",
          "INTEGER",
          "UNKNOWN",
          "JSON",
          "BSON",
          "UUID",
          "FLOAT16",
          "VARIANT",
          "GEOMETRY",
          "GEOGRAPHY");

  // Parameters of the choices; the types of those with the same id differ.
  private static final int DECIMAL_SCALE = field(1, I32);
  private static final int DECIMAL_PRECISION = field(2, I32);
  private static final int IS_UTC = field(1, TRUE);
  private static final int IS_LOCAL = field(1, FALSE);
  private static final int UNIT = field(2, STRUCT);
  private static final int BIT_WIDTH = field(1, BYTE);
  private static final int IS_SIGNED = field(2, TRUE);
  private static final int IS_UNSIGNED = field(2, FALSE);

  private static final LogicalType STRING = new LogicalType.Text("STRING");
  private static final LogicalType DATE = new LogicalType.Date();

  private final FooterProtocol in;
  private final FooterProtocol.Fields choice = this::readChoice;
  private final FooterProtocol.Fields parameter = this::readParameter;
  private final FooterProtocol.Fields timeUnit = this::readUnit;

  private @Nullable LogicalType read;
  private int scale;
  private int precision;
  private int bits;
  private boolean hasFlag;
  private boolean isUtcOrSigned;
  private @Nullable Unit unit;

  LogicalTypeReader(FooterProtocol in) {
    this.in = in;
  }

  /** Reads a value of the union; one that a later version adds is {@link LogicalType.Other}. */
  LogicalType read() throws TException {
    read = null;
    in.readStruct("LogicalType", 0, choice);
    if (read == null) {
      throw malformed("LogicalType has no value");
    }
    return read;
  }

  private boolean readChoice(int field) throws TException {
    if (read != null) {
      throw malformed("LogicalType has more than one value");
    }
    int id = FooterProtocol.id(field);
    String name = id > 0 && id < CHOICES.size() ? CHOICES.get(id) : String.valueOf(id);
    if (field != field(id, STRUCT)) {
      read = new LogicalType.Other(name);
      return false;
    }
    scale = 0;
    precision = 0;
    bits = 0;
    hasFlag = false;
    unit = null;
    in.readStruct(name, 0, parameter);
    read = chosen(name);
    return true;
  }

  private LogicalType chosen(String name) {
    return switch (name) {
      case "STRING" -> STRING;
      case "ENUM", "JSON" -> new LogicalType.Text(name);
      case "DATE" -> DATE;
      case "DECIMAL" -> new LogicalType.Decimal(precision, scale);
      case "UUID" -> new LogicalType.Uuid();
      case "FLOAT16" -> new LogicalType.Float16();
      case "INTEGER" ->
          hasFlag ? new LogicalType.Whole(bits, isUtcOrSigned) : new LogicalType.Other(name);
      case "TIME" ->
          hasFlag && unit != null
              ? new LogicalType.Time(unit, isUtcOrSigned)
              : new LogicalType.Other(name);
      case "TIMESTAMP" ->
          hasFlag && unit != null
              ? new LogicalType.Timestamp(unit, isUtcOrSigned)
              : new LogicalType.Other(name);
      default -> new LogicalType.Other(name);
    };
  }

  private boolean readParameter(int field) throws TException {
    if (field == DECIMAL_SCALE) {
      scale = in.readI32();
    } else if (field == DECIMAL_PRECISION) {
      precision = in.readI32();
    } else if (field == BIT_WIDTH) {
      bits = in.readByte();
    } else if (field == UNIT) {
      in.readStruct("TimeUnit", 0, timeUnit);
    } else if (field == IS_UTC || field == IS_SIGNED || field == IS_LOCAL || field == IS_UNSIGNED) {
      hasFlag = true;
      isUtcOrSigned = field == IS_UTC || field == IS_SIGNED;
      return false; // the type of the field is its value
    } else {
      return false;
    }
    return true;
  }

  private boolean readUnit(int field) throws TException {
    if (unit != null) {
      throw malformed("TimeUnit has more than one value");
    }
    unit =
        switch (FooterProtocol.id(field)) {
          case 1 -> Unit.MILLIS;
          case 2 -> Unit.MICROS;
          case 3 -> Unit.NANOS;
          default -> throw malformed("TimeUnit has no value %d", FooterProtocol.id(field));
        };
    return false;
  }

  /**
   * Returns the logical type of a column that may record both fields.
   *
   * @param converted the {@code ConvertedType}, or null
   * @param logical the {@code LogicalType}, or null
   */
  static @Nullable LogicalType agreed(
      @Nullable LogicalType converted, @Nullable LogicalType logical) {
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

  /** Returns the logical type of a {@code ConvertedType}. */
  static LogicalType converted(int number, int precision, int scale) {
    ConvertedType known = ConvertedType.findByValue(number);
    if (known == null) {
      return new LogicalType.Other("ConvertedType " + number);
    }
    return switch (known) {
      case UTF8 -> STRING;
      case ENUM, JSON -> new LogicalType.Text(known.name());
      case DECIMAL -> new LogicalType.Decimal(precision, scale);
      case DATE -> DATE;
      case TIME_MILLIS -> new LogicalType.Time(Unit.MILLIS, true);
      case TIME_MICROS -> new LogicalType.Time(Unit.MICROS, true);
      case TIMESTAMP_MILLIS -> new LogicalType.Timestamp(Unit.MILLIS, true);
      case TIMESTAMP_MICROS -> new LogicalType.Timestamp(Unit.MICROS, true);
      case UINT_8, UINT_16, UINT_32, UINT_64, INT_8, INT_16, INT_32, INT_64 -> {
        String name = known.name();
        int bits = Integer.parseInt(name.substring(name.indexOf('_') + 1));
        yield new LogicalType.Whole(bits, name.startsWith("INT"));
      }
      case MAP, MAP_KEY_VALUE, LIST, BSON, INTERVAL -> new LogicalType.Other(known.name());
    };
  }
}
