package io.bloomkit.cli.io;

import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Buffers lines and writes them to standard output in large blocks. Not thread-safe. */
public final class LineWriter {

  private static final int BLOCK_BYTES = 1 << 18;

  private final StandardOutput out;
  private final byte[] buffer = new byte[BLOCK_BYTES];
  private int filled;
  private byte @Nullable [] missingTerminator;

  /**
   * Creates a writer with an empty buffer.
   *
   * @param out the stream to write to; not a PrintStream, because it must report failures
   */
  public LineWriter(OutputStream out) {
    this.out = new StandardOutput(out);
  }

  /**
   * Appends bytes.
   *
   * @throws UncheckedIOException if the stream fails
   * @throws StandardOutput.ClosedException if the reader of the stream has closed it
   */
  public void write(byte[] bytes, int from, int to) {
    if (missingTerminator != null) {
      byte[] terminator = missingTerminator;
      missingTerminator = null;
      write(terminator, 0, 1);
    }
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
   * Appends a line, and the terminator that a last line may lack.
   *
   * @throws UncheckedIOException as {@link #write(byte[], int, int)} does
   * @throws StandardOutput.ClosedException as {@link #write(byte[], int, int)} does
   */
  public void writeTerminated(byte[] bytes, int from, int to, byte terminator) {
    write(bytes, from, to);
    if (bytes[to - 1] != terminator) {
      write(new byte[] {terminator}, 0, 1);
    }
  }

  /** Appends a terminator as soon as more is appended. */
  void terminateBeforeMore(byte terminator) {
    missingTerminator = new byte[] {terminator};
  }

  /**
   * Appends ASCII characters.
   *
   * @throws UncheckedIOException as {@link #write(byte[], int, int)} does
   * @throws StandardOutput.ClosedException as {@link #write(byte[], int, int)} does
   */
  public void write(String ascii) {
    byte[] bytes = ascii.getBytes(StandardCharsets.US_ASCII);
    write(bytes, 0, bytes.length);
  }

  /**
   * Writes the buffered bytes to the stream and flushes it.
   *
   * @throws UncheckedIOException if the stream fails
   * @throws StandardOutput.ClosedException if the reader of the stream has closed it
   */
  public void flush() {
    int length = filled;
    filled = 0;
    writeNow(buffer, 0, length);
  }

  private void writeNow(byte[] bytes, int from, int length) {
    if (length > 0) {
      out.write(bytes, from, length);
    }
    out.flush();
  }
}
