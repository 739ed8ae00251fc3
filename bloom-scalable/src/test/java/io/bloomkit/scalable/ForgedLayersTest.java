package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.classic.BlockedBloomFilter;
import io.bloomkit.classic.ClassicBloomFilter;
import io.bloomkit.cuckoo.ExpiringCuckooFilter;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.internal.format.FilterSection;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Files of layers with one number changed and the checksums right: contradictions are named. */
class ForgedLayersTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static final int INDEX = 0;
  private static final int MAX_WRITERS = 1;
  private static final int POSITIONS = 2;
  private static final int HASHES = 3;
  private static final int CAPACITY = 7;

  private static final int ELEMENT_COUNT_OF_FILTER = 40;
  private static final int FIELDS = 48;

  private static ScalableBloomFilter.Builder<Long> growing() {
    return ScalableBloomFilter.builder(LONGS).expecting(30, 0.05).tighteningRatio(0.9);
  }

  private static byte[] growingFile(ScalableBloomFilter.Builder<Long> builder) {
    ScalableBloomFilter<Long> filter = builder.build();
    LongStream.range(0, 150).forEach(filter::add);
    assertEquals(3, filter.layerCount());
    return filter.toBytes();
  }

  private static ByteBuffer buffer(byte[] file) {
    return ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] withHeader(byte[] file, int offset, long value) {
    byte[] forged = file.clone();
    buffer(forged).putLong(offset, value);
    int end = buffer(forged).getInt(12) - 4;
    buffer(forged).putInt(end, checksum(forged, 0, end));
    return forged;
  }

  private static byte[] withNumber(byte[] file, int row, int column, long value)
      throws IOException {
    byte[] forged = file.clone();
    FilterSection table = table(file);
    buffer(forged).putLong(offset(table, row, column), value);
    int length = (int) table.storedBytes();
    buffer(forged)
        .putInt((int) table.offset() + length, checksum(forged, (int) table.offset(), length));
    return forged;
  }

  private static FilterSection table(byte[] file) throws IOException {
    return FilterHeader.readFrom(new ByteArrayInputStream(file)).sections().get(0);
  }

  private static int offset(FilterSection table, int row, int column) {
    return (int) table.offset() + 8 * (LayerTable.WORDS_PER_ROW * row + column);
  }

  private static int checksum(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  private interface Reading {
    Object read(byte[] file) throws IOException;
  }

  private static final Reading GROWING = file -> ScalableBloomFilter.fromBytes(file, LONGS);

  private static FilterFormatException assertRefused(String fault, Reading reading, byte[] file) {
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> reading.read(file), fault);
    assertTrue(String.valueOf(e.getMessage()).contains(fault), e.getMessage());
    return e;
  }

  private static void assertRefused(
      String fault, Reading reading, byte[] file, int row, int column, long value)
      throws IOException {
    FilterFormatException e = assertRefused(fault, reading, withNumber(file, row, column, value));
    assertEquals(offset(table(file), row, column), e.offset(), fault);
  }

  @Test
  void rowsOfLayersMustBePossible() throws IOException {
    byte[] file = growingFile(growing());
    assertArrayEquals(file, withNumber(file, 0, INDEX, 0));
    GROWING.read(file);
    assertRefused("index must be in [2, 2], got 5", GROWING, file, 2, INDEX, 5);
    assertRefused("index must be in [2, 2], got 1", GROWING, file, 2, INDEX, 1);
    assertRefused("index must be in [1, 1], got -1", GROWING, file, 1, INDEX, -1);
    assertRefused("maxWriters must be in [1, 1], got 2", GROWING, file, 1, MAX_WRITERS, 2);
    assertRefused("positions must be in [1, ", GROWING, file, 1, POSITIONS, 0);
    assertRefused("hashes must be in [1, ", GROWING, file, 1, HASHES, 0);
    assertRefused("capacity must be in [1, ", GROWING, file, 1, CAPACITY, 0);
    for (int word = 4; word <= 6; word++) {
      assertRefused("word " + word + " must be in [0, 0], got 1", GROWING, file, 1, word, 1);
    }
  }

  @Test
  void layersOfAnyOtherKindAreRefused() {
    byte[] file = growingFile(growing());
    assertArrayEquals(file, withHeader(file, FIELDS, ClassicBloomFilter.KIND.code()));
    for (long kind : new long[] {-1, 0, BlockedBloomFilter.KIND.code(), 3, 1L << 32 | 1}) {
      assertRefused(
          "kind of layers must be in [1, 1], got " + kind, GROWING, withHeader(file, FIELDS, kind));
    }
  }

  @Test
  void layersMustTakeWhatThePlanSays() throws IOException {
    byte[] file = growingFile(growing());
    for (int row = 0; row < 3; row++) {
      long capacity = buffer(file).getLong(offset(table(file), row, CAPACITY));
      for (long other : new long[] {capacity - 1, capacity + 1}) {
        FilterFormatException e =
            assertRefused(
                "would not take " + other + " elements",
                GROWING,
                withNumber(file, row, CAPACITY, other));
        assertEquals(offset(table(file), row, INDEX), e.offset());
      }
    }
  }

  @Test
  void layersArePlannedForAtMostTheThreadsOfTheFilter() throws IOException {
    byte[] file = growingFile(growing().concurrent());
    long atOnce = buffer(file).getLong(FIELDS + 8 * 5);
    assertTrue(atOnce > 1);
    GROWING.read(file);
    String fault = "maxWriters must be in [1, " + atOnce + "]";
    for (long wrong : new long[] {-1, 0, atOnce + 1, (1L << 32) + 1}) {
      assertRefused(fault, GROWING, file, 1, MAX_WRITERS, wrong);
    }
  }

  @Test
  void thePlanIsInTheFieldsAlone() {
    byte[] file = growing().build().toBytes();
    for (double wrong : new double[] {0, 1, Double.NaN}) {
      long bits = Double.doubleToLongBits(wrong);
      assertRefused(
          "fpp must be in (0, 1), got " + wrong, GROWING, withHeader(file, FIELDS + 8 * 2, bits));
    }
    FilterContents.Builder planned =
        FilterContents.of(ScalableBloomFilter.KIND.code(), StrategyIdentity.of(LONGS), new long[6])
            .plan(Optional.of(new FilterPlan(30, 0.05)));
    assertRefused("must have no plan", GROWING, planned.build().toBytes());
  }

  @Test
  void countsMustAddUp() throws IOException {
    byte[] bits = growingFile(growing());
    assertRefused(
        "but the element count is 1", GROWING, withHeader(bits, ELEMENT_COUNT_OF_FILTER, 1));
    byte[] empty = growing().build().toBytes();
    assertRefused(
        "but the element count is 1", GROWING, withHeader(empty, ELEMENT_COUNT_OF_FILTER, 1));
  }

  @Test
  void filtersOfOtherKindsAndStrategiesAreRefused() {
    byte[] other = ExpiringCuckooFilter.create(LONGS, 100, 0.1, Duration.ofHours(1)).toBytes();
    byte[] growing = growingFile(growing());
    assertRefused("this is a ", GROWING, other);
    LongHashStrategy seeded = HashStrategies.seeded(LONGS, 1);
    assertRefused(
        "is to be read with", file -> ScalableBloomFilter.fromBytes(file, seeded), growing);
  }

  @Test
  void layersBeforeTheNewestMustBeFull() throws IOException {
    ScalableBloomFilter<Long> filter = growing().build();
    LongStream.range(0, 150).forEach(filter::add);
    byte[] file = filter.contents().uncoded().toBytes();
    GROWING.read(file);
    FilterSection first = FilterHeader.readFrom(new ByteArrayInputStream(file)).sections().get(1);
    int length = (int) first.storedBytes();
    buffer(file).putLong((int) first.offset(), 0);
    buffer(file)
        .putInt((int) first.offset() + length, checksum(file, (int) first.offset(), length));
    assertRefused("the fill of layer 0 must be in [", GROWING, file);
  }

  @Test
  void clearedFilterIsAsNew() {
    for (ScalableBloomFilter.Builder<Long> builder : List.of(growing(), growing().concurrent())) {
      ScalableBloomFilter<Long> filter = builder.build();
      byte[] empty = filter.toBytes();
      LongStream.range(0, 150).forEach(filter::add);
      filter.clear();
      assertArrayEquals(empty, filter.toBytes());
      assertEquals(0, filter.expectedFpp());
    }
  }
}
