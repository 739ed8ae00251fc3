package io.bloomkit.interop.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomkit.hash.BytesHashStrategy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.parquet.column.values.bloomfilter.XxHash;
import org.junit.jupiter.api.Test;

/** The hash of Parquet, against its published values and Parquet's own. */
class Xxh64Test {

  private static final XxHash PARQUETS = new XxHash();

  private static long hash(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Xxh64.hashBytes(bytes, 0, bytes.length);
  }

  @Test
  void publishedValues() {
    assertEquals(0xef46db3751d8e999L, hash(""));
    assertEquals(0xd24ec4f1a98c6e5bL, hash("a"));
    assertEquals(0x44bc2cf5ad770999L, hash("abc"));
    assertEquals(0xfbcea83c8a378bf1L, hash("Nobody inspects the spammish repetition")); // 39 bytes
  }

  @Test
  void everyLengthAndOffsetIsAsInParquet() {
    SplittableRandom random = new SplittableRandom(20261123);
    byte[] bytes = new byte[300];
    for (int length = 0; length < 260; length++) {
      random.nextBytes(bytes);
      int offset = length % 17;
      byte[] part = Arrays.copyOfRange(bytes, offset, offset + length);
      long expected = PARQUETS.hashBytes(part);
      assertEquals(expected, Xxh64.hashBytes(bytes, offset, length), "length " + length);
      assertEquals(expected, ParquetStrategies.byteArray().hash(part));
    }
  }

  @Test
  void numbersAreTheirLittleEndianBytes() {
    SplittableRandom random = new SplittableRandom(20261124);
    for (int i = 0; i < 1000; i++) {
      long number = random.nextLong() >> random.nextInt(64);
      byte[] longs = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
      assertEquals(Xxh64.hashBytes(longs, 0, 8), Xxh64.hashLong(number));
      assertEquals(Xxh64.hashBytes(longs, 0, 4), Xxh64.hashInt((int) number));
      assertEquals(
          Xxh64.hashInt((int) number),
          ParquetStrategies.float32().hash(Float.intBitsToFloat((int) number)));
      assertEquals(
          Xxh64.hashLong(number),
          ParquetStrategies.float64().hash(Double.longBitsToDouble(number)));
    }
  }

  @Test
  void rangesBeyondTheArrayAreRefused() {
    BytesHashStrategy strategy = ParquetStrategies.byteArray();
    byte[] bytes = new byte[10];
    assertThrows(IndexOutOfBoundsException.class, () -> strategy.hashBytes(bytes, 5, 6));
    assertThrows(IndexOutOfBoundsException.class, () -> strategy.hashBytes(bytes, -1, 2));
  }
}
