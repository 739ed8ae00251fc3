package io.bloomkit.internal.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Bytes of which nobody knows beforehand whether they come. */
class ReceivedBytesTest {

  private static final int LENGTH = 9 << 20; // more than sixteen parts

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(1).nextBytes(bytes);
    return bytes;
  }

  @Test
  void bytesOfAnyNumberComeInOneArrayOrInParts() throws IOException {
    for (int length : new int[] {0, 1, 4095, 4096, 4097, 8192, 50_000, LENGTH}) {
      byte[] bytes = random(length);
      assertArrayEquals(bytes, received(bytes).readGrowing(length, "bytes"));
      CRC32C crc = new CRC32C();
      ByteArrayOutputStream joined = new ByteArrayOutputStream(length);
      for (byte[] part : received(bytes).readParts(length, crc, "bytes")) {
        joined.write(part);
      }
      assertArrayEquals(bytes, joined.toByteArray());
      CRC32C expected = new CRC32C();
      expected.update(bytes);
      assertEquals(expected.getValue(), crc.getValue());
    }
  }

  private static ReceivedBytes received(byte[] bytes) {
    return new ReceivedBytes(new ByteArrayInputStream(bytes));
  }

  /** A forged length costs no more memory than was received. */
  @Test
  void readsAllocateNoMoreThanTheyReceived() throws IOException {
    byte[] bytes = random(LENGTH);
    new ReceivedBytes(patient(bytes)).readGrowing(LENGTH, "bytes");
    new ReceivedBytes(patient(bytes)).readParts(LENGTH, new CRC32C(), "bytes");
  }

  /** Checks that no read requests more bytes than were returned so far, or four kibibytes. */
  private static InputStream patient(byte[] bytes) {
    return new InputStream() {
      private final ByteArrayInputStream in = new ByteArrayInputStream(bytes);

      @Override
      public int read() {
        return in.read();
      }

      @Override
      public int read(byte[] target, int offset, int length) {
        int given = bytes.length - in.available();
        assertTrue(length <= Math.max(4096, given), () -> length + " after " + given);
        return in.read(target, offset, length);
      }
    };
  }
}
