package io.bloomkit.cli.io;

import io.bloomkit.cli.text.Figures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds lines in a stream of bytes without copying them. A line ends with a terminator, usually a
 * line feed, or at the end of the stream; a carriage return is an ordinary byte. A line may be as
 * long as the largest array. Not thread-safe.
 *
 * <p>After {@link #readMore}, {@link #next} iterates over the complete lines, which stay in {@link
 * #buffer} until the next {@code readMore}.
 */
public final class LineReader {

  /** The size of a block; with the output, it fits into the cache of a core. */
  private static final int BLOCK_BYTES = 1 << 18;

  private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long LOWEST_BITS = 0x0101010101010101L;
  private static final long HIGHEST_BITS = 0x8080808080808080L;

  private final InputSource input;
  private final byte terminator;

  private byte[] buffer = new byte[BLOCK_BYTES];

  /**
   * The index of the first byte of the current line; {@code nextStart} is that of the next line.
   */
  private int lineStart;

  private int nextStart;

  /** The index after the last byte of the current line, excluding its terminator. */
  private int lineEnd;

  /** There is no terminator between {@code nextStart} and this index. */
  private int searched;

  private int filled;
  private boolean over;
  private long bytesRead;
  private long lines;

  /** The input that is read, which is one of those that are joined, and the lines before it. */
  private String current = "";

  private long linesBefore;

  /**
   * Creates a reader of an input.
   *
   * @param terminator the byte that ends a line
   */
  public LineReader(InputSource input, byte terminator) {
    this.input = input;
    this.terminator = terminator;
  }

  /**
   * Waits for more bytes. Overwrites the lines found before in {@link #buffer}.
   *
   * @return false at the end of the stream
   * @throws UncheckedIOException if the stream fails
   * @throws IllegalArgumentException if a line is longer than the largest array
   */
  public boolean readMore() {
    if (over) {
      return false;
    }
    System.arraycopy(buffer, nextStart, buffer, 0, filled - nextStart);
    filled -= nextStart;
    searched -= nextStart;
    nextStart = 0;
    if (filled == buffer.length) {
      enlarge();
    }
    int count;
    try {
      count = input.stream().read(buffer, filled, buffer.length - filled);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + input.name() + ": " + e.getMessage(), e);
    }
    if (!input.current().equals(current)) {
      current = input.current();
      linesBefore = lines;
    }
    if (count < 0) {
      over = true;
      return filled > 0;
    }
    filled += count;
    bytesRead += count;
    return true;
  }

  private void enlarge() {
    if (buffer.length == MAX_BYTES) {
      throw new IllegalArgumentException(
          "a line is longer than "
              + Figures.whole(MAX_BYTES)
              + " bytes, the size of the largest array");
    }
    buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, MAX_BYTES));
  }

  /**
   * Advances to the next line. Returns false if the rest of the buffer contains no complete line.
   */
  public boolean next() {
    int end = indexOfTerminator(buffer, searched, filled);
    if (end < filled) {
      lineStart = nextStart;
      lineEnd = end;
      nextStart = end + 1;
      searched = nextStart;
      lines++;
      return true;
    }
    searched = filled;
    if (over && nextStart < filled) {
      lineStart = nextStart;
      lineEnd = filled;
      nextStart = filled;
      lines++;
      return true;
    }
    return false;
  }

  /**
   * Returns the index of the first terminator, or {@code to} if there is none. Tests eight bytes at
   * a time: a byte of x is 0 exactly at a terminator, and the lowest bit left of (x − 1…1) &amp; ~x
   * &amp; 80…80 is that of the first such byte (H. Warren, <i>Hacker's Delight</i>, 2nd edition,
   * 6-1).
   */
  private int indexOfTerminator(byte[] bytes, int from, int to) {
    long terminators = LOWEST_BITS * terminator;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long x = (long) EIGHT_BYTES.get(bytes, i) ^ terminators;
      long found = (x - LOWEST_BITS) & ~x & HIGHEST_BITS;
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    while (i < to && bytes[i] != terminator) {
      i++;
    }
    return i;
  }

  /** Returns the byte that ends a line. */
  public byte terminator() {
    return terminator;
  }

  /** Returns the array that contains the lines; callers must not modify it. */
  public byte[] buffer() {
    return buffer;
  }

  /** Returns the index of the first byte of the line. */
  public int lineStart() {
    return lineStart;
  }

  /** Returns the index after the last byte of the line, excluding its terminator. */
  public int lineEnd() {
    return lineEnd;
  }

  /** Returns the index after the line and its terminator, if it has one. */
  public int nextStart() {
    return nextStart;
  }

  /** Returns the number of lines found, including the current one. */
  public long lines() {
    return lines;
  }

  /** Returns where the current line is, for messages: {@code line 2 of a.txt}. */
  public String place() {
    return "line " + (lines - linesBefore) + " of " + current;
  }

  /** Returns the number of bytes read. */
  public long bytesRead() {
    return bytesRead;
  }

  /**
   * Returns the mean length in bytes of the lines after the current one in the buffer, at least 1.
   */
  public double meanLineBytes() {
    int lines = 0;
    int end = nextStart;
    while (end < filled) {
      end = indexOfTerminator(buffer, end, filled) + 1;
      lines++;
    }
    return Math.max(1, (double) (filled - nextStart) / Math.max(1, lines));
  }
}
