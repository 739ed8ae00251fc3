package io.bloomkit.cli.foreign;

import io.bloomkit.hash.HashStrategy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/** The types of elements for which a line can stand. */
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
  },

  /** A floating-point number of 64 bits. */
  DOUBLE {
    @Override
    Object value(byte[] line) {
      return Double.valueOf(text(line));
    }
  },

  /** Bytes in hexadecimal digits. */
  HEX {
    @Override
    Object value(byte[] line) {
      return HexFormat.of().parseHex(text(line));
    }
  };

  abstract Object value(byte[] line);

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
    byte[] line = Arrays.copyOfRange(bytes, from, to);
    Object value;
    try {
      value = value(line);
    } catch (IllegalArgumentException e) { // of numbers and of digits
      throw new IllegalArgumentException("'" + text(line) + "' is no value of type " + this, e);
    }
    return strategy.hash(value);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
