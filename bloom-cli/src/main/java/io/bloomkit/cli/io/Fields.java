package io.bloomkit.cli.io;

import java.nio.charset.StandardCharsets;

/**
 * Finds a field of a line, counted from 1. A carriage return at the end of the line belongs to no
 * field.
 */
public final class Fields {

  private final byte[] separator;
  private int start;
  private int end;

  /** Takes what stands between fields, in UTF-8; at least one byte. */
  public Fields(String separator) {
    this.separator = separator.getBytes(StandardCharsets.UTF_8);
  }

  /** Finds the field of a number; returns false if the line has fewer. */
  public boolean find(byte[] bytes, int lineStart, int lineEnd, long number) {
    int last = lineEnd > lineStart && bytes[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
    start = lineStart;
    for (long i = 1; i < number; i++) {
      int at = indexOfSeparator(bytes, start, last);
      if (at < 0) {
        return false;
      }
      start = at + separator.length;
    }
    int at = indexOfSeparator(bytes, start, last);
    end = at < 0 ? last : at;
    return true;
  }

  private int indexOfSeparator(byte[] bytes, int from, int to) {
    byte first = separator[0];
    for (int i = from; i <= to - separator.length; i++) {
      if (bytes[i] == first && standsAt(bytes, i)) {
        return i;
      }
    }
    return -1;
  }

  private boolean standsAt(byte[] bytes, int index) {
    for (int i = 1; i < separator.length; i++) {
      if (bytes[index + i] != separator[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns the index of the first byte of the field found last. */
  public int start() {
    return start;
  }

  /** Returns the index after the last byte of the field found last. */
  public int end() {
    return end;
  }
}
