package io.bloomkit.cli.io;

import java.util.Arrays;
import java.util.List;

/**
 * Finds the element of a line: the line itself, one of its fields, or several fields joined in the
 * order of a list.
 */
public final class Fields {

  private static final int INITIAL_BYTES = 256;

  private final FieldSeparator separator;
  private final int[] numbers;
  private final boolean hasCarriageReturns;

  private byte[] bytes = {};
  private int start;
  private int end;
  private int missing;

  /** The number of the field found last, and where it starts. */
  private int found;

  private int foundStart;

  /** The joined fields. At most as long as a line, since no field is listed twice. */
  private byte[] joined = {};

  /**
   * Creates a finder of elements.
   *
   * @param separator finds what separates the fields; may be shared by finders of the same lines
   * @param numbers the field numbers from 1, without duplicates; empty for the whole line
   * @param hasCarriageReturns whether a carriage return at the end of a line belongs to no field
   */
  Fields(FieldSeparator separator, List<Integer> numbers, boolean hasCarriageReturns) {
    this.separator = separator;
    this.hasCarriageReturns = hasCarriageReturns;
    this.numbers = numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Finds the element of a line; returns false if the line lacks a field.
   *
   * @throws IllegalArgumentException if the line cannot be split; the message lacks its subject,
   *     the line
   */
  public boolean find(byte[] line, int lineStart, int lineEnd) {
    bytes = line;
    start = lineStart;
    end = lineEnd;
    if (numbers.length == 0) {
      return true;
    }
    missing = numbers[0];
    boolean isLonger = hasCarriageReturns && lineEnd > lineStart && line[lineEnd - 1] == '\r';
    int last = isLonger ? lineEnd - 1 : lineEnd;
    if (!separator.begin(line, lineStart, last)) {
      return false;
    }
    found = 1;
    foundStart = separator.lineStart();
    return numbers.length == 1 ? findField(numbers[0]) : join(line);
  }

  /** Finds a field, from the one found before it on if that is earlier in the line. */
  private boolean findField(int number) {
    int from = found <= number ? found : 1;
    start = from == 1 ? separator.lineStart() : foundStart;
    for (int i = from; i < number; i++) {
      if (!separator.find(start)) {
        missing = number;
        return false;
      }
      start = separator.end();
    }
    end = separator.find(start) ? separator.start() : separator.lineEnd();
    found = number;
    foundStart = start;
    return true;
  }

  private boolean join(byte[] line) {
    int length = 0;
    for (int number : numbers) {
      if (!findField(number)) {
        return false;
      }
      if (number != numbers[0]) {
        byte[] joiner = separator.joiner();
        length = append(joiner, 0, joiner.length, length);
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

  /**
   * Returns the number of the missing field after {@link #find} returned false, and that of the
   * only field of a finder of one.
   */
  public int missing() {
    return missing;
  }

  /**
   * Returns what the first line decided about the separator, as a part of a message, or an empty
   * text if nothing had to be decided.
   */
  public String separatorNote() {
    return separator.note();
  }

  /** Returns the end of the message about a missing field: what may help. */
  public String missingHint() {
    String note = separatorNote();
    return "(" + note + (note.isEmpty() ? "" : "; ") + "--missing pass continues)";
  }
}
