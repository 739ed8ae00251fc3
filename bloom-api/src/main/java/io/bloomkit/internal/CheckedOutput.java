package io.bloomkit.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/** A buffered stream that counts the bytes written and computes checksums of parts of them. */
public final class CheckedOutput extends OutputStream {

  private final OutputStream out;
  private final byte[] buffer = new byte[8192];
  private final CRC32C crc = new CRC32C();
  private int count;
  private int checksumFrom;
  private long written;

  public CheckedOutput(OutputStream out) {
    this.out = out;
  }

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

  public void beginChecksum() {
    crc.reset();
    checksumFrom = count;
  }

  /** Writes the CRC32C of all bytes written since {@link #beginChecksum}. */
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
