package io.bloomkit.cli.interop;

import io.bloomkit.hash.HashStrategy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

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
    Object[] equalValues(Object value) {
      float number = (Float) value;
      return number == 0
          ? new Object[] {0f, -0f}
          : Float.isNaN(number) ? UNKNOWN : new Object[] {value};
    }
  },

  /** A 64-bit floating-point number. */
  DOUBLE {
    @Override
    Object value(byte[] line) {
      return Double.valueOf(text(line));
    }

    @Override
    Object[] equalValues(Object value) {
      double number = (Double) value;
      return number == 0
          ? new Object[] {0d, -0d}
          : Double.isNaN(number) ? UNKNOWN : new Object[] {value};
    }
  },

  /** Bytes written as hexadecimal digits. */
  HEX {
    @Override
    Object value(byte[] line) {
      return HexFormat.of().parseHex(text(line));
    }
  };

  private static final Object[] UNKNOWN = {};

  abstract Object value(byte[] line);

  /** Returns all values that are equal to a value, or none if equality depends on the reader. */
  Object[] equalValues(Object value) {
    return new Object[] {value};
  }

  private static String text(byte[] line) {
    return new String(line, StandardCharsets.UTF_8).strip();
  }

  /**
   * Returns the hash of a line's value.
   *
   * @param strategy a strategy whose elements are of this type
   * @throws IllegalArgumentException if the line is not a value of this type
   */
  public long hash(HashStrategy<? super Object> strategy, byte[] bytes, int from, int to) {
    return strategy.hash(parse(bytes, from, to));
  }

  /**
   * Returns the hashes of all values that equal a line's value. Zero and negative zero are equal
   * numbers with different bytes.
   *
   * @param strategy a strategy whose elements are of this type
   * @return the hashes; empty for NaN, which has many encodings and equals itself only for some
   *     readers
   * @throws IllegalArgumentException if the line is not a value of this type
   */
  long[] equalHashes(HashStrategy<? super Object> strategy, byte[] bytes, int from, int to) {
    return Arrays.stream(equalValues(parse(bytes, from, to))).mapToLong(strategy::hash).toArray();
  }

  private Object parse(byte[] bytes, int from, int to) {
    byte[] line = Arrays.copyOfRange(bytes, from, to);
    try {
      return value(line);
    } catch (IllegalArgumentException e) { // from parsing numbers or digits
      throw new IllegalArgumentException("'" + text(line) + "' is not a value of type " + this, e);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
