package io.bloomkit.cli.filter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The type of the values that lines represent. */
public enum ValueType {
  /** The bytes of the line, which are UTF-8 for texts. */
  BYTES {
    @Override
    Object value(byte[] line) {
      return line;
    }
  },

  /** A 32-bit integer. */
  INT32 {
    @Override
    Object value(byte[] line) {
      return Integer.valueOf(text(line));
    }
  },

  /** A 64-bit integer. */
  INT64 {
    @Override
    Object value(byte[] line) {
      return Long.valueOf(text(line));
    }
  },

  /** A 32-bit floating-point number. */
  FLOAT {
    @Override
    Object value(byte[] line) {
      return Float.valueOf(text(line));
    }

    @Override
    List<?> equalValues(byte[] line) {
      float number = Float.parseFloat(text(line));
      float rounded = (float) Double.parseDouble(text(line)); // as some programs do
      return Float.isNaN(number)
          ? List.of()
          : number == 0 || rounded == 0
              ? List.of(0f, -0f, number, rounded)
              : List.of(number, rounded);
    }
  },

  /** A 64-bit floating-point number. */
  DOUBLE {
    @Override
    Object value(byte[] line) {
      return Double.valueOf(text(line));
    }

    @Override
    List<?> equalValues(byte[] line) {
      double number = Double.parseDouble(text(line));
      return Double.isNaN(number) ? List.of() : number == 0 ? List.of(0d, -0d) : List.of(number);
    }
  },

  /** Bytes written as hexadecimal digits. */
  HEX {
    @Override
    Object value(byte[] line) {
      return HexFormat.of().parseHex(text(line));
    }
  };

  abstract Object value(byte[] line);

  /** Returns all values that are equal to a line's value, or none if that depends on the reader. */
  List<?> equalValues(byte[] line) {
    return List.of(value(line));
  }

  private static String text(byte[] line) {
    return new String(line, StandardCharsets.UTF_8).strip();
  }

  /**
   * Returns a line's value.
   *
   * @throws IllegalArgumentException if the line is not a value of this type
   */
  public Object value(byte[] bytes, int from, int to) {
    return parsed(bytes, from, to, this::value);
  }

  /**
   * Returns all values that equal a line's value. Zero and negative zero are equal numbers with
   * different bytes.
   *
   * @return the values; empty for NaN, which has many encodings and equals itself only for some
   *     readers
   * @throws IllegalArgumentException if the line is not a value of this type
   */
  public List<?> equalValues(byte[] bytes, int from, int to) {
    return parsed(bytes, from, to, this::equalValues);
  }

  private <T> T parsed(byte[] bytes, int from, int to, Function<byte[], T> parser) {
    byte[] line = Arrays.copyOfRange(bytes, from, to);
    try {
      return parser.apply(line);
    } catch (IllegalArgumentException e) { // from parsing numbers or digits
      String kind = this == INT32 || this == INT64 ? ", a decimal integer" : "";
      throw new IllegalArgumentException(
          "'" + text(line) + "' is not a value of type " + this + kind, e);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
