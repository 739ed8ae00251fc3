package io.bloomkit.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.junit.jupiter.api.Test;

class Crc32cTest {

  private static long byJava(byte[] bytes, int offset, int length) {
    Checksum crc = new CRC32C();
    crc.update(bytes, offset, length);
    return crc.getValue();
  }

  private static long byTable(byte[] bytes, int offset, int length) {
    Checksum crc = Crc32c.createByTable();
    crc.update(bytes, offset, length);
    return crc.getValue();
  }

  @Test
  void javaHasTheChecksum() {
    assertInstanceOf(CRC32C.class, Crc32c.create());
  }

  @Test
  void thePublishedCheckValueHolds() {
    byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
    assertEquals(0xe306_9283L, byTable(digits, 0, digits.length));
  }

  @Test
  void equalsThatOfJava() {
    Random random = new Random(44);
    for (int length = 0; length < 300; length++) {
      byte[] bytes = new byte[length + 2];
      for (int fill : new int[] {0, 1, 0x7f, 0x80, 0xff}) {
        Arrays.fill(bytes, (byte) fill);
        assertEquals(byJava(bytes, 1, length), byTable(bytes, 1, length));
      }
      for (int i = 0; i < 20; i++) {
        random.nextBytes(bytes);
        assertEquals(byJava(bytes, 1, length), byTable(bytes, 1, length));
      }
    }
    byte[] many = new byte[1 << 20];
    random.nextBytes(many);
    assertEquals(byJava(many, 0, many.length), byTable(many, 0, many.length));
  }

  @Test
  void partsBytesAndBuffersAreAsTheWhole() {
    Random random = new Random(45);
    byte[] bytes = new byte[20_000];
    random.nextBytes(bytes);
    long expected = byJava(bytes, 0, bytes.length);
    Checksum crc = Crc32c.createByTable();
    assertEquals(0, crc.getValue());
    int end = 0;
    while (end < bytes.length) {
      int length = Math.min(bytes.length - end, random.nextInt(400));
      crc.update(bytes, end, length);
      end += length;
      if (end < bytes.length) {
        crc.update(bytes[end++] | random.nextInt() << Byte.SIZE); // only the lowest byte counts
      }
    }
    assertEquals(expected, crc.getValue());

    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes);
    for (ByteBuffer buffer : List.of(ByteBuffer.wrap(bytes).asReadOnlyBuffer(), direct)) {
      crc.reset();
      Crc32c.updateByArray(crc, buffer.rewind());
      assertEquals(expected, crc.getValue());
      assertFalse(buffer.hasRemaining());

      Checksum present = Crc32c.create();
      Crc32c.update(present, buffer.rewind());
      assertEquals(expected, present.getValue());
      assertFalse(buffer.hasRemaining());
    }
  }

  @Test
  void refusesBytesBeyondTheArray() {
    for (Checksum crc : List.of(Crc32c.create(), Crc32c.createByTable())) {
      byte[] bytes = new byte[4];
      assertThrows(IndexOutOfBoundsException.class, () -> crc.update(bytes, 1, 4));
      assertThrows(IndexOutOfBoundsException.class, () -> crc.update(bytes, -1, 2));
      assertThrows(IndexOutOfBoundsException.class, () -> crc.update(bytes, 2, -1));
      assertEquals(0, crc.getValue());
    }
  }
}
