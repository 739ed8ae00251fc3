package io.bloomkit.cli.interop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.parquet.format.Type;

/**
 * A logical type of Parquet: how people write a value, and how files store it. Exactly one of the
 * stored forms of a value is in a file, but a reader cannot know which.
 */
final class LogicalType {

  private static final int MOST_DIGITS_OF_INT32 = 9;
  private static final int MOST_DIGITS_OF_INT64 = 18;

  /** More than any program has; a larger one would let a short line take much memory. */
  private static final int MOST_DIGITS = 1000;

  /** The largest size of decimals in wide use, in bytes. */
  private static final int MOST_BYTES = 32;

  /** Earlier dates are stored in two calendars, the older one by Spark 2 and Hive. */
  private static final LocalDate FIRST_GREGORIAN = LocalDate.of(1582, 10, 15);

  /** For earlier timestamps, old versions of Spark and Hive take other offsets of time zones. */
  private static final Instant FIRST_SURE = Instant.parse("1900-01-01T00:00:00Z");

  private static final int UUID_BYTES = 16;
  private static final Pattern DASHED =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  /** Whether a column of a physical type can have a logical type. */
  private interface Fit {
    boolean fits(Type type, int length);
  }

  /** Returns the stored forms of a line. */
  private interface Forms {
    List<?> of(byte[] line, Type type, int length);
  }

  private final String name;
  private final Fit fit;
  private final String notation;
  private final Forms forms;

  private LogicalType(String name, Fit fit, String notation, Forms forms) {
    this.name = name;
    this.fit = fit;
    this.notation = notation;
    this.forms = forms;
  }

  /** Returns whether a column of a physical type can have this type. */
  boolean fits(Type type, int length) {
    return fit.fits(type, length);
  }

  /** Returns how to write a value, to complete "write …". */
  String notation() {
    return notation;
  }

  /**
   * Returns the stored forms of the value that a line represents, for the strategy of the physical
   * type.
   *
   * @return the forms; empty if any bytes may be a stored form
   * @throws IllegalArgumentException if the line is not a value of this type; {@link
   *     java.time.DateTimeException} and {@link ArithmeticException} mean the same
   */
  List<?> forms(byte[] line, Type type, int length) {
    return forms.of(line, type, length);
  }

  /** Returns the name and parameters, which types have in common only if they are the same. */
  @Override
  public String toString() {
    return name;
  }

  private static String text(byte[] line) {
    return new String(line, StandardCharsets.UTF_8).strip();
  }

  private static void require(boolean condition, String fault) {
    if (!condition) {
      throw new IllegalArgumentException(fault);
    }
  }

  /** Returns a type of texts, whose bytes are stored. */
  static LogicalType text(String name) {
    return new LogicalType(
        name,
        (type, length) -> type == Type.BYTE_ARRAY,
        "any text",
        (line, type, length) -> List.of(line));
  }

  /** Returns a type of whole numbers of 8 to 64 bits. */
  static LogicalType whole(int bits, boolean isSigned) {
    BigInteger numbers = BigInteger.ONE.shiftLeft(Math.max(1, bits));
    BigInteger least = isSigned ? numbers.shiftRight(1).negate() : BigInteger.ZERO;
    BigInteger most = least.add(numbers).subtract(BigInteger.ONE);
    return new LogicalType(
        "INTEGER(" + bits + (isSigned ? ", signed)" : ", unsigned)"),
        (type, length) ->
            switch (bits) {
              case 8, 16, 32 -> type == Type.INT32;
              case 64 -> type == Type.INT64;
              default -> false;
            },
        "a whole number from " + least + " to " + most,
        (line, type, length) -> {
          BigInteger value = new BigInteger(text(line));
          require(value.compareTo(least) >= 0 && value.compareTo(most) <= 0, "out of range");
          return type == Type.INT32 ? List.of(value.intValue()) : List.of(value.longValue());
        });
  }

  /** Returns a type of numbers with a fixed number of digits after the point. */
  static LogicalType decimal(int precision, int scale) {
    return new LogicalType(
        "DECIMAL(" + precision + ", " + scale + ")",
        (type, length) -> {
          int most =
              switch (type) {
                case INT32 -> MOST_DIGITS_OF_INT32;
                case INT64 -> MOST_DIGITS_OF_INT64;
                case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> MOST_DIGITS;
                default -> 0;
              };
          return precision >= 1 && precision <= most && scale >= 0 && scale <= precision;
        },
        "a number with at most "
            + ((long) precision - scale)
            + " digits before and "
            + scale
            + " after the point",
        (line, type, length) -> {
          BigDecimal value = new BigDecimal(text(line)).stripTrailingZeros();
          long digits = (long) value.precision() - value.scale() + scale;
          require(
              value.scale() <= scale && (value.signum() == 0 || digits <= precision), "too long");
          return decimals(value.setScale(scale).unscaledValue(), type, length);
        });
  }

  private static List<?> decimals(BigInteger stored, Type type, int length) {
    return switch (type) {
      case INT32 -> List.of(stored.intValueExact());
      case INT64 -> List.of(stored.longValueExact());
      case FIXED_LEN_BYTE_ARRAY -> List.of(extended(stored.toByteArray(), length));
      default -> {
        byte[] shortest = stored.toByteArray(); // as the format recommends, but not all must
        yield IntStream.rangeClosed(shortest.length, Math.max(shortest.length, MOST_BYTES))
            .mapToObj(count -> extended(shortest, count))
            .toList();
      }
    };
  }

  private static byte[] extended(byte[] number, int length) {
    require(number.length <= length, "too large");
    byte[] extended = new byte[length];
    Arrays.fill(extended, 0, length - number.length, (byte) (number[0] < 0 ? -1 : 0));
    System.arraycopy(number, 0, extended, length - number.length, number.length);
    return extended;
  }

  /** Returns the type of dates. */
  static LogicalType date() {
    return new LogicalType(
        "DATE",
        (type, length) -> type == Type.INT32,
        "a date such as 2024-12-31",
        (line, type, length) -> {
          LocalDate date = LocalDate.parse(text(line));
          int stored = Math.toIntExact(date.toEpochDay());
          return date.isBefore(FIRST_GREGORIAN) ? List.of() : List.of(stored);
        });
  }

  /** The unit of a stored time. */
  enum Unit {
    MILLIS(1_000),
    MICROS(1_000_000),
    NANOS(1_000_000_000);

    private final int perSecond;

    Unit(int perSecond) {
      this.perSecond = perSecond;
    }

    /** Returns the number of units since 1970. */
    private long count(Instant time) {
      int nanosPerUnit = NANOS.perSecond / perSecond;
      require(time.getNano() % nanosPerUnit == 0, "too many digits after the point");
      long seconds = Math.multiplyExact(time.getEpochSecond(), perSecond);
      return Math.addExact(seconds, time.getNano() / nanosPerUnit);
    }

    private String fraction() {
      return ".999999999".substring(0, String.valueOf(perSecond).length());
    }

    private String name(String type, boolean isUtc) {
      return type + "(" + this + (isUtc ? ", UTC)" : ", local)");
    }
  }

  /** Returns a type of times of day. */
  static LogicalType time(Unit unit, boolean isUtc) {
    return new LogicalType(
        unit.name("TIME", isUtc),
        (type, length) -> type == (unit == Unit.MILLIS ? Type.INT32 : Type.INT64),
        "a time such as 23:59:59"
            + unit.fraction()
            + (isUtc ? "Z, which ends with Z for UTC" : ", without a time zone"),
        (line, type, length) -> {
          String text = text(line);
          require(text.endsWith("Z") == isUtc, "a time zone");
          LocalTime time = LocalTime.parse(isUtc ? text.substring(0, text.length() - 1) : text);
          long stored = unit.count(time.atDate(LocalDate.EPOCH).toInstant(ZoneOffset.UTC));
          return type == Type.INT32 ? List.of((int) stored) : List.of(stored);
        });
  }

  /** Returns a type of dates and times. */
  static LogicalType timestamp(Unit unit, boolean isUtc) {
    return new LogicalType(
        unit.name("TIMESTAMP", isUtc),
        (type, length) -> type == Type.INT64,
        "a timestamp such as 2024-12-31T23:59:59"
            + unit.fraction()
            + (isUtc
                ? "Z, which ends with Z for UTC or with an offset such as +01:00"
                : ", without a time zone"),
        (line, type, length) -> {
          String text = text(line).replaceFirst(" ", "T");
          Instant time =
              isUtc
                  ? OffsetDateTime.parse(text).toInstant()
                  : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
          long stored = unit.count(time);
          return time.isBefore(FIRST_SURE) ? List.of() : List.of(stored);
        });
  }

  /** Returns the type of UUIDs. */
  static LogicalType uuid() {
    return new LogicalType(
        "UUID",
        (type, length) -> type == Type.FIXED_LEN_BYTE_ARRAY && length == UUID_BYTES,
        "a UUID such as 123e4567-e89b-12d3-a456-426614174000",
        (line, type, length) -> {
          String text = text(line);
          String digits = DASHED.matcher(text).matches() ? text.replace("-", "") : text;
          byte[] value = HexFormat.of().parseHex(digits);
          require(value.length == UUID_BYTES, "not 16 bytes");
          return List.of(value);
        });
  }

  /** Returns the type of floating-point numbers of 16 bits. */
  static LogicalType float16() {
    return new LogicalType(
        "FLOAT16",
        (type, length) -> type == Type.FIXED_LEN_BYTE_ARRAY && length == Short.BYTES,
        "a number such as 1.5",
        (line, type, length) -> Float16.forms(text(line)));
  }

  /** Returns a type whose values no line represents, or two types that contradict each other. */
  static LogicalType other(String name) {
    return new LogicalType(
        name,
        (type, length) -> false,
        "nothing",
        (line, type, length) -> {
          throw new AssertionError("it fits no column");
        });
  }

  /** A floating-point number of 16 bits. */
  private static final class Float16 {

    private static final int FRACTION_BITS = 10;
    private static final int LEAST_EXPONENT = -14;
    private static final int BIAS = 15;
    private static final int INFINITY = 0x7c00;
    private static final int SIGN = 0x8000;

    private static List<?> forms(String text) {
      double value = Double.parseDouble(text);
      if (Double.isNaN(value)) {
        return List.of();
      }
      // A program may round to a float first.
      int[] bits =
          DoubleStream.of(value, Float.parseFloat(text))
              .mapToInt(Float16::bits)
              .flatMap(half -> (half & ~SIGN) == 0 ? IntStream.of(0, SIGN) : IntStream.of(half))
              .distinct()
              .toArray();
      return Arrays.stream(bits).mapToObj(Float16::bytes).toList();
    }

    /** Returns the bits of the nearest number, of which the even one if there are two. */
    private static int bits(double value) {
      int sign = Math.copySign(1, value) < 0 ? SIGN : 0;
      double size = Math.abs(value);
      int exponent = Math.max(Math.getExponent(size), LEAST_EXPONENT);
      // From 2^10 on, the fraction and its carry go into the exponent.
      double steps = Math.rint(Math.scalb(size, FRACTION_BITS - exponent));
      double bits = steps + (double) (exponent + BIAS - 1) * (1 << FRACTION_BITS);
      return sign | (int) Math.min(bits, INFINITY);
    }

    private static byte[] bytes(int bits) {
      return ByteBuffer.allocate(Short.BYTES)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putShort((short) bits)
          .array();
    }
  }
}
