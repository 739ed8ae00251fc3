package io.bloomkit.cli.io;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the element of a line: the line itself, one of its fields, or several fields joined by the
 * separator in the order of a list. A carriage return at the end of the line belongs to no field.
 */
public final class Fields {

  private static final int INITIAL_BYTES = 256;

  private final byte[] separator;
  private final int[] numbers;

  private byte[] bytes = {};
  private int start;
  private int end;
  private int missing;

  /** The joined fields. At most as long as a line, since no field is listed twice. */
  private byte[] joined = {};

  /**
   * Creates a finder of elements.
   *
   * @param separator the text between fields, at least one character; matched as UTF-8 bytes
   * @param numbers the field numbers from 1, without duplicates; empty for the whole line
   */
  public Fields(String separator, List<Integer> numbers) {
    this.separator = separator.getBytes(StandardCharsets.UTF_8);
    this.numbers = numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Finds the element of a line; returns false if the line lacks a field. */
  public boolean find(byte[] line, int lineStart, int lineEnd) {
    bytes = line;
    start = lineStart;
    end = lineEnd;
    if (numbers.length == 0) {
      return true;
    }
    int last = lineEnd > lineStart && line[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    return numbers.length == 1
        ? findField(line, lineStart, last, numbers[0])
        : join(line, lineStart, last);
  }

  private boolean findField(byte[] line, int from, int to, int number) {
    start = from;
    for (int i = 1; i < number; i++) {
      int at = indexOfSeparator(line, start, to);
      if (at < 0) {
        missing = number;
        return false;
      }
      start = at + separator.length;
    }
    int at = indexOfSeparator(line, start, to);
    end = at < 0 ? to : at;
    return true;
  }

  private boolean join(byte[] line, int from, int to) {
    int length = 0;
    for (int number : numbers) {
      if (!findField(line, from, to, number)) {
        return false;
      }
      if (number != numbers[0]) {
        length = append(separator, 0, separator.length, length);
      }
      length = append(line, start, end, length);
    }
    bytes = joined;
    start = 0;
    end = length;
    return true;
  }

  private int append(byte[] source, int from, int to, int length) {
    int newLength = length + (to - from);
    if (newLength > joined.length) {
      int doubled = (int) Math.min(2L * newLength, Integer.MAX_VALUE - 8);
      joined = Arrays.copyOf(joined, Math.max(INITIAL_BYTES, doubled));
    }
    System.arraycopy(source, from, joined, length, to - from);
    return newLength;
  }

  private int indexOfSeparator(byte[] line, int from, int to) {
    byte first = separator[0];
    for (int i = from; i <= to - separator.length; i++) {
      if (line[i] == first && standsAt(line, i)) {
        return i;
      }
    }
    return -1;
  }

  private boolean standsAt(byte[] line, int index) {
    for (int i = 1; i < separator.length; i++) {
      if (line[index + i] != separator[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the array that holds the element found last; valid until the next call of {@link
   * #find}.
   */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the index of the first byte of the element found last. */
  public int start() {
    return start;
  }

  /** Returns the index after the last byte of the element found last. */
  public int end() {
    return end;
  }

  /** Returns the number of the missing field, after {@link #find} returned false. */
  public int missing() {
    return missing;
  }
}
