package io.bloomkit.cli.foreign;

import io.bloomkit.hash.HashStrategy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/** The type of the elements that lines represent. */
public enum ValueType {
  /** The bytes of the line: texts in UTF-8. */
  BYTES {
    @Override
    Object value(byte[] line) {
      return line;
    }
  },

  /** A number of 32 bits. */
  INT32 {
    @Override
    Object value(byte[] line) {
      return Integer.valueOf(text(line));
    }
  },

  /** A number of 64 bits. */
  INT64 {
    @Override
    Object value(byte[] line) {
      return Long.valueOf(text(line));
    }
  },

  /** A floating-point number of 32 bits. */
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

  /** A floating-point number of 64 bits. */
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

  /** Bytes in hexadecimal digits. */
  HEX {
    @Override
    Object value(byte[] line) {
      return HexFormat.of().parseHex(text(line));
    }
  };

  private static final Object[] UNKNOWN = {};

  abstract Object value(byte[] line);

  /** Returns the values that are equal to one, or none if that depends on the reader. */
  Object[] equalValues(Object value) {
    return new Object[] {value};
  }

  private static String text(byte[] line) {
    return new String(line, StandardCharsets.UTF_8).strip();
  }

  /**
   * Returns the hash of a line's value.
   *
   * @param strategy one whose elements are of this type
   * @throws IllegalArgumentException if the line has no such value
   */
  public long hash(HashStrategy<? super Object> strategy, byte[] bytes, int from, int to) {
    return strategy.hash(parse(bytes, from, to));
  }

  /**
   * Returns the hashes of all values that equal a line's value: zero and negative zero are equal
   * numbers with different bytes.
   *
   * @param strategy one whose elements are of this type
   * @return no hash for NaN: it has many encodings, and readers differ in whether it equals itself
   * @throws IllegalArgumentException if the line has no such value
   */
  long[] equalHashes(HashStrategy<? super Object> strategy, byte[] bytes, int from, int to) {
    return Arrays.stream(equalValues(parse(bytes, from, to))).mapToLong(strategy::hash).toArray();
  }

  private Object parse(byte[] bytes, int from, int to) {
    byte[] line = Arrays.copyOfRange(bytes, from, to);
    try {
      return value(line);
    } catch (IllegalArgumentException e) { // of numbers and of digits
      throw new IllegalArgumentException("'" + text(line) + "' is no value of type " + this, e);
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
