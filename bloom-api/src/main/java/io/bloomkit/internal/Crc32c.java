package io.bloomkit.internal;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * The checksum of sections and headers: {@link CRC32C} where Java has it, otherwise the same
 * function by a table. Android has no {@code CRC32C} before API level 34.
 */
public final class Crc32c implements Checksum {

  /** The polynomial of Castagnoli, lowest power first. */
  private static final int POLYNOMIAL = 0x82f63b78;

  private static final int BUFFER_BYTES = 8192;

  private static final boolean HAS_CRC32C = hasCrc32c();

  /** The remainder of each byte. */
  private static final int[] TABLE = HAS_CRC32C ? new int[0] : table();

  private final int[] table;
  private int state = -1;

  private Crc32c(int[] table) {
    this.table = table;
  }

  /** Returns a checksum of no bytes. */
  public static Checksum create() {
    return HAS_CRC32C ? OfJava.create() : new Crc32c(TABLE);
  }

  /** Returns a checksum of no bytes that is computed by a table on every platform. */
  static Checksum createByTable() {
    return new Crc32c(table());
  }

  /**
   * Updates a checksum with the remaining bytes of a buffer, which are consumed. Android's {@code
   * Checksum} does not accept a buffer before API level 34.
   */
  public static void update(Checksum crc, ByteBuffer bytes) {
    if (HAS_CRC32C) {
      OfJava.update(crc, bytes);
    } else {
      updateByArray(crc, bytes);
    }
  }

  static void updateByArray(Checksum crc, ByteBuffer bytes) {
    byte[] copy = new byte[Math.min(bytes.remaining(), BUFFER_BYTES)];
    while (bytes.hasRemaining()) {
      int length = Math.min(bytes.remaining(), copy.length);
      bytes.get(copy, 0, length);
      crc.update(copy, 0, length);
    }
  }

  private static boolean hasCrc32c() {
    try {
      return OfJava.create().getValue() == 0;
    } catch (LinkageError e) {
      return false;
    }
  }

  private static int[] table() {
    int[] table = new int[1 << Byte.SIZE];
    for (int i = 0; i < table.length; i++) {
      int remainder = i;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        remainder = (remainder >>> 1) ^ (-(remainder & 1) & POLYNOMIAL);
      }
      table[i] = remainder;
    }
    return table;
  }

  @Override
  public void update(int b) {
    state = table[(state ^ b) & 0xff] ^ (state >>> Byte.SIZE);
  }

  @Override
  public void update(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int crc = state;
    for (int i = offset; i < offset + length; i++) {
      crc = table[(crc ^ bytes[i]) & 0xff] ^ (crc >>> Byte.SIZE);
    }
    state = crc;
  }

  @Override
  public long getValue() {
    return Integer.toUnsignedLong(~state);
  }

  @Override
  public void reset() {
    state = -1;
  }

  /** A class of its own, so that {@code Crc32c} loads without {@code CRC32C}. */
  @NotOnAndroid("the table of Crc32c")
  private static final class OfJava {

    static Checksum create() {
      return new CRC32C();
    }

    static void update(Checksum crc, ByteBuffer bytes) {
      crc.update(bytes);
    }
  }
}
