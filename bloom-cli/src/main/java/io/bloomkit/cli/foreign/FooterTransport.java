package io.bloomkit.cli.foreign;

import java.nio.ByteBuffer;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.transport.TEndpointTransport;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/** Bytes of an array as Thrift reads them. Its own classes for that need a logger. */
final class FooterTransport extends TEndpointTransport {

  private final ByteBuffer bytes;

  FooterTransport(TConfiguration limits, ByteBuffer bytes) throws TTransportException {
    super(limits);
    this.bytes = bytes;
  }

  /** Returns how many bytes have not been read. */
  int left() {
    return bytes.remaining();
  }

  @Override
  public int read(byte[] into, int offset, int length) throws TTransportException {
    if (length > bytes.remaining()) {
      throw new TTransportException(TTransportException.END_OF_FILE, "the footer ends");
    }
    bytes.get(into, offset, length);
    return length;
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
