package io.bloomkit.internal;

import java.io.ByteArrayOutputStream;

/** A stream into an array of a known length, which is returned without a copy once it is full. */
public final class ByteArrayOutput extends ByteArrayOutputStream {

  /**
   * Creates a stream.
   *
   * @throws OutOfMemoryError if the heap has no room; the message states the bytes
   */
  public ByteArrayOutput(int length) {
    super(0);
    buf = WordArrays.allocateBytes(length);
  }

  @Override
  public synchronized byte[] toByteArray() {
    return count == buf.length ? buf : super.toByteArray();
  }
}
