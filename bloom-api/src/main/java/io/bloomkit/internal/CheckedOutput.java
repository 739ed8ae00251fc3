package io.bloomkit.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Checksum;

/**
 * A buffered stream that counts the bytes written and computes checksums of parts of them. At the
 * end, call {@link #flushBuffer}: {@code flush} and {@code close} have no effect.
 */
public final class CheckedOutput extends OutputStream {

  private final OutputStream out;
  private final byte[] buffer = new byte[8192];
  private final Checksum crc = Crc32c.create();
  private int count;
  private int checksumFrom;
  private long written;

  /**
   * Creates a stream.
   *
   * @param out the underlying stream; neither flushed nor closed
   */
  public CheckedOutput(OutputStream out) {
    this.out = out;
  }

  /** Returns the number of bytes written so far, including those still in the buffer. */
  public long offset() {
    return written + count;
  }

  @Override
  public void write(int b) throws IOException {
    if (count == buffer.length) {
      flushBuffer();
    }
    buffer[count++] = (byte) b;
  }

  /** Writes a number as eight little-endian bytes. */
  public void writeLong(long value) throws IOException {
    if (count > buffer.length - Long.BYTES) {
      flushBuffer();
    }
    LittleEndian.putLong(buffer, count, value);
    count += Long.BYTES;
  }

  /** Writes zeros until {@link #offset} is at least a given offset. */
  public void writeZerosTo(long offset) throws IOException {
    while (offset() < offset) {
      write(0);
    }
  }

  /** Begins a checksum with the next byte written. */
  public void beginChecksum() {
    crc.reset();
    checksumFrom = count;
  }

  /**
   * Writes the CRC32C of all bytes written since {@link #beginChecksum}, as four little-endian
   * bytes.
   */
  public void endChecksum() throws IOException {
    crc.update(buffer, checksumFrom, count - checksumFrom);
    checksumFrom = count;
    int checksum = (int) crc.getValue();
    for (int i = 0; i < Integer.BYTES; i++) {
      write(checksum >>> (i * Byte.SIZE));
    }
  }

  /** Writes the buffered bytes to the underlying stream, which is not flushed. */
  public void flushBuffer() throws IOException {
    crc.update(buffer, checksumFrom, count - checksumFrom);
    out.write(buffer, 0, count);
    written += count;
    count = 0;
    checksumFrom = 0;
  }
}
