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
sealed interface LogicalType {

  /** Returns whether a column of a physical type can have this type. */
  boolean fits(Type type, int length);

  /** Returns how to write a value, to complete "write …". */
  String notation();

  /**
   * Returns the stored forms of the value that a line represents, for the strategy of the physical
   * type.
   *
   * @return the forms; empty if any bytes may be a stored form
   * @throws IllegalArgumentException if the line is not a value of this type; {@link
   *     java.time.DateTimeException} and {@link ArithmeticException} mean the same
   */
  List<?> forms(byte[] line, Type type, int length);

  private static String text(byte[] line) {
    return new String(line, StandardCharsets.UTF_8).strip();
  }

  private static void require(boolean condition, String fault) {
    if (!condition) {
      throw new IllegalArgumentException(fault);
    }
  }

  /** A text, whose bytes are stored. */
  record Text(String name) implements LogicalType {

    @Override
    public boolean fits(Type type, int length) {
      return type == Type.BYTE_ARRAY;
    }

    @Override
    public String notation() {
      return "any text";
    }

    @Override
    public List<?> forms(byte[] line, Type type, int length) {
      return List.of(line);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** A whole number of 8 to 64 bits. */
  record Whole(int bits, boolean isSigned) implements LogicalType {

    @Override
    public boolean fits(Type type, int length) {
      return switch (bits) {
        case 8, 16, 32 -> type == Type.INT32;
        case 64 -> type == Type.INT64;
        default -> false;
      };
    }

    private BigInteger least() {
      return isSigned ? BigInteger.ONE.shiftLeft(bits - 1).negate() : BigInteger.ZERO;
    }

    private BigInteger most() {
      return least().add(BigInteger.ONE.shiftLeft(bits)).subtract(BigInteger.ONE);
    }

    @Override
    public String notation() {
      return "a whole number from " + least() + " to " + most();
    }

    @Override
    public List<?> forms(byte[] line, Type type, int length) {
      BigInteger value = new BigInteger(text(line));
      require(value.compareTo(least()) >= 0 && value.compareTo(most()) <= 0, "out of range");
      return type == Type.INT32 ? List.of(value.intValue()) : List.of(value.longValue());
    }

    @Override
    public String toString() {
      return "INTEGER(" + bits + (isSigned ? ", signed)" : ", unsigned)");
    }
  }

  /** A number with a fixed number of digits after the point. */
  record Decimal(int precision, int scale) implements LogicalType {

    private static final int MOST_DIGITS_OF_INT32 = 9;
    private static final int MOST_DIGITS_OF_INT64 = 18;

    /** More than any program has; a larger one would let a short line take much memory. */
    private static final int MOST_DIGITS = 1000;

    /** The largest size of decimals in wide use, in bytes. */
    private static final int MOST_BYTES = 32;

    @Override
    public boolean fits(Type type, int length) {
      int most =
          switch (type) {
            case INT32 -> MOST_DIGITS_OF_INT32;
            case INT64 -> MOST_DIGITS_OF_INT64;
            case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> MOST_DIGITS;
            default -> 0;
          };
      return precision >= 1 && precision <= most && scale >= 0 && scale <= precision;
    }

    @Override
    public String notation() {
      return "a number with at most "
          + (precision - scale)
          + " digits before and "
          + scale
          + " after the point";
    }

    @Override
    public List<?> forms(byte[] line, Type type, int length) {
      BigDecimal value = new BigDecimal(text(line)).stripTrailingZeros();
      long digits = (long) value.precision() - value.scale() + scale;
      require(value.scale() <= scale && (value.signum() == 0 || digits <= precision), "too long");
      BigInteger stored = value.setScale(scale).unscaledValue();
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

    @Override
    public String toString() {
      return "DECIMAL(" + precision + ", " + scale + ")";
    }
  }

  /** A date. */
  record Date() implements LogicalType {

    /** Earlier dates are stored in two calendars, the older one by Spark 2 and Hive. */
    private static final LocalDate FIRST_GREGORIAN = LocalDate.of(1582, 10, 15);

    @Override
    public boolean fits(Type type, int length) {
      return type == Type.INT32;
    }

    @Override
    public String notation() {
      return "a date such as 2024-12-31";
    }

    @Override
    public List<?> forms(byte[] line, Type type, int length) {
      LocalDate date = LocalDate.parse(text(line));
      int stored = Math.toIntExact(date.toEpochDay());
      return date.isBefore(FIRST_GREGORIAN) ? List.of() : List.of(stored);
    }

    @Override
    public String toString() {
      return "DATE";
    }
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
  }

  /** A time of day. */
  record Time(Unit unit, boolean isUtc) implements LogicalType {

    @Override
    public boolean fits(Type type, int length) {
      return type == (unit == Unit.MILLIS ? Type.INT32 : Type.INT64);
    }

    @Override
    public String notation() {
      return "a time such as 23:59:59"
          + unit.fraction()
          + (isUtc ? "Z, which ends with Z for UTC" : ", without a time zone");
    }

    @Override
    public List<?> forms(byte[] line, Type type, int length) {
      String text = text(line);
      require(text.endsWith("Z") == isUtc, "a time zone");
      LocalTime time = LocalTime.parse(isUtc ? text.substring(0, text.length() - 1) : text);
      long stored = unit.count(time.atDate(LocalDate.EPOCH).toInstant(ZoneOffset.UTC));
      return type == Type.INT32 ? List.of((int) stored) : List.of(stored);
    }

    @Override
    public String toString() {
      return "TIME(" + unit + (isUtc ? ", UTC)" : ", local)");
    }
  }

  /** A date and time. */
  record Timestamp(Unit unit, boolean isUtc) implements LogicalType {

    /** For earlier ones, old versions of Spark and Hive take other offsets of time zones. */
    private static final Instant FIRST_SURE = Instant.parse("1900-01-01T00:00:00Z");

    @Override
    public boolean fits(Type type, int length) {
      return type == Type.INT64;
    }

    @Override
    public String notation() {
      return "a timestamp such as 2024-12-31T23:59:59"
          + unit.fraction()
          + (isUtc
              ? "Z, which ends with Z for UTC or with an offset such as +01:00"
              : ", without a time zone");
    }

    @Override
    public List<?> forms(byte[] line, Type type, int length) {
      String text = text(line).replaceFirst(" ", "T");
      Instant time =
          isUtc
              ? OffsetDateTime.parse(text).toInstant()
              : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
      long stored = unit.count(time);
      return time.isBefore(FIRST_SURE) ? List.of() : List.of(stored);
    }

    @Override
    public String toString() {
      return "TIMESTAMP(" + unit + (isUtc ? ", UTC)" : ", local)");
    }
  }

  /** A UUID. */
  record Uuid() implements LogicalType {

    private static final int BYTES = 16;
    private static final Pattern DASHED =
        Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    @Override
    public boolean fits(Type type, int length) {
      return type == Type.FIXED_LEN_BYTE_ARRAY && length == BYTES;
    }

    @Override
    public String notation() {
      return "a UUID such as 123e4567-e89b-12d3-a456-426614174000";
    }

    @Override
    public List<?> forms(byte[] line, Type type, int length) {
      String text = text(line);
      byte[] value =
          HexFormat.of().parseHex(DASHED.matcher(text).matches() ? text.replace("-", "") : text);
      require(value.length == BYTES, "not 16 bytes");
      return List.of(value);
    }

    @Override
    public String toString() {
      return "UUID";
    }
  }

  /** A floating-point number of 16 bits. */
  record Float16() implements LogicalType {

    private static final int FRACTION_BITS = 10;
    private static final int LEAST_EXPONENT = -14;
    private static final int BIAS = 15;
    private static final int INFINITY = 0x7c00;
    private static final int SIGN = 0x8000;

    @Override
    public boolean fits(Type type, int length) {
      return type == Type.FIXED_LEN_BYTE_ARRAY && length == Short.BYTES;
    }

    @Override
    public String notation() {
      return "a number such as 1.5";
    }

    @Override
    public List<?> forms(byte[] line, Type type, int length) {
      String text = text(line);
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

    @Override
    public String toString() {
      return "FLOAT16";
    }
  }

  /** A type whose values no line represents, or two types that contradict each other. */
  record Other(String name) implements LogicalType {

    @Override
    public boolean fits(Type type, int length) {
      return false;
    }

    @Override
    public String notation() {
      throw new AssertionError("it fits no column");
    }

    @Override
    public List<?> forms(byte[] line, Type type, int length) {
      throw new AssertionError("it fits no column");
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
