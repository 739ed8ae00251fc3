package io.bloomkit.internal.format;

import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.WordArrays;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.Checksum;

/**
 * Reads the bytes of a filter from a stream, and counts them. Reads no byte more than requested, so
 * the bytes that follow a filter stay in the stream.
 */
final class ReceivedBytes {

  /** The initial size of the buffer, before any byte is received. */
  private static final int FIRST_PART_BYTES = 4096;

  private final InputStream in;

  /** Number of bytes received, which is the offset of the next one. */
  private long offset;

  ReceivedBytes(InputStream in) {
    this.in = in;
  }

  /**
   * Reads a given number of bytes.
   *
   * @param content the name of these bytes in the error message
   */
  void read(byte[] bytes, int from, int length, String content) throws IOException {
    int missing = length;
    while (missing > 0) {
      int count = in.read(bytes, from + length - missing, missing);
      if (count == 0) { // only a stream that violates its contract; avoids an endless loop
        int next = in.read();
        if (next >= 0) {
          bytes[from + length - missing] = (byte) next;
          count = 1;
        }
      }
      if (count <= 0) {
        throw new FilterFormatException(
            offset,
            "the filter ends here, but "
                + missing
                + (missing == 1 ? " more byte of " : " more bytes of ")
                + content
                + " must follow");
      }
      offset += count;
      missing -= count;
    }
  }

  /** Reads bytes into an array that grows with the bytes received. */
  byte[] readGrowing(int length, String content) throws IOException {
    byte[] bytes = new byte[Math.min(length, FIRST_PART_BYTES)];
    int received = 0;
    while (true) {
      read(bytes, received, bytes.length - received, content);
      received = bytes.length;
      if (received == length) {
        return bytes;
      }
      bytes = WordArrays.copyOf(bytes, (int) Math.min(length, 2L * received));
    }
  }

  /** Reads bytes into arrays. The next array is allocated after the last one is full. */
  byte[][] readParts(long length, Checksum crc, String content) throws IOException {
    byte[][] parts = new byte[16][];
    int count = 0;
    for (long missing = length; missing > 0; ) {
      byte[] part =
          WordArrays.allocateBytes((int) Math.min(missing, nextPartBytes(length - missing)));
      read(part, 0, part.length, content);
      crc.update(part, 0, part.length);
      missing -= part.length;
      if (count == parts.length) {
        parts = Arrays.copyOf(parts, 2 * count);
      }
      parts[count++] = part;
    }
    return Arrays.copyOf(parts, count);
  }

  private static int nextPartBytes(long received) {
    return (int) Math.min(Math.max(FIRST_PART_BYTES, received), 1 << 20);
  }

  /** Reads zeros up to an offset, which is at most the next multiple of the alignment. */
  void skipZerosTo(long end) throws IOException {
    byte[] zeros = new byte[(int) (end - offset)];
    long start = offset;
    read(zeros, 0, zeros.length, "padding");
    for (int i = 0; i < zeros.length; i++) {
      if (zeros[i] != 0) {
        throw new FilterFormatException(
            start + i, String.format(Locale.ROOT, "padding must be 0, got 0x%02x", zeros[i]));
      }
    }
  }

  /** Checks that nothing follows. */
  void requireEnd() throws IOException {
    if (in.read() >= 0) {
      throw new FilterFormatException(offset, "the filter ends here, but more bytes follow");
    }
  }
}
