package io.bloomkit.interop.parquet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.interop.InteropBytesContract;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What is no filter of Parquet's is refused, whatever its header says. */
class ParquetBytesTest implements InteropBytesContract<ParquetBloomFilter<Long>> {

  private static final String NAME = "not the bytes of a Parquet Bloom filter: ";

  /** The header of one block. */
  private static final int[] HEADER = {
    0x15, 0x40, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0
  };

  @Override
  public ParquetBloomFilter<Long> readFrom(InputStream in) throws IOException {
    return ParquetBloomFilter.readFrom(in, ParquetStrategies.int64());
  }

  @Override
  public ParquetBloomFilter<Long> readFrom(Path file) throws IOException {
    return ParquetBloomFilter.readFrom(file, ParquetStrategies.int64());
  }

  @Override
  public ParquetBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
    return ParquetBloomFilter.fromBytes(bytes, ParquetStrategies.int64());
  }

  @Override
  public ParquetBloomFilter<Long> filter() {
    ParquetBloomFilter<Long> filter =
        ParquetBloomFilter.create(ParquetStrategies.int64(), 3000, 0.01);
    for (long i = 0; i < 3000; i++) {
      filter.add(i);
    }
    return filter;
  }

  @Override
  public byte[] headerOfTheLargest() {
    return ParquetHeader.bytesOf(new ParquetShape(ParquetShape.MAX_BLOCKS));
  }

  /** A header and, so that only the header can be wrong, the bits of one block. */
  private static byte[] oneBlock(int... header) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int part : header) {
      out.write(part);
    }
    out.writeBytes(new byte[32]);
    return out.toByteArray();
  }

  private static int[] header(int from, int to, int... instead) {
    int[] header = new int[from + instead.length + HEADER.length - to];
    System.arraycopy(HEADER, 0, header, 0, from);
    System.arraycopy(instead, 0, header, from, instead.length);
    System.arraycopy(HEADER, to, header, from + instead.length, HEADER.length - to);
    return header;
  }

  private void assertRead(int... header) throws IOException {
    assertArrayEquals(oneBlock(HEADER), fromBytes(oneBlock(header)).toBytes());
  }

  private void assertRefused(String message, int... header) {
    byte[] bytes = oneBlock(header);
    String refusal = assertThrows(FilterFormatException.class, () -> fromBytes(bytes)).toString();
    assertTrue(refusal.contains(NAME + message), refusal);
  }

  @Test
  void headersAreThoseOfParquet() throws IOException {
    for (int bytes = 32; bytes > 0; bytes = bytes < 1 << 20 ? bytes + 32 * 37 : bytes * 2) {
      assertArrayEquals(
          ParquetCase.headerByParquet(bytes), ParquetHeader.bytesOf(ParquetShape.ofBytes(bytes)));
    }
    assertArrayEquals(
        ParquetCase.headerByParquet(ParquetShape.MAX_BLOCKS * 32), headerOfTheLargest());
  }

  @Test
  void fieldsThatALaterVersionAddsAreSkipped() throws IOException {
    assertRead(HEADER);
    int end = HEADER.length - 1;
    assertRead(header(end, end, 0x11)); // true
    assertRead(header(end, end, 0x12));
    assertRead(header(end, end, 0x13, 7)); // a byte
    assertRead(header(end, end, 0x14, 0xff, 1)); // i16
    assertRead(header(end, end, 0x16, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1)); // i64
    assertRead(header(end, end, 0x17, 0, 0, 0, 0, 0, 0, 0, 0)); // a double
    assertRead(header(end, end, 0x18, 3, 65, 66, 67)); // a binary
    assertRead(header(end, end, 0x19, 0x25, 1, 2)); // a list of two i32
    assertRead(header(end, end, 0x19, 0xf1, 2, 0, 0)); // of truth values, long form
    assertRead(header(end, end, 0x19, 0x22, 0, 0)); // of the other type of truth values
    assertRead(header(end, end, 0x1a, 0x1c, 0x15, 1, 0)); // a set of one struct
    assertRead(header(end, end, 0x1b, 0)); // an empty map
    assertRead(header(end, end, 0x1b, 2, 0x58, 0, 1, 65, 0, 0)); // i32 to binary
    assertRead(header(end, end, 0x1c, 0x15, 1, 0x05, 20, 1, 0)); // a struct, long field id
    assertRead(header(end, end, 0x05, 200, 1, 9)); // field 100
    assertRead(header(0, 2, 0x05, 2, 0x40)); // field 1 in the long form
    assertRead(header(4, 5, 0x15, 8, 0)); // a field within BLOCK
  }

  @Test
  void sizesThatNoFilterHasAreRefused() {
    String demand = "numBytes must be a positive multiple of 32 below 2^31, got ";
    assertRefused(demand + 0, header(1, 2, 0));
    assertRefused(demand + 31, header(1, 2, 62));
    assertRefused(demand + 33, header(1, 2, 66));
    assertRefused(demand + -32, header(1, 2, 63));
    assertRefused(demand + (1L << 31), header(1, 2, 0x80, 0x80, 0x80, 0x80, 0x10));
    assertRefused(demand + ((1L << 32) + 32), header(1, 2, 0xc0, 0x80, 0x80, 0x80, 0x20));
    assertRefused(demand + ((1L << 31) - 2), header(1, 2, 0xfc, 0xff, 0xff, 0xff, 0x0f));
    assertRefused(
        "a number takes more than ten bytes",
        header(1, 2, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1));
  }

  @Test
  void otherAlgorithmsAreRefused() {
    assertRefused("algorithm must be BLOCK (1), got 2", header(3, 4, 0x2c));
    assertRefused("hash must be XXHASH (1), got 3", header(7, 8, 0x3c));
    assertRefused("compression must be UNCOMPRESSED (1), got 5", header(11, 12, 0x5c));
    assertRefused("algorithm must be BLOCK (1), got 0", header(3, 5));
    assertRefused("algorithm must be BLOCK (1), a struct; got type 5", header(3, 4, 0x15));
    assertRefused("a union has more than one value", header(5, 5, 0x1c, 0));
  }

  /** A wrong size would look for values in wrong blocks, and so skip stored ones. */
  @Test
  void aSizeThatDisagreesWithTheFilterLengthIsRefused() throws IOException {
    byte[] bytes = filter().toBytes();
    HashStrategy<Long> strategy = ParquetStrategies.int64();
    assertEquals(
        filter(),
        ParquetBloomFilter.readFrom(new ByteArrayInputStream(bytes), bytes.length, strategy));
    for (long length : new long[] {bytes.length - 32, bytes.length + 1L, 0, -1, Long.MAX_VALUE}) {
      FilterFormatException refusal =
          assertThrows(
              FilterFormatException.class,
              () -> ParquetBloomFilter.readFrom(new ByteArrayInputStream(bytes), length, strategy));
      String message =
          NAME
              + "the header announces a filter of "
              + bytes.length
              + " bytes, but it must have "
              + length;
      assertTrue(refusal.toString().endsWith(message), refusal.toString());
    }
  }

  @Test
  void fieldsThatAreMissingOrOfAnotherTypeAreRefused() {
    assertRefused("the header ends without its field 1", 0);
    assertRefused("the header ends without its field 1", header(0, 2, 0x16, 0x40));
    assertRefused("the header ends without its field 2", 0x15, 0x40, 0);
    assertRefused("the header ends without its field 3", header(6, HEADER.length - 1));
    assertRefused("the header ends without its field 4", header(10, HEADER.length - 1));
    assertRefused("no type of Thrift's has the number 13", 0x1d);
    assertRefused("no type of Thrift's has the number 15", 0x50 | 0xf);
    assertRefused("no type of Thrift's has the number 0", 0x59, 0x10);
  }

  @Test
  void headersThatDoNotEndAreRefused() throws IOException {
    int[] structs = new int[2000];
    Arrays.fill(structs, 0x5c);
    assertRefused("more than 16 structs within each other", structs);
    assertRefused("more than 16 structs within each other", structsWithin(17));
    assertRead(structsWithin(16));
    int[] lists = new int[2000];
    Arrays.fill(lists, 0x19);
    assertRefused("more than 16 structs within each other", lists);
    assertRefused("the header has more than 1024 bytes", atTheStart(0x58, 255, 255, 255, 255, 15));
    assertRefused("the header has more than 1024 bytes", atTheStart(0x59, 0xf3, 255, 255, 255, 7));
    assertRefused("the header has more than 1024 bytes", atTheStart(0x5b, 255, 255, 127, 0x33));
    assertRefused("the header has more than 1024 bytes", trueForever());
  }

  private static int[] atTheStart(int... parts) {
    return Arrays.copyOf(parts, 2000);
  }

  /** A good header with a field of another struct in a struct, and so on. */
  private static int[] structsWithin(int depth) {
    int[] structs = new int[2 * (depth + 1)];
    Arrays.fill(structs, 0, depth + 1, 0x1c);
    int end = HEADER.length - 1;
    return header(end, end, structs);
  }

  private static int[] trueForever() {
    int[] header = new int[2000];
    Arrays.fill(header, 0x51);
    return header;
  }

  @Test
  void theOffsetOfTheHeadersEndIsCounted() {
    FilterFormatException refusal =
        assertThrows(FilterFormatException.class, () -> fromBytes(oneBlock(header(3, 4, 0x2c))));
    assertEquals(4, refusal.offset());
  }
}
