package io.bloomkit.interop.dcso;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterEstimate.Value;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.internal.WordArrays;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The format beside an implementation of its own, in numbers without limits. */
class DcsoBloomFilterTest {

  private static final BigInteger WORD = BigInteger.ONE.shiftLeft(64);
  private static final BigInteger MODULUS = new BigInteger("18446744073709551557");
  private static final BigInteger FACTOR = new BigInteger("18446744073709550147");

  /** Returns the positions of an element. */
  private static List<Long> positions(String element, int hashes, long bits) {
    BigInteger hash = new BigInteger("14695981039346656037");
    for (byte b : element.getBytes(UTF_8)) {
      hash = hash.multiply(new BigInteger("1099511628211")).mod(WORD);
      hash = hash.xor(BigInteger.valueOf(b & 0xff));
    }
    BigInteger state = hash.mod(MODULUS);
    List<Long> positions = new ArrayList<>();
    for (int i = 0; i < hashes; i++) {
      state = state.multiply(FACTOR).mod(WORD).mod(MODULUS);
      positions.add(state.mod(BigInteger.valueOf(bits)).longValueExact());
    }
    return positions;
  }

  /** Returns the bytes of a filter. */
  private static byte[] bytes(
      long n, double p, int k, int m, long count, List<String> elements, String data) {
    BitSet bits = new BitSet();
    for (String element : elements) {
      positions(element, k, m).forEach(position -> bits.set(position.intValue()));
    }
    ByteBuffer bytes =
        ByteBuffer.allocate(48 + (m + 63) / 64 * 8 + data.length()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(1).putLong(n).putDouble(p).putLong(k).putLong(m).putLong(count);
    byte[] set = bits.toByteArray();
    bytes.put(Arrays.copyOf(set, (m + 63) / 64 * 8)).put(data.getBytes(UTF_8));
    return bytes.array();
  }

  /** The vector of the tests of the original, at 100,000 elements and 1 %. */
  @Test
  void positionsAreThoseOfTheOriginal() throws IOException {
    List<Long> original = List.of(20311L, 36825L, 412501L, 835777L, 658914L, 853361L, 307361L);
    assertEquals(original, positions("bar", 7, 958505));
    DcsoBloomFilter filter = DcsoBloomFilter.create(100_000, 0.01);
    assertEquals(958505, filter.positions());
    assertEquals(7, filter.hashes());
    assertTrue(filter.add("bar".getBytes(UTF_8)));
    assertArrayEquals(bytes(100_000, 0.01, 7, 958505, 1, List.of("bar"), ""), filter.toBytes());
  }

  /** 10 elements at 10 %: 47 bits, 4 hashes; written from the positions. */
  @Test
  void goldenBytes() throws IOException {
    DcsoBloomFilter filter = DcsoBloomFilter.create(10, 0.1);
    assertEquals(47, filter.positions());
    assertEquals(1, DcsoBloomFilter.create(1, 0.6).positions());
    for (String element : List.of("foo", "bar", "", "foo")) {
      filter.add(element.getBytes(UTF_8));
    }
    String golden =
        "0100000000000000" // version
            + "0a00000000000000" // elements
            + "9a9999999999b93f" // rate
            + "0400000000000000" // hashes
            + "2f00000000000000" // bits
            + "0300000000000000" // additions that were new
            + "3002601b00440000";
    assertEquals(golden, HexFormat.of().formatHex(filter.toBytes()));
    assertEquals(filter, DcsoBloomFilter.readFrom(new ByteArrayInputStream(filter.toBytes())));
  }

  @Test
  void filtersAreReadQueriedFilledAndWrittenByteForByte(@TempDir Path folder) throws Exception {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      elements.add("é" + i);
    }
    byte[] bytes = bytes(300, 0.001, 10, 4313, 300, elements, "by whom, when");
    DcsoBloomFilter filter = DcsoBloomFilter.readFrom(new ByteArrayInputStream(bytes));
    assertArrayEquals(bytes, filter.toBytes());
    assertArrayEquals("by whom, when".getBytes(UTF_8), filter.data());
    assertEquals(OptionalLong.of(300), filter.elementCount());
    assertEquals(Optional.of(new FilterPlan(300, 0.001)), filter.plan());
    int positives = 0;
    for (int i = 0; i < 20_000; i++) {
      boolean isThere = filter.mightContain(("é" + i).getBytes(UTF_8));
      assertTrue(i >= 300 || isThere);
      positives += isThere ? 1 : 0;
    }
    assertEquals(300 + 19_700 * filter.expectedFpp(), positives, 25);
    assertEquals(300.0, (double) filter.approximateElementCount(), 10);
    assertFalse(filter.isOverfull());
    assertEquals(Value.exact(filter.setPositions() / 4313.0), filter.estimate().fill());
    assertEquals(Value.exact(filter.expectedFpp()), filter.estimate().fpp());

    DcsoBloomFilter built = DcsoBloomFilter.create(300, 0.001);
    elements.forEach(element -> built.add(element.getBytes(UTF_8)));
    assertEquals(filter, built);
    assertEquals(filter.hashCode(), built.hashCode());
    Path file = folder.resolve("f");
    filter.writeTo(file);
    assertArrayEquals(bytes, java.nio.file.Files.readAllBytes(file));
    assertEquals(built.memoryBytes(), DcsoBloomFilter.layout(300, 0.001).memoryBytes());
  }

  @Test
  void mergingIsTheUnionAndKeepsTheData() throws IOException {
    byte[] left = bytes(20, 0.1, 4, 95, 1, List.of("a"), "data");
    byte[] right = bytes(20, 0.1, 4, 95, 2, List.of("a", "b"), "");
    DcsoBloomFilter merged = DcsoBloomFilter.readFrom(new ByteArrayInputStream(left));
    DcsoBloomFilter other = DcsoBloomFilter.readFrom(new ByteArrayInputStream(right));
    DcsoBloomFilter before = merged.copy();
    merged.merge(other);
    assertArrayEquals(bytes(20, 0.1, 4, 95, 3, List.of("a", "b"), "data"), merged.toBytes());
    assertArrayEquals(left, before.toBytes());
    assertNotEquals(before, merged);
    DcsoBloomFilter larger = DcsoBloomFilter.create(21, 0.1);
    assertEquals(
        "cannot merge: this is DcsoBloomFilter[n=20, p=0.1, k=4, m=95], other is"
            + " DcsoBloomFilter[n=21, p=0.1, k=4, m=100]; build both with the same expected number"
            + " and rate",
        assertThrows(IllegalArgumentException.class, () -> merged.merge(larger)).getMessage());
    ByteBuffer.wrap(right).order(ByteOrder.LITTLE_ENDIAN).putLong(40, Long.MAX_VALUE);
    DcsoBloomFilter full = DcsoBloomFilter.readFrom(new ByteArrayInputStream(right));
    assertEquals(
        "cannot merge: 3 + 9223372036854775807 additions do not fit into 63 bits",
        assertThrows(IllegalArgumentException.class, () -> merged.merge(full)).getMessage());
    full.merge(DcsoBloomFilter.create(20, 0.1));
    assertTrue(full.addHash(7));
    assertEquals(OptionalLong.of(Long.MAX_VALUE), full.elementCount());
    merged.clear();
    assertEquals(OptionalLong.of(0), merged.elementCount());
    assertEquals(0, merged.setPositions());
  }

  private static final Object[][] ABSURD_FIELDS = {
    {0, 2L, "the version must be 1, got 2"},
    {0, 257L, "the version must be 1, got 257"},
    {8, 0L, "the planned number of elements must be in [1, 1152921504606846976], got 0"},
    {
      8,
      -1L,
      "the planned number of elements must be in [1, 1152921504606846976], got 18446744073709551615"
    },
    {16, 9221120237041090560L, "the planned rate must be in (0, 1), got NaN"},
    {16, 0L, "the planned rate must be in (0, 1), got 0.0"},
    {16, 4607182418800017408L, "the planned rate must be in (0, 1), got 1.0"},
    {16, -4616189618054758400L, "the planned rate must be in (0, 1), got -1.0"},
    {24, 0L, "the number of hashes must be in [1, 64], got 0"},
    {24, 65L, "the number of hashes must be in [1, 64], got 65"},
    {32, 0L, "the number of bits must be in [1, "},
    {32, -1L, "the number of bits must be in [1, "},
    {32, 100000000L, "the input ends, but the header announces 1562500 words"},
    {32, 100L, "a bit beyond the last of 100 bits is set"},
    {
      40,
      -1L,
      "the number of additions must be in [0, 9223372036854775807], got 18446744073709551615"
    },
  };

  @Test
  void absurdFieldsAreRefused() {
    for (Object[] field : ABSURD_FIELDS) {
      byte[] bytes = bytes(20, 0.1, 4, 128, 2, List.of("a", "b", "c", "d", "e", "f"), "");
      ByteBuffer.wrap(bytes)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putLong((int) field[0], (long) field[1]);
      FilterFormatException e =
          assertThrows(
              FilterFormatException.class,
              () -> DcsoBloomFilter.readFrom(new ByteArrayInputStream(bytes)));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains("not the bytes of a DCSO bloom filter: " + field[2]), message);
      assertTrue(!message.contains("a bit beyond") || e.offset() == 48 + 8, message);
    }
  }

  /** 2^64 − 1 is 58 modulo 2^64 − 59. */
  @Test
  void hashesFromTheModulusOnAreReduced() {
    DcsoBloomFilter large = DcsoBloomFilter.create(1000, 0.1);
    DcsoBloomFilter small = large.copy();
    for (long i = 0; i <= 58; i++) {
      large.addHash(i - 59);
      small.addHash(i);
    }
    assertEquals(small, large);
    assertTrue(small.mightContainHash(-1));
    assertNotEquals(DcsoBloomFilter.create(1000, 0.1).hashCode(), large.hashCode());
  }

  @Test
  void aFilterThatEndsTooEarlyIsRefused() {
    byte[] bytes = bytes(20, 0.1, 4, 95, 1, List.of("a"), "");
    for (int length : new int[] {0, 1, 47, 48, bytes.length - 1}) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThrows(
          FilterFormatException.class,
          () -> DcsoBloomFilter.readFrom(new ByteArrayInputStream(part)));
    }
  }

  @Test
  void absurdPlansAreRefused() {
    double[][] plans = {{0, 0.1}, {1, 0}, {1, 1}, {1, Double.NaN}, {1, 1e-30}, {1e12, 0.01}};
    for (double[] plan : plans) {
      assertThrows(
          IllegalArgumentException.class, () -> DcsoBloomFilter.create((long) plan[0], plan[1]));
    }
    String limits =
        ", but only 1 to "
            + (long) WordArrays.MAX_LENGTH * Long.SIZE
            + " bits and 1 to 64 hashes are supported";
    assertEquals(
        "expectedInsertions=1 and fpp=1.0E-30 need 143 bits and 100 hashes" + limits,
        assertThrows(IllegalArgumentException.class, () -> DcsoBloomFilter.create(1, 1e-30))
            .getMessage());
    assertEquals(
        "expectedInsertions=1 and fpp=0.9 need 0 bits and 0 hashes" + limits,
        assertThrows(IllegalArgumentException.class, () -> DcsoBloomFilter.create(1, 0.9))
            .getMessage());
  }
}
