package io.bloomkit.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Collects lines and writes them in large pieces; a failure is never kept silent. */
final class LineWriter {

  private static final int BLOCK_BYTES = 1 << 18;

  private final OutputStream out;
  private final byte[] buffer = new byte[BLOCK_BYTES];
  private int filled;

  LineWriter(OutputStream out) {
    this.out = out;
  }

  /**
   * Takes bytes.
   *
   * @throws UncheckedIOException if the stream fails
   */
  void write(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length > buffer.length - filled) {
      flush();
      if (length > buffer.length) {
        writeNow(bytes, from, length);
        return;
      }
    }
    System.arraycopy(bytes, from, buffer, filled, length);
    filled += length;
  }

  /**
   * Hands over all that was taken.
   *
   * @throws UncheckedIOException if the stream fails
   */
  void flush() {
    int length = filled;
    filled = 0;
    writeNow(buffer, 0, length);
  }

  private void writeNow(byte[] bytes, int from, int length) {
    try {
      if (length > 0) {
        out.write(bytes, from, length);
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to standard output: " + e.getMessage(), e);
    }
  }
}
