package io.bloomkit.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.format.FilterFormatException;
import io.bloomkit.format.FilterHeader;
import io.bloomkit.format.FilterSection;
import io.bloomkit.format.SectionRole;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Files of layers with one number changed and the checksums right: contradictions are named. */
class ForgedLayersTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static final int INDEX = 0;
  private static final int ADDITIONS_AT_ONCE = 1;
  private static final int POSITIONS = 2;
  private static final int HASHES = 3;
  private static final int ELEMENTS = 4;
  private static final int REMOVALS = 5;
  private static final int ELEMENT_COUNT = 6;
  private static final int CAPACITY = 7;

  private static final int ELEMENT_COUNT_OF_FILTER = 40;
  private static final int FIELDS = 48;
  private static final int LAYERS = FIELDS + 8 * LayerTable.PLAN_FIELDS;
  private static final int SPARE = LAYERS + 8;

  private static ScalableBloomFilter.Builder<Long> growing() {
    return ScalableBloomFilter.builder(LONGS).expecting(30, 0.05).tighteningRatio(0.9);
  }

  private static byte[] growingFile(ScalableBloomFilter.Builder<Long> builder) {
    ScalableBloomFilter<Long> filter = builder.build();
    LongStream.range(0, 150).forEach(filter::add);
    assertEquals(3, filter.layerCount());
    return filter.toBytes();
  }

  private static ScalableCountingBloomFilter.Builder<Long> forgetting() {
    return ScalableCountingBloomFilter.builder(LONGS).expecting(30, 0.05).tighteningRatio(0.9);
  }

  private static byte[] forgettingFile(ScalableCountingBloomFilter.Builder<Long> builder) {
    ScalableCountingBloomFilter<Long> filter = builder.build();
    LongStream.range(0, 50).forEach(filter::add);
    assertEquals(2, filter.layerCount());
    return filter.toBytes();
  }

  /** One layer, and an empty one to use again. */
  private static byte[] fileWithSpare() {
    ScalableCountingBloomFilter<Long> filter = forgetting().build();
    LongStream.range(0, 50).forEach(filter::add);
    LongStream.range(0, 50).map(i -> 49 - i).limit(40).forEach(filter::remove);
    byte[] file = filter.toBytes();
    assertEquals(1, buffer(file).getLong(LAYERS));
    assertEquals(1, buffer(file).getLong(SPARE));
    return file;
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
    return (int) table.offset() + 8 * (LayerRow.WORDS * row + column);
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
  private static final Reading FORGETTING =
      file -> ScalableCountingBloomFilter.fromBytes(file, LONGS);

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
  void rowsOfLayersOfBitsMustBePossible() throws IOException {
    byte[] file = growingFile(growing());
    assertArrayEquals(file, withNumber(file, 0, INDEX, 0));
    GROWING.read(file);
    assertRefused("index must be in [2, 2], got 5", GROWING, file, 2, INDEX, 5);
    assertRefused("two layers have index 1", GROWING, file, 2, INDEX, 1);
    assertRefused("index must be in [0, ", GROWING, file, 1, INDEX, -1);
    assertRefused("index must be in [0, ", GROWING, file, 1, INDEX, GrowthPlan.MAX_LAYERS);
    assertRefused(
        "additionsAtOnce must be in [1, 1], got 2", GROWING, file, 1, ADDITIONS_AT_ONCE, 2);
    assertRefused("positions must be in [1, ", GROWING, file, 1, POSITIONS, 0);
    assertRefused("hashes must be in [1, ", GROWING, file, 1, HASHES, 0);
    assertRefused("capacity must be in [1, ", GROWING, file, 1, CAPACITY, 0);
    assertRefused("elements must be in [0, 0], got 1", GROWING, file, 1, ELEMENTS, 1);
    assertRefused("removals must be in [0, 0], got 1", GROWING, file, 1, REMOVALS, 1);
    assertRefused("elementCount must be in [0, 0], got 1", GROWING, file, 1, ELEMENT_COUNT, 1);
    byte[] blocked = growingFile(growing().blocked());
    GROWING.read(blocked);
    assertRefused("elements must be in [0, ", GROWING, blocked, 1, ELEMENTS, -1);
  }

  @Test
  void elementsOfALayerOfBlocksMustFitItsBitsAndItsPlan() throws IOException {
    byte[] file = withHeader(growingFile(growing().blocked()), ELEMENT_COUNT_OF_FILTER, -1);
    assertEquals(30, buffer(file).getLong(offset(table(file), 0, CAPACITY)));
    assertEquals(120, buffer(file).getLong(offset(table(file), 2, CAPACITY)));
    for (long count : new long[] {0, 1 << 20}) {
      assertRefused(
          "which " + count + " distinct elements cannot do",
          GROWING,
          withNumber(file, 2, ELEMENTS, count));
    }
    GROWING.read(withNumber(file, 2, ELEMENTS, 120));
    assertRefused(
        "the fill of layer 2 must be in [0, 120], got 121",
        GROWING,
        withNumber(file, 2, ELEMENTS, 121));
    ScalableBloomFilter<Long> larger =
        ScalableBloomFilter.builder(LONGS).expecting(300, 0.05).blocked().build();
    LongStream.range(0, 320).forEach(larger::add);
    assertRefused(
        "the fill of layer 0 must be in [300, 300], got 299",
        GROWING,
        withNumber(larger.toBytes(), 0, ELEMENTS, 299));
    long positions = buffer(file).getLong(offset(table(file), 1, POSITIONS));
    assertRefused(
        positions + 1 + " positions are not blocks of 512",
        GROWING,
        withNumber(file, 1, POSITIONS, positions + 1));
    assertRefused(
        "blocks must be even, got " + (positions / 512 + 1),
        GROWING,
        withNumber(file, 1, POSITIONS, positions + 512));
  }

  @Test
  void fillOfALayerOfCountersMustFitItsCountersAndItsPlan() throws IOException {
    byte[] file = forgettingFile(forgetting());
    assertRefused(
        "the fill of layer 0 must be in [0, ",
        FORGETTING,
        withHeader(file, FIELDS + 8 * 2, Double.doubleToLongBits(0.03)));
    assertRefused(
        "the fill of layer 0 must be in [",
        FORGETTING,
        withNumber(forgettingFile(forgetting().blocked()), 0, ELEMENTS, 0));
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
  void layersHaveRoomForNoMoreAdditionsThanTheFilter() throws IOException {
    byte[] file = growingFile(growing().concurrent());
    long atOnce = buffer(file).getLong(FIELDS + 8 * 5);
    assertTrue(atOnce > 1);
    GROWING.read(file);
    String fault = "additionsAtOnce must be in [1, " + atOnce + "]";
    for (long wrong : new long[] {-1, 0, atOnce + 1, (1L << 32) + 1}) {
      assertRefused(fault, GROWING, file, 1, ADDITIONS_AT_ONCE, wrong);
    }
  }

  @Test
  void rowsOfLayersOfCountersMustBePossible() throws IOException {
    byte[] file = forgettingFile(forgetting());
    FORGETTING.read(file);
    assertRefused("elements must be in [0, 0], got 1", FORGETTING, file, 1, ELEMENTS, 1);
    assertRefused("removals must be in [0, 0], got 1", FORGETTING, file, 1, REMOVALS, 1);
    assertRefused("elementCount must be in [-1, ", FORGETTING, file, 1, ELEMENT_COUNT, -2);
    byte[] blocked = forgettingFile(forgetting().blocked());
    FORGETTING.read(blocked);
    assertRefused("elements must be in [0, ", FORGETTING, blocked, 1, ELEMENTS, -1);
    assertRefused("elements must be in [0, ", FORGETTING, blocked, 1, ELEMENTS, 1L << 40);
    assertRefused("removals must be in [0, ", FORGETTING, blocked, 1, REMOVALS, -1);
    assertRefused("removals must be in [0, ", FORGETTING, blocked, 1, REMOVALS, Long.MAX_VALUE);
  }

  @Test
  void countsMustAddUp() throws IOException {
    byte[] file = forgettingFile(forgetting());
    for (long count : new long[] {49, 51}) {
      assertRefused(
          "but the element count is " + count,
          FORGETTING,
          withHeader(file, ELEMENT_COUNT_OF_FILTER, count));
    }
    byte[] bits = growingFile(growing());
    assertRefused(
        "but the element count is 1", GROWING, withHeader(bits, ELEMENT_COUNT_OF_FILTER, 1));
    byte[] empty = growing().build().toBytes();
    assertRefused(
        "but the element count is 1", GROWING, withHeader(empty, ELEMENT_COUNT_OF_FILTER, 1));
  }

  @Test
  void countThatAFileDoesNotSayStaysUnknown() throws IOException {
    byte[] file = withHeader(forgettingFile(forgetting()), ELEMENT_COUNT_OF_FILTER, -1);
    ScalableCountingBloomFilter<Long> filter = ScalableCountingBloomFilter.fromBytes(file, LONGS);
    assertEquals(OptionalLong.empty(), filter.elementCount());
    assertArrayEquals(file, filter.toBytes());
  }

  @Test
  void countsAddUpToNoMoreThanTheLargestNumber() throws IOException {
    long most = 1L << 62; // three times as many are too many
    byte[] two = fileWithManyCopies(2);
    two = withCount(withCount(two, 0, most), 1, Long.MAX_VALUE - most);
    assertEquals(
        OptionalLong.of(Long.MAX_VALUE),
        ScalableCountingBloomFilter.<Long>fromBytes(
                withHeader(two, ELEMENT_COUNT_OF_FILTER, Long.MAX_VALUE), LONGS)
            .elementCount());
    byte[] three = fileWithManyCopies(3);
    for (int layer = 0; layer < 3; layer++) {
      three = withCount(three, layer, most);
    }
    assertRefused(
        "but the element count is " + Long.MAX_VALUE,
        FORGETTING,
        withHeader(three, ELEMENT_COUNT_OF_FILTER, Long.MAX_VALUE));
    byte[] unknown = withHeader(three, ELEMENT_COUNT_OF_FILTER, -1);
    assertArrayEquals(
        unknown, ScalableCountingBloomFilter.<Long>fromBytes(unknown, LONGS).toBytes());
  }

  @Test
  void aLayerWhoseCountIsUnknownComesBack() throws IOException {
    byte[] file =
        withHeader(
            withNumber(fileWithManyCopies(2), 0, ELEMENT_COUNT, -1), ELEMENT_COUNT_OF_FILTER, -1);
    ScalableCountingBloomFilter<Long> filter = ScalableCountingBloomFilter.fromBytes(file, LONGS);
    assertEquals(OptionalLong.empty(), filter.elementCount());
    assertArrayEquals(file, filter.toBytes());
  }

  /** Each layer has an element with counters beyond 15. */
  private static byte[] fileWithManyCopies(int layers) {
    ScalableCountingBloomFilter<Long> filter = forgetting().build();
    for (long element = 0; filter.layerCount() < layers; element++) {
      assertTrue(element < 1000);
      int before = filter.layerCount();
      filter.add(element);
      boolean isFirst = element == 0 || filter.layerCount() > before; // of its layer
      for (int copies = isFirst ? 20 : 0; copies > 0; copies--) {
        filter.add(element);
      }
    }
    return filter.toBytes();
  }

  /**
   * Makes the element count of a layer a number, and its counters beyond 15 together so much more
   * as these elements add.
   */
  private static byte[] withCount(byte[] file, int layer, long count) throws IOException {
    FilterSection excess =
        FilterHeader.readFrom(new ByteArrayInputStream(file)).sections().get(2 + 2 * layer);
    assertEquals(SectionRole.EXCESS, excess.role());
    byte[] forged = withNumber(file, layer, ELEMENT_COUNT, count);
    int start = (int) excess.offset();
    int length = (int) excess.storedBytes();
    long hashes =
        ScalableCountingBloomFilter.fromBytes(withHeader(file, ELEMENT_COUNT_OF_FILTER, -1), LONGS)
            .state()
            .layers()
            .get(layer)
            .shape()
            .hashes();
    long before = buffer(file).getLong(offset(table(file), layer, ELEMENT_COUNT));
    BigInteger more = BigInteger.valueOf(count - before).multiply(BigInteger.valueOf(hashes));
    for (int pairs = length / 16, at = start + 8; pairs > 0; pairs--, at += 16) {
      BigInteger share = more.divide(BigInteger.valueOf(pairs));
      buffer(forged).putLong(at, buffer(file).getLong(at) + share.longValueExact());
      more = more.subtract(share);
    }
    buffer(forged).putInt(start + length, checksum(forged, start, length));
    return forged;
  }

  @Test
  void layersInUseHoldSomethingAndOthersNothing() throws IOException {
    byte[] file = forgettingFile(forgetting());
    assertRefused("layer 1 must be empty", FORGETTING, withSpare(file, 1, 1));
    byte[] spare = fileWithSpare();
    FORGETTING.read(spare);
    assertRefused("layer 1 is empty", FORGETTING, withSpare(spare, 2, -1));
    FORGETTING.read(forgetting().build().toBytes()); // the only layer may be empty
  }

  @Test
  void rowsAreThoseInUseAndTheSpareOne() throws IOException {
    byte[] file = forgettingFile(forgetting());
    assertRefused("there must be 3 layers, got 2", FORGETTING, withSpare(file, 3, -1));
    assertRefused("layer 1 is in use and cannot be spare", FORGETTING, withSpare(file, 2, 1));
    assertRefused("there must be 1 rows, got 2", FORGETTING, withSpare(file, 1, -1));
    assertRefused("index must be in [2, 2]", FORGETTING, withSpare(file, 1, 2));
    assertRefused("there must be 1 rows, got 2", FORGETTING, withSpare(fileWithSpare(), 1, -1));
  }

  private static byte[] withSpare(byte[] file, int inUse, int spare) {
    return withHeader(withHeader(file, LAYERS, inUse), SPARE, spare);
  }

  @Test
  void filtersOfOtherKindsAndStrategiesAreRefused() {
    byte[] forgetting = forgettingFile(forgetting());
    byte[] growing = growingFile(growing());
    assertRefused("this is a ", GROWING, forgetting);
    assertRefused("this is a ", FORGETTING, growing);
    LongHashStrategy other = HashStrategies.seeded(LONGS, 1);
    assertRefused(
        "is to be read with", file -> ScalableBloomFilter.fromBytes(file, other), growing);
    assertRefused(
        "is to be read with",
        file -> ScalableCountingBloomFilter.fromBytes(file, other),
        forgetting);
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

  /** What the contracts check at length, in short, as every change of the code is tried on it. */
  @Test
  void removalsAndCountsAreTold() {
    for (ScalableCountingBloomFilter.Builder<Long> builder :
        List.of(forgetting(), forgetting().blocked())) {
      ScalableCountingBloomFilter<Long> filter = builder.build();
      long least = filter.memoryBytes();
      LongStream.range(0, 149).forEach(filter::add);
      assertFalse(filter.add(3L));
      assertTrue(filter.add(1L << 40));
      assertFalse(filter.remove(1L << 50));
      assertTrue(filter.remove(1L << 40));
      assertFalse(filter.mightContain(1L << 40));
      assertTrue(filter.remove(3L) && filter.mightContain(3L));
      assertEquals(149, filter.elementCount().orElseThrow());
      ScalableCountingBloomFilter<Long> copy = filter.copy();
      LongStream.range(0, 149).forEach(i -> assertTrue(filter.remove(i)));
      assertEquals(0, filter.elementCount().orElseThrow());
      assertTrue(filter.memoryBytes() >= least);
      LongStream.range(0, 149).forEach(i -> assertTrue(copy.mightContain(i)));
    }
  }

  @Test
  void clearedFilterIsAsNew() {
    for (ScalableBloomFilter.Builder<Long> builder :
        List.of(growing(), growing().blocked(), growing().concurrent())) {
      ScalableBloomFilter<Long> filter = builder.build();
      byte[] empty = filter.toBytes();
      LongStream.range(0, 150).forEach(filter::add);
      filter.clear();
      assertArrayEquals(empty, filter.toBytes());
      assertEquals(0, filter.expectedFpp());
    }
  }
}
