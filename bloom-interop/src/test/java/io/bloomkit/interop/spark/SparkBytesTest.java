package io.bloomkit.interop.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.interop.InteropBytesContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is no filter of Spark's is refused, whatever its header says. */
class SparkBytesTest {

  private abstract static class Version implements InteropBytesContract<SparkBloomFilter<Long>> {

    private final SparkVersion version;

    Version(SparkVersion version) {
      this.version = version;
    }

    @Override
    public SparkBloomFilter<Long> readFrom(InputStream in) throws IOException {
      return SparkBloomFilter.readFrom(in, SparkType.longs());
    }

    @Override
    public SparkBloomFilter<Long> readFrom(Path file) throws IOException {
      return SparkBloomFilter.readFrom(file, SparkType.longs());
    }

    @Override
    public SparkBloomFilter<Long> fromBytes(byte[] bytes) throws FilterFormatException {
      return SparkBloomFilter.fromBytes(bytes, SparkType.longs());
    }

    @Override
    public SparkBloomFilter<Long> filter() {
      SparkBloomFilter<Long> filter =
          SparkBloomFilter.create(version, SparkType.longs(), 2000, 0.01);
      for (long i = 0; i < 2000; i++) {
        filter.add(i);
      }
      return filter;
    }

    @Override
    public byte[] headerOfTheLargest() {
      return version == SparkVersion.V1
          ? ints(1, 7, Integer.MAX_VALUE - 8)
          : ints(2, 7, -3, Integer.MAX_VALUE - 8);
    }
  }

  @Nested
  class V1 extends Version {
    V1() {
      super(SparkVersion.V1);
    }
  }

  @Nested
  class V2 extends Version {
    V2() {
      super(SparkVersion.V2);
    }
  }

  private static byte[] ints(int... fields) {
    ByteBuffer bytes = ByteBuffer.allocate(fields.length * Integer.BYTES);
    Arrays.stream(fields).forEach(bytes::putInt);
    return bytes.array();
  }

  private static void assertRefused(int at, String message, byte[] bytes) {
    FilterFormatException refusal =
        assertThrows(
            FilterFormatException.class,
            () -> SparkBloomFilter.fromBytes(bytes, SparkType.longs()));
    assertEquals(at, refusal.offset());
    assertTrue(
        refusal.toString().contains("not the bytes of a Spark BloomFilter: " + message),
        refusal.toString());
  }

  @Test
  void truncatedHeadersAreRefusedByTheirLength() {
    assertRefused(2, "the input ends within the header of 4 bytes", new byte[2]);
    assertRefused(7, "the input ends within the header of 12 bytes", Arrays.copyOf(ints(1), 7));
    assertRefused(15, "the input ends within the header of 16 bytes", Arrays.copyOf(ints(2), 15));
  }

  @Test
  void otherVersionsAreRefused() {
    for (int version : new int[] {0, 3, -1, 1 << 24, Integer.MAX_VALUE}) {
      assertRefused(
          0, "the version must be 1 or 2, got " + version, ints(version, 7, 1, 0, 0, 0, 0));
    }
  }

  @Test
  void lengthsThatNoFilterHasAreRefused() {
    for (int words : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
      String message = "the number of words must be in [1, 2147483639], got " + words;
      assertRefused(8, message, ints(1, 7, words, 0, 0));
      assertRefused(12, message, ints(2, 7, 1, words, 0, 0));
    }
  }

  /** More would make a query cost more than all of the bytes are worth. */
  @Test
  void numbersOfHashesThatNoFilterHasAreRefused() throws IOException {
    for (int hashes : new int[] {0, -1, Integer.MIN_VALUE, 65, Integer.MAX_VALUE}) {
      assertRefused(
          4,
          "the number of hashes must be in [1, 64], the number of bits, got " + hashes,
          ints(1, hashes, 1, 0, 0));
    }
    for (int hashes : new int[] {1, 64}) {
      byte[] good = ints(1, hashes, 1, 0, 0);
      assertArrayEquals(good, SparkBloomFilter.fromBytes(good, SparkType.longs()).toBytes());
    }
  }

  @Test
  void javaSerializationIsToldApart() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject("a filter");
    }
    String refusal =
        assertThrows(
                FilterFormatException.class,
                () -> SparkBloomFilter.fromBytes(bytes.toByteArray(), SparkType.longs()))
            .toString();
    assertTrue(refusal.endsWith("write the filter by writeTo instead"), refusal);
  }
}
