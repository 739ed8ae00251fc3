package io.bloomkit.format;

import io.bloomkit.internal.LittleEndian;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/** A buffer before a stream that knows its offset and the checksum of a part. */
final class CheckedOutput extends OutputStream {

  private final OutputStream out;
  private final byte[] buffer = new byte[8192];
  private final CRC32C crc = new CRC32C();
  private int count;
  private int checksumFrom;
  private long written;

  CheckedOutput(OutputStream out) {
    this.out = out;
  }

  long offset() {
    return written + count;
  }

  @Override
  public void write(int b) throws IOException {
    if (count == buffer.length) {
      flushBuffer();
    }
    buffer[count++] = (byte) b;
  }

  void writeLong(long value) throws IOException {
    if (count > buffer.length - Long.BYTES) {
      flushBuffer();
    }
    LittleEndian.putLong(buffer, count, value);
    count += Long.BYTES;
  }

  /** Writes zeros up to an offset, if it is not there yet. */
  void writeZerosTo(long offset) throws IOException {
    while (offset() < offset) {
      write(0);
    }
  }

  void beginChecksum() {
    crc.reset();
    checksumFrom = count;
  }

  /** Writes the checksum of everything since its beginning. */
  void endChecksum() throws IOException {
    crc.update(buffer, checksumFrom, count - checksumFrom);
    checksumFrom = count;
    int checksum = (int) crc.getValue();
    for (int i = 0; i < Integer.BYTES; i++) {
      write(checksum >>> (i * Byte.SIZE));
    }
  }

  /** Hands on what is buffered, but leaves the stream itself as it is. */
  void flushBuffer() throws IOException {
    crc.update(buffer, checksumFrom, count - checksumFrom);
    out.write(buffer, 0, count);
    written += count;
    count = 0;
    checksumFrom = 0;
  }
}
