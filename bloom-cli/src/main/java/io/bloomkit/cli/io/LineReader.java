package io.bloomkit.cli.io;

import io.bloomkit.cli.text.Figures;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds lines in a stream of bytes, without a copy of any. A line ends with a line feed, or where
 * the stream ends; a carriage return is a byte like all others. A line may be as long as an array.
 *
 * <p>After {@link #readMore}, {@link #next} goes through the lines that are complete; they stay in
 * {@link #buffer} until the next {@code readMore}.
 */
public final class LineReader {

  /** Fits into the cache of a core together with what is written. */
  private static final int BLOCK_BYTES = 1 << 18;

  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long LINE_FEEDS = 0x0a0a0a0a0a0a0a0aL;
  private static final long LOWEST_BITS = 0x0101010101010101L;
  private static final long HIGHEST_BITS = 0x8080808080808080L;

  private final InputStream in;
  private final String name;

  private byte[] buffer = new byte[BLOCK_BYTES];

  /** Where the line found last begins, and where the one after it does. */
  private int lineStart;

  private int nextStart;

  /** Where the line found last ends, without its line feed. */
  private int lineEnd;

  /** From {@code nextStart} to here there is no line feed. */
  private int searched;

  private int filled;
  private boolean over;
  private long bytesRead;

  /**
   * Reads a stream.
   *
   * @param name what messages call it
   */
  public LineReader(InputStream in, String name) {
    this.in = in;
    this.name = name;
  }

  /**
   * Waits for more bytes. What {@link #buffer} held of lines found before is gone.
   *
   * @return false if there is nothing left
   * @throws UncheckedIOException if the stream fails
   * @throws IllegalArgumentException if a line is longer than an array
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
      count = in.read(buffer, filled, buffer.length - filled);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name + ": " + e.getMessage(), e);
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
    if (buffer.length == MOST_BYTES) {
      throw new IllegalArgumentException(
          "a line is longer than " + Figures.whole(MOST_BYTES) + " bytes, which an array holds");
    }
    buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, MOST_BYTES));
  }

  /** Goes to the next line; returns false if the rest of the buffer is none, or not yet. */
  public boolean next() {
    int end = indexOfLineFeed(buffer, searched, filled);
    if (end < filled) {
      lineStart = nextStart;
      lineEnd = end;
      nextStart = end + 1;
      searched = nextStart;
      return true;
    }
    searched = filled;
    if (over && nextStart < filled) {
      lineStart = nextStart;
      lineEnd = filled;
      nextStart = filled;
      return true;
    }
    return false;
  }

  /**
   * The index of the first line feed, or {@code to}. Looks at eight bytes at once: a byte of x is 0
   * exactly where a line feed stands, and the lowest bit left of (x − 1…1) &amp; ~x &amp; 80…80 is
   * that of the first such byte (H. Warren, <i>Hacker's Delight</i>, 2nd edition, 6-1).
   */
  private static int indexOfLineFeed(byte[] bytes, int from, int to) {
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long x = (long) EIGHT_BYTES.get(bytes, i) ^ LINE_FEEDS;
      long found = (x - LOWEST_BITS) & ~x & HIGHEST_BITS;
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found) / Byte.SIZE;
      }
    }
    while (i < to && bytes[i] != '\n') {
      i++;
    }
    return i;
  }

  /** Returns the array that lines are found in; not to be written. */
  public byte[] buffer() {
    return buffer;
  }

  /** Returns the index of the first byte of the line. */
  public int lineStart() {
    return lineStart;
  }

  /** Returns the index after the last byte of the line, its line feed excluded. */
  public int lineEnd() {
    return lineEnd;
  }

  /** Returns the index after the line and its line feed, if it has one. */
  public int nextStart() {
    return nextStart;
  }

  /** Returns how many bytes have been read. */
  public long bytesRead() {
    return bytesRead;
  }

  /** Returns the mean length of the lines in the buffer that are still to come, at least 1. */
  public double meanLineBytes() {
    int lines = 0;
    int end = nextStart;
    while (end < filled) {
      end = indexOfLineFeed(buffer, end, filled) + 1;
      lines++;
    }
    return Math.max(1, (double) (filled - nextStart) / Math.max(1, lines));
  }
}
