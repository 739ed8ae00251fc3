package io.bloomkit.cli.interop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.transport.TEndpointTransport;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/** A Thrift transport over the footer of a file that reads 8 KiB at a time. */
final class FooterTransport extends TEndpointTransport {

  private static final int WINDOW_BYTES = 1 << 13;

  private final FileChannel channel;
  private final long end;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);

  /** The offset in the file of the end of the window. */
  private long windowEnd;

  /** Creates a transport that reads from {@code start}, inclusive, to {@code end}, exclusive. */
  FooterTransport(FileChannel channel, long start, long end) throws TTransportException {
    super(new TConfiguration());
    this.channel = channel;
    this.end = end;
    this.windowEnd = start;
  }

  /** Returns the offset in the file of the next byte. */
  long position() {
    return windowEnd - window.remaining();
  }

  /** Moves to an offset in the file, which must not be after its end. */
  void seek(long position) {
    windowEnd = position;
    window.limit(0);
  }

  /** Skips bytes. */
  void skip(long count) throws TTransportException {
    if (count > end - position()) {
      seek(end);
      throw ended();
    }
    if (count <= window.remaining()) {
      window.position(window.position() + (int) count);
    } else {
      seek(position() + count);
    }
  }

  @Override
  public int read(byte[] into, int offset, int length) throws TTransportException {
    if (!window.hasRemaining()) {
      fill();
    }
    int count = Math.min(length, window.remaining());
    window.get(into, offset, count);
    return count;
  }

  private void fill() throws TTransportException {
    window.clear().limit((int) Math.min(WINDOW_BYTES, end - windowEnd));
    int count;
    try {
      count = window.hasRemaining() ? channel.read(window, windowEnd) : -1;
    } catch (IOException e) {
      window.limit(0);
      throw new TTransportException(TTransportException.UNKNOWN, e);
    }
    window.flip();
    if (count < 0) {
      throw ended();
    }
    windowEnd += count;
  }

  private static TTransportException ended() {
    return new TTransportException(TTransportException.END_OF_FILE, "the footer ends too early");
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    throw new AssertionError("a footer is only read");
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void open() {}

  @Override
  public void close() {}
}
