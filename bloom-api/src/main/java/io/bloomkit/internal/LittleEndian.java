package io.bloomkit.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes numbers in byte arrays, least significant byte first. */
public final class LittleEndian {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  public static long getLong(byte[] bytes, int offset) {
    return (long) LONGS.get(bytes, offset);
  }

  public static void putLong(byte[] bytes, int offset, long value) {
    LONGS.set(bytes, offset, value);
  }

  public static int getInt(byte[] bytes, int offset) {
    return (int) INTS.get(bytes, offset);
  }

  public static void putInt(byte[] bytes, int offset, int value) {
    INTS.set(bytes, offset, value);
  }

  /** Returns two bytes as a number from 0 to 65,535. */
  public static int getShort(byte[] bytes, int offset) {
    return (bytes[offset] & 0xff) | (bytes[offset + 1] & 0xff) << 8;
  }

  /** Writes the lowest two bytes of a number. */
  public static void putShort(byte[] bytes, int offset, int value) {
    bytes[offset] = (byte) value;
    bytes[offset + 1] = (byte) (value >>> 8);
  }
}
