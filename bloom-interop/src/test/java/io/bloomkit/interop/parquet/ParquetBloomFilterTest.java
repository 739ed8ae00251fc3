package io.bloomkit.interop.parquet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterEstimate;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** A filter of ours and one of the real library of Parquet, side by side. */
class ParquetBloomFilterTest {

  private static final int MILLION = 1_000_000;
  private static final int MIB = 1 << 20;

  @TempDir private Path directory;

  private interface Comparison {
    void compare(ParquetCase<?> side) throws IOException;
  }

  private static Stream<DynamicTest> forEach(Comparison comparison) {
    return ParquetCase.ALL.stream()
        .map(side -> DynamicTest.dynamicTest(side.toString(), () -> comparison.compare(side)));
  }

  private static ParquetBloomFilter<Long> filterOf(long from, long to) {
    ParquetBloomFilter<Long> filter =
        ParquetBloomFilter.create(ParquetStrategies.int64(), 1000, 0.01);
    for (long i = from; i < to; i++) {
      filter.add(i);
    }
    return filter;
  }

  @Test
  void aSampleOfAllBlocksGivesTheExactFigures() {
    ParquetBloomFilter<Long> filter = filterOf(0, 700);
    FilterEstimate estimate = filter.estimate(FilterEstimate.LINES);
    assertEquals(filter.expectedFpp(), estimate.fpp().value(), 1e-15);
    assertEquals((double) filter.approximateElementCount(), estimate.elements().value(), 0.5);
    assertEquals(0, estimate.fpp().standardError());
  }

  @TestFactory
  Stream<DynamicTest> valuesOfEveryTypeAreAnsweredForAsParquetDoes() {
    return forEach(side -> fillBothAndCompare(side, 10_000, 16 << 10));
  }

  @Tag("deep")
  @TestFactory
  Stream<DynamicTest> aMillionValuesOfEveryTypeAreAnsweredForAsParquetDoes() {
    return forEach(side -> fillBothAndCompare(side, MILLION, 2 * MIB));
  }

  /** Both filters are filled by themselves and read by the other. */
  private static <T> void fillBothAndCompare(ParquetCase<T> side, int count, int bytes)
      throws IOException {
    BlockSplitBloomFilter parquets = new BlockSplitBloomFilter(bytes);
    ParquetBloomFilter<T> ours =
        ParquetBloomFilter.create(side.ours(), ParquetShape.ofBytes(bytes));
    for (int i = 0; i < count; i++) {
      T value = side.value(i);
      parquets.insertHash(parquets.hash(side.parquetsValue(value)));
      ours.add(value);
    }
    byte[] written = ParquetCase.bytesOf(parquets);
    assertArrayEquals(written, ours.toBytes());
    ParquetBloomFilter<T> read = ParquetBloomFilter.fromBytes(written, side.ours());
    assertEquals(ours, read);
    BlockSplitBloomFilter readByParquet = ParquetCase.readByParquet(ours.toBytes());
    int falsePositives = 0;
    for (int i = 0; i < 2 * count; i++) {
      T value = side.value(i);
      boolean answer = read.mightContain(value);
      long hash = readByParquet.hash(side.parquetsValue(value));
      if (answer != readByParquet.findHash(hash) || (i < count && !answer)) {
        throw new AssertionError(side + ": value " + i + " is answered for by " + answer);
      }
      falsePositives += i >= count && answer ? 1 : 0;
    }
    // None or all would show nothing.
    assertTrue(falsePositives > 0 && falsePositives < count / 50, "positives: " + falsePositives);
  }

  @TestFactory
  Stream<DynamicTest> everyPowerOfTwoIsReadAndWrittenAsByParquet() {
    return IntStream.rangeClosed(5, 20)
        .mapToObj(log -> DynamicTest.dynamicTest("2^" + log, () -> roundTrip(1 << log)));
  }

  @Tag("deep")
  @TestFactory
  Stream<DynamicTest> everyPowerOfTwoUpToTheLargestIsReadAndWrittenAsByParquet() {
    return IntStream.rangeClosed(21, 27)
        .mapToObj(log -> DynamicTest.dynamicTest("2^" + log, () -> roundTrip(1 << log)));
  }

  /** Of numbers that the library of Parquet does not make, and of more than it reads. */
  @Tag("deep")
  @TestFactory
  Stream<DynamicTest> otherNumbersOfBlocksRoundTripWithOurselves() {
    return IntStream.of(1023, 12_289, 98_303, 786_433, (1 << 22) - 1, (1 << 22) + 1)
        .mapToObj(blocks -> DynamicTest.dynamicTest(blocks + " blocks", () -> readAgain(blocks)));
  }

  private static void readAgain(int blocks) throws IOException {
    ParquetBloomFilter<Long> filter =
        ParquetBloomFilter.create(ParquetStrategies.int64(), new ParquetShape(blocks));
    for (long i = 0; i < 300_000; i++) {
      filter.add(i);
    }
    byte[] bytes = filter.toBytes();
    ParquetBloomFilter<Long> read = ParquetBloomFilter.fromBytes(bytes, ParquetStrategies.int64());
    assertEquals(filter, read);
    assertArrayEquals(bytes, read.toBytes());
  }

  private static void roundTrip(int bytes) throws IOException {
    BlockSplitBloomFilter parquets = new BlockSplitBloomFilter(bytes);
    assertEquals(bytes, parquets.getBitsetSize());
    for (long i = 0; i < Math.min(bytes / 2, 300_000); i++) {
      parquets.insertHash(parquets.hash(i));
    }
    byte[] written = ParquetCase.bytesOf(parquets);
    ParquetBloomFilter<Long> read =
        ParquetBloomFilter.fromBytes(written, ParquetStrategies.int64());
    assertEquals(bytes, read.shape().bytes());
    byte[] again = read.toBytes();
    assertArrayEquals(written, again);
    assertEquals(parquets, ParquetCase.readByParquet(again));
  }

  @Test
  void everyNumberOfBlocksIsAsInParquetAndRoundTrips() throws IOException {
    SplittableRandom random = new SplittableRandom(20261123);
    for (int blocks = 1; blocks < 700; blocks += 1 + blocks / 20) {
      BlockSplitBloomFilter parquets = new BlockSplitBloomFilter(new byte[32 * blocks]);
      ParquetBloomFilter<Long> ours =
          ParquetBloomFilter.create(ParquetStrategies.int64(), new ParquetShape(blocks));
      for (int i = 0; i < 12 * blocks; i++) {
        long hash = random.nextLong();
        assertEquals(parquets.findHash(hash), ours.mightContainHash(hash));
        assertEquals(!parquets.findHash(hash), ours.addHash(hash));
        parquets.insertHash(hash);
      }
      assertArrayEquals(ParquetCase.bytesOf(parquets), ours.toBytes());
      assertEquals(ours, ParquetBloomFilter.fromBytes(ours.toBytes(), ours.strategy()));
    }
  }

  @Test
  void aBitsetIsReadAndWrittenWithoutAHeader() throws IOException {
    ParquetBloomFilter<Long> filter = filterOf(0, 1000);
    byte[] bitset = filter.toBitset();
    assertEquals(filter.shape().bytes(), bitset.length);
    byte[] withHeader = filter.toBytes();
    int header = withHeader.length - bitset.length;
    assertArrayEquals(ParquetCase.headerByParquet(bitset.length), prefix(withHeader, header));
    assertEquals(filter, ParquetBloomFilter.ofBitset(bitset, ParquetStrategies.int64()));
    InputStream in = new ByteArrayInputStream(withHeader, header, bitset.length);
    assertEquals(
        filter, ParquetBloomFilter.readBitsetFrom(in, filter.shape(), ParquetStrategies.int64()));
    for (int length : new int[] {0, 31, 33}) {
      String refusal =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> ParquetBloomFilter.ofBitset(new byte[length], ParquetStrategies.int64()))
              .getMessage();
      assertEquals("bytes must be a positive multiple of 32, got " + length, refusal);
    }
  }

  private static byte[] prefix(byte[] bytes, int length) {
    return Arrays.copyOf(bytes, length);
  }

  @Test
  void aFileReplacesAnOldOne() throws IOException {
    Path file = directory.resolve("ids.bloom");
    Files.writeString(file, "old");
    filterOf(0, 10).writeTo(file);
    assertArrayEquals(filterOf(0, 10).toBytes(), Files.readAllBytes(file));
  }

  @Test
  void mergedFilterIsTheOneOfParquet() throws IOException {
    ParquetBloomFilter<Long> merged = filterOf(0, 600);
    merged.merge(filterOf(400, 1000));
    ParquetBloomFilter<Long> both = filterOf(0, 1000);
    assertEquals(both, merged);
    assertEquals(both.hashCode(), merged.hashCode());
    assertNotEquals(both.hashCode(), filterOf(0, 600).hashCode());
    merged.merge(merged);
    assertEquals(both, merged);
    BlockSplitBloomFilter parquets = ParquetCase.readByParquet(filterOf(0, 600).toBytes());
    parquets.merge(ParquetCase.readByParquet(filterOf(400, 1000).toBytes()));
    assertArrayEquals(ParquetCase.bytesOf(parquets), merged.toBytes());
  }

  @Test
  void filtersThatDifferAreNotMerged() {
    ParquetBloomFilter<Long> filter = filterOf(0, 10);
    ParquetBloomFilter<Long> larger =
        ParquetBloomFilter.create(ParquetStrategies.int64(), 2000, 0.01);
    ParquetBloomFilter<Long> hashed =
        ParquetBloomFilter.create(HashStrategies.longs(), filter.shape());
    for (ParquetBloomFilter<Long> other : List.of(larger, hashed)) {
      assertFalse(filter.isCompatible(other));
      assertNotEquals(filter, other);
      String refusal =
          assertThrows(IllegalArgumentException.class, () -> filter.merge(other)).toString();
      assertTrue(refusal.contains("cannot merge: this filter has "), refusal);
    }
    assertTrue(filter.isCompatible(filterOf(5, 6)));
    assertFalse(filter.isCompatible(BlockedBloomFilter.create(HashStrategies.longs(), 10, 0.01)));
    assertEquals(filterOf(0, 10), filter);
  }

  @Test
  void copyIsIndependentAndClearedFilterIsEmpty() {
    ParquetBloomFilter<Long> filter = filterOf(0, 100);
    ParquetBloomFilter<Long> copy = filter.copy();
    assertEquals(filter, copy);
    assertTrue(copy.add(1000L));
    assertNotEquals(filter, copy);
    assertEquals(filterOf(0, 100), filter);
    copy.clear();
    assertEquals(filterOf(0, 0), copy);
    assertEquals(0, copy.expectedFpp());
    assertEquals(0, copy.approximateElementCount());
  }

  @Test
  void theFillTellsHowManyElementsThereAre() {
    ParquetBloomFilter<Long> filter = filterOf(0, 1000);
    assertEquals(1000, (double) filter.approximateElementCount(), 60);
    assertEquals(0.01, filter.expectedFpp(), 0.002);
    byte[] full = new byte[64];
    Arrays.fill(full, (byte) -1);
    ParquetBloomFilter<Long> all = ParquetBloomFilter.ofBitset(full, ParquetStrategies.int64());
    assertEquals(1, all.expectedFpp());
    assertEquals(Long.MAX_VALUE, all.approximateElementCount());
    assertEquals(512, all.setPositions());
    assertFalse(all.add(1L));
  }

  @Test
  void valuesOfAnotherTypeAreAnotherStrategy() {
    Predicate<HashStrategy<?>> isOther =
        strategy -> !filterOf(0, 1).isCompatible(ParquetBloomFilter.create(strategy, 1000, 0.01));
    assertTrue(isOther.test(ParquetStrategies.int32()));
    assertTrue(isOther.test(ParquetStrategies.float64()));
    assertFalse(isOther.test(ParquetStrategies.int64()));
    assertEquals("parquet-int96", ParquetStrategies.int96().toString());
    assertEquals("parquet-byte-array", ParquetStrategies.byteArray().toString());
    assertEquals("utf8(parquet-byte-array)", ParquetStrategies.utf8().id());
    String refusal =
        assertThrows(
                IllegalArgumentException.class,
                () -> ParquetStrategies.fixedLenByteArray(16).hash(new byte[15]))
            .getMessage();
    assertEquals("a value of parquet-fixed-len-byte-array(16) must have 16 bytes, got 15", refusal);
    assertThrows(IllegalArgumentException.class, () -> ParquetStrategies.fixedLenByteArray(0));
    assertEquals(
        ParquetStrategies.byteArray().hash(new byte[1]),
        ParquetStrategies.fixedLenByteArray(1).hash(new byte[1]));
  }

  @Test
  void toStringSaysWhatItIs() {
    assertEquals(
        "ParquetBloomFilter[blocks=42, strategy=parquet-int64]", filterOf(0, 0).toString());
  }
}
