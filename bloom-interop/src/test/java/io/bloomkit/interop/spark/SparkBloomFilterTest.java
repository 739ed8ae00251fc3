package io.bloomkit.interop.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BloomFormulas;
import io.bloomkit.FilterEstimate;
import io.bloomkit.Shape;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.format.FilterLayout;
import io.bloomkit.hash.HashStrategies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.util.sketch.BloomFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line's tests compare it with the real Spark. */
class SparkBloomFilterTest {

  @TempDir private Path directory;

  private static SparkBloomFilter<Long> filterOf(SparkVersion version, long from, long to) {
    SparkBloomFilter<Long> filter = SparkBloomFilter.create(version, SparkType.longs(), 1000, 0.01);
    for (long i = from; i < to; i++) {
      filter.add(i);
    }
    return filter;
  }

  @Test
  void aSampleOfAllBitsGivesTheExactFigures() {
    for (SparkVersion version : SparkVersion.values()) {
      SparkBloomFilter<Long> filter = filterOf(version, 0, 700);
      FilterEstimate estimate = filter.estimate(FilterEstimate.LINES);
      assertEquals(filter.expectedFpp(), estimate.fpp().value(), 1e-15);
      assertEquals((double) filter.approximateElementCount(), estimate.elements().value(), 0.5);
      assertEquals(0, estimate.fpp().standardError());
    }
  }

  @Test
  void mergedFilterHoldsTheElementsOfBoth() {
    for (SparkVersion version : SparkVersion.values()) {
      SparkBloomFilter<Long> merged = filterOf(version, 0, 600);
      merged.merge(filterOf(version, 400, 1000));
      SparkBloomFilter<Long> both = filterOf(version, 0, 1000);
      assertEquals(both, merged);
      assertEquals(both.hashCode(), merged.hashCode());
      assertNotEquals(both.hashCode(), filterOf(version, 0, 600).hashCode());
      merged.merge(merged);
      assertEquals(both, merged);
    }
  }

  @Test
  void filtersThatDifferAreNotMerged() throws Exception {
    SparkBloomFilter<Long> filter =
        SparkBloomFilter.fromBytes(small(2, 4, 0, 1), SparkType.longs());
    for (byte[] other :
        List.of(small(1, 4, 1), small(2, 5, 0, 1), small(2, 4, 9, 1), small(2, 4, 0, 2))) {
      SparkBloomFilter<Long> different = SparkBloomFilter.fromBytes(other, SparkType.longs());
      assertFalse(filter.isCompatible(different));
      assertNotEquals(filter, different);
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> filter.merge(different)).toString();
      assertTrue(refusal.contains("cannot merge: this filter has "), refusal);
    }
    assertFalse(
        filter.isCompatible(SparkBloomFilter.fromBytes(small(2, 4, 0, 1), SparkType.strings())));
    assertFalse(filter.isCompatible(ClassicBloomFilter.create(HashStrategies.longs(), 10, 0.01)));
    assertTrue(filter.isCompatible(filter.copy()));
    assertEquals(9, SparkBloomFilter.fromBytes(small(2, 4, 9, 1), SparkType.longs()).seed());
  }

  /** A header and as many zero words as its last number says. */
  private static byte[] small(int... fields) {
    ByteBuffer bytes =
        ByteBuffer.allocate(fields.length * Integer.BYTES + fields[fields.length - 1] * Long.BYTES);
    Arrays.stream(fields).forEach(bytes::putInt);
    return bytes.array();
  }

  @Test
  void aStringHasTheHashOfItsBytes() throws Exception {
    SparkBloomFilter<CharSequence> texts =
        SparkBloomFilter.create(SparkVersion.V2, SparkType.strings(), 10, 0.01);
    texts.add("\u00c6r\u00f8");
    SparkBloomFilter<byte[]> bytes =
        SparkBloomFilter.fromBytes(texts.toBytes(), SparkType.binary());
    assertTrue(bytes.mightContain("\u00c6r\u00f8".getBytes(StandardCharsets.UTF_8)));
    assertFalse(bytes.mightContain("Aero".getBytes(StandardCharsets.UTF_8)));
    assertEquals("utf8(spark-binary(0))", texts.strategy().id());
    assertEquals("spark-binary(0)", bytes.strategy().toString());
  }

  /** The sums of {@code BloomFilterImpl} and {@code BloomFilterImplV2}. */
  @Test
  void positionsAreThoseOfSpark() {
    long hash = 0xfedcba98_87654321L; // both halves are negative
    int sum = (int) (hash >> 32);
    long longSum = sum * (long) Integer.MAX_VALUE;
    long v1 = SparkVersion.V1.start(hash);
    long v2 = SparkVersion.V2.start(hash);
    for (int i = 0; i < 9; i++) {
      sum += (int) hash;
      longSum += (int) hash;
      v1 += SparkVersion.V1.step(hash);
      v2 += SparkVersion.V2.step(hash);
      assertEquals((sum < 0 ? ~sum : sum) % 999, SparkVersion.V1.position(v1, 999));
      assertEquals((longSum < 0 ? ~longSum : longSum) % 999, SparkVersion.V2.position(v2, 999));
    }
  }

  @Test
  void layoutIsThatOfTheCreatedFilter() {
    for (SparkVersion version : SparkVersion.values()) {
      SparkBloomFilter<Long> filter =
          SparkBloomFilter.create(version, SparkType.longs(), 1000, 0.01);
      FilterLayout layout = SparkBloomFilter.layout(version, 1000, 0.01);
      assertEquals(filter.memoryBytes(), layout.memoryBytes());
      assertEquals(
          Map.of("positions", filter.positions(), "hashes", filter.hashes()), layout.figures());
      assertEquals(
          BloomFormulas.exactFpp(1000, filter.positions(), filter.hashes()), layout.fpp(1000));
      assertEquals(layout.fpp(1000), filter.fpp(1000));
    }
    long most = 224_044_921; // needs 2^31 - 1 bits at 1 %
    assertEquals(
        1L << 31, SparkBloomFilter.layout(SparkVersion.V1, most, 0.01).figures().get("positions"));
    assertThrows(
        IllegalArgumentException.class,
        () -> SparkBloomFilter.layout(SparkVersion.V1, most + 1, 0.01));
    assertEquals(
        2_875_517_568L,
        SparkBloomFilter.layout(SparkVersion.V2, 300_000_000, 0.01).figures().get("positions"));
  }

  @Test
  void createdFilterHasThePlannedSizeInWholeWords() {
    SparkBloomFilter<Long> filter = filterOf(SparkVersion.V1, 0, 0);
    assertEquals(9600, filter.positions());
    assertEquals(7, filter.hashes());
    assertEquals(0, filter.seed());
    assertEquals(SparkVersion.V1, filter.version());
    for (int n : new int[] {1, 26, 70, 500}) { // 26 and 70 need one bit less than whole words
      long needed = Shape.of(n, 0.03).positions();
      long positions =
          SparkBloomFilter.create(SparkVersion.V2, SparkType.longs(), n, 0.03).positions();
      assertEquals(0, positions % 64);
      assertTrue(positions >= needed && positions < needed + 64, positions + " for " + needed);
    }
    long tooMany = 300_000_000;
    assertEquals(
        "expectedInsertions=300000000 and fpp=0.01 need 2875517568 bits, more than the 2147483648"
            + " of version V1",
        assertThrows(
                IllegalArgumentException.class,
                () -> SparkBloomFilter.create(SparkVersion.V1, SparkType.longs(), tooMany, 0.01))
            .getMessage());
  }

  @Test
  void copyIsIndependentAndClearedFilterIsEmpty() {
    SparkBloomFilter<Long> filter = filterOf(SparkVersion.V2, 0, 100);
    SparkBloomFilter<Long> copy = filter.copy();
    assertEquals(filter, copy);
    assertEquals(100, (double) copy.approximateElementCount(), 3);
    assertTrue(copy.add(1000L));
    assertNotEquals(filter, copy);
    assertEquals(filterOf(SparkVersion.V2, 0, 100), filter);
    copy.clear();
    assertEquals(filterOf(SparkVersion.V2, 0, 0), copy);
    assertEquals(0, copy.expectedFpp());
  }

  @Test
  void aFileReplacesAnOldOne() throws Exception {
    Path file = directory.resolve("ids.spark");
    Files.writeString(file, "old");
    filterOf(SparkVersion.V2, 0, 10).writeTo(file);
    assertArrayEquals(filterOf(SparkVersion.V2, 0, 10).toBytes(), Files.readAllBytes(file));
  }

  @Test
  void toStringSaysWhatItIs() {
    assertEquals(
        "SparkBloomFilter[version=V2, positions=9600, hashes=7, seed=0, strategy=spark-longs(0)]",
        filterOf(SparkVersion.V2, 0, 0).toString());
    assertEquals("longs", SparkType.longs().toString());
  }

  @Test
  void filtersByBitsAndSeedAreThoseOfSpark() throws Exception {
    for (SparkVersion version : SparkVersion.values()) {
      for (long bits : new long[] {64, 1000, 8192, 100_001}) {
        int seed = version == SparkVersion.V1 ? 0 : 41;
        BloomFilter sparks =
            BloomFilter.create(
                version == SparkVersion.V1 ? BloomFilter.Version.V1 : BloomFilter.Version.V2,
                1000,
                bits,
                seed);
        int hashes = Math.max(1, (int) Math.round(bits / 1000.0 * Math.log(2)));
        SparkBloomFilter<Long> filter =
            SparkBloomFilter.ofSize(
                version, SparkType.longs(), (bits + 63) / 64 * 64, hashes, seed);
        for (long i = 0; i < 500; i++) {
          sparks.putLong(i);
          filter.add(i);
        }
        assertArrayEquals(bytesOf(sparks), filter.toBytes(), version + ", " + bits);
        BloomFilter others =
            BloomFilter.readFrom(
                SparkBloomFilter.ofSize(
                        version, SparkType.longs(), (bits + 63) / 64 * 64, hashes, seed)
                    .toBytes());
        for (long i = 400; i < 900; i++) {
          others.putLong(i);
        }
        filter.intersect(SparkBloomFilter.fromBytes(bytesOf(others), SparkType.longs()));
        sparks.intersectInPlace(others);
        assertArrayEquals(bytesOf(sparks), filter.toBytes(), version + ", " + bits);
      }
    }
  }

  private static byte[] bytesOf(BloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void otherShapesAndSeedsAreRefused() {
    SparkType<Long> longs = SparkType.longs();
    assertThrows(
        IllegalArgumentException.class,
        () -> SparkBloomFilter.ofSize(SparkVersion.V2, longs, 65, 3, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> SparkBloomFilter.ofSize(SparkVersion.V1, longs, 1L << 32, 3, 0));
    assertEquals(
        "version V1 has no seed: it must be 0, got 5",
        assertThrows(
                IllegalArgumentException.class,
                () -> SparkBloomFilter.ofSize(SparkVersion.V1, longs, 64, 3, 5))
            .getMessage());
    SparkBloomFilter<Long> small = SparkBloomFilter.ofSize(SparkVersion.V2, longs, 64, 3, 0);
    SparkBloomFilter<Long> seeded = SparkBloomFilter.ofSize(SparkVersion.V2, longs, 64, 3, 1);
    assertThrows(IllegalArgumentException.class, () -> small.intersect(seeded));
  }
}
