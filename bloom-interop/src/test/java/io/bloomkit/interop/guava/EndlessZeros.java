package io.bloomkit.interop.guava;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;

/** Zeros without end: the words of an empty filter of any size, without an array of them. */
public final class EndlessZeros extends InputStream {

  private EndlessZeros() {}

  /** Returns a stream of some bytes and zeros. */
  public static InputStream after(byte[] bytes) {
    return new SequenceInputStream(new ByteArrayInputStream(bytes), new EndlessZeros());
  }

  @Override
  public int read() {
    return 0;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    Arrays.fill(into, offset, offset + length, (byte) 0);
    return length;
  }
}
