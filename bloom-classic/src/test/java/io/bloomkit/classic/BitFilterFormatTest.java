package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FlatShape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.hash.LongHashStrategy;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.format.FilterContents;
import io.bloomkit.internal.format.FilterHeader;
import io.bloomkit.internal.format.FilterReader;
import io.bloomkit.internal.format.FilterSection;
import io.bloomkit.internal.format.SectionRole;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Filters of bits as files. */
class BitFilterFormatTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();

  private static final int[] ELEMENTS = {0, 1, 2, 10, 100, 300, 1000, 3000, 10_000, 100_000};

  @TempDir private Path directory;

  private static ClassicBloomFilter<Long> classic(long positions, int elements) {
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(positions, 7)).build();
    new SplittableRandom(1).longs(elements).forEach(filter::addHash);
    return filter;
  }

  private static BlockedBloomFilter<Long> blocked(BlockedShape shape, int elements) {
    BlockedBloomFilter<Long> filter = BlockedBloomFilter.builder(LONGS).shape(shape).build();
    new SplittableRandom(1).longs(elements).forEach(filter::addHash);
    return filter;
  }

  @Test
  void classicFilterOfAnyFillComesBack() throws IOException {
    for (int elements : ELEMENTS) {
      for (long positions : new long[] {1, 63, 64, 65, 1000, 65_536, 65_537, 100_001}) {
        ClassicBloomFilter<Long> filter = classic(positions, elements);
        byte[] bytes = filter.toBytes();
        ClassicBloomFilter<Long> read = ClassicBloomFilter.fromBytes(bytes, LONGS);
        assertEquals(filter, read);
        assertEquals(filter.setPositions(), read.setPositions());
        assertEquals(OptionalLong.of(elements), read.elementCount());
        assertArrayEquals(bytes, read.toBytes());
        assertEquals(filter.contents().fingerprint(), read.contents().fingerprint());
        byte[] uncoded = filter.contents().uncoded().toBytes();
        assertEquals(filter, ClassicBloomFilter.fromBytes(uncoded, LONGS));
      }
    }
  }

  @Test
  void blockedFilterOfAnyFillComesBack() throws IOException {
    for (int elements : ELEMENTS) {
      for (BlockedShape shape :
          new BlockedShape[] {
            new BlockedShape(2, 512, 6),
            new BlockedShape(200, 512, 16),
            new BlockedShape(302, 128, 4)
          }) {
        BlockedBloomFilter<Long> filter = blocked(shape, elements);
        byte[] bytes = filter.toBytes();
        BlockedBloomFilter<Long> read = BlockedBloomFilter.fromBytes(bytes, LONGS);
        assertEquals(filter, read);
        assertEquals(OptionalLong.of(elements), read.elementCount());
        assertArrayEquals(bytes, read.toBytes());
      }
    }
  }

  @Test
  void elementCountThatDoesNotFitTheFillIsRefused() throws IOException {
    long[] eightBits = {0xff, 0};
    assertEquals(OptionalLong.of(2), forged(2, eightBits).elementCount());
    for (long count : new long[] {0, 1}) {
      assertRefused("its fill is that of 2 to", () -> forged(count, eightBits));
    }
    assertEquals(OptionalLong.of(0), forged(0, 0, 0).elementCount());
    assertRefused("its fill is that of 0 to 0 elements", () -> forged(1, 0, 0));
  }

  private static ClassicBloomFilter<Long> forged(long count, long... words)
      throws FilterFormatException {
    return ClassicBloomFilter.fromBytes(
        FilterContents.of(ClassicBloomFilter.KIND.code(), StrategyIdentity.of(LONGS), 128, 7)
            .elementCount(OptionalLong.of(count), 0, Long.MAX_VALUE)
            .section(SectionRole.WORDS, words)
            .build()
            .toBytes(),
        LONGS);
  }

  @Test
  void shapesThatNoBlockedFilterHasAreRefused() throws IOException {
    assertEquals(new BlockedShape(4, 512, 6), ofShape(4, 512, 6).shape());
    assertEquals(new BlockedShape(4, 128, 6), ofShape(4, 128, 6).shape());
    for (int odd : new int[] {3, 7, 101}) {
      assertRefused("blocks must be even, got " + odd, () -> ofShape(odd, 512, 6));
    }
    assertThrows(FilterFormatException.class, () -> ofShape(1, 512, 6));
    assertRefused("there are no blocks of 256 positions", () -> ofShape(4, 256, 6));
    assertRefused("hashes must be even, got 5", () -> ofShape(4, 512, 5));
  }

  private static BlockedBloomFilter<Long> ofShape(int blocks, int positionsPerBlock, int hashes)
      throws FilterFormatException {
    return BlockedBloomFilter.fromBytes(
        FilterContents.of(
                BlockedBloomFilter.KIND.code(),
                StrategyIdentity.of(LONGS),
                blocks,
                positionsPerBlock,
                hashes)
            .section(SectionRole.WORDS, new long[blocks * positionsPerBlock / Long.SIZE])
            .build()
            .toBytes(),
        LONGS);
  }

  private static void assertRefused(String fault, Executable call) {
    String message = String.valueOf(assertThrows(FilterFormatException.class, call).getMessage());
    assertTrue(message.contains(fault), message);
  }

  @Test
  void bitsBeyondTheLastPositionAreRefused() throws IOException {
    for (int position = 0; position < 128; position++) {
      long[] words = new long[2];
      words[position / 64] |= 1L << position;
      byte[] bytes =
          FilterContents.of(ClassicBloomFilter.KIND.code(), StrategyIdentity.of(LONGS), 100, 7)
              .section(SectionRole.WORDS, words)
              .build()
              .toBytes();
      if (position < 100) {
        ClassicBloomFilter<Long> read = ClassicBloomFilter.fromBytes(bytes, LONGS);
        assertTrue(read.isSet(position));
      } else {
        assertRefused(
            "bits beyond the last position of " + new FlatShape(100, 7) + " are set",
            () -> ClassicBloomFilter.fromBytes(bytes, LONGS));
      }
    }
  }

  @Test
  void bitsOfAPartAreReadByTheSizeGiven() throws IOException {
    ClassicBloomFilter<Long> filter = classic(1001, 10);
    for (boolean concurrent : new boolean[] {false, true}) {
      ClassicBloomFilter<Long> read =
          FilterReader.fromBytes(
              filter.toBytes(),
              reader -> ClassicBloomFilter.readSection(reader, LONGS, filter.shape(), concurrent));
      assertEquals(filter, read);
      assertEquals(OptionalLong.empty(), read.elementCount());
      assertEquals(concurrent, read.isConcurrent());
    }
  }

  @Test
  void builderWithASizeReadsThatSizeOnly() throws IOException {
    FlatShape shape = new FlatShape(1000, 7);
    byte[] bytes = classic(1000, 10).toBytes();
    assertEquals(
        classic(1000, 10), ClassicBloomFilter.builder(LONGS).shape(shape).fromBytes(bytes));
    assertRefused(
        "the builder asks for",
        () -> ClassicBloomFilter.builder(LONGS).shape(new FlatShape(999, 7)).fromBytes(bytes));
    BlockedShape blocks = new BlockedShape(20, 512, 6);
    byte[] blocked = blocked(blocks, 10).toBytes();
    assertEquals(
        blocked(blocks, 10), BlockedBloomFilter.builder(LONGS).shape(blocks).fromBytes(blocked));
    assertRefused(
        "the builder asks for",
        () ->
            BlockedBloomFilter.builder(LONGS)
                .shape(new BlockedShape(22, 512, 6))
                .fromBytes(blocked));
  }

  /** The example of docs/format.md. */
  @Test
  void gapsAreThoseOfTheSpecification() {
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(LONGS)
            .shape(new FlatShape(128, 1))
            .buildFrom(new long[] {1 | 1 << 5, 1L << 63});
    byte[] bytes = filter.toBytes();
    byte[] code = {0x00, (byte) 0xfd, 0x25, 0x00};
    assertEquals(1, bytes[66], "gap-coded");
    assertEquals(4, bytes[67], "r");
    assertArrayEquals(code, Arrays.copyOfRange(bytes, 128, 132));
    assertEquals(128 + 4 + 4, bytes.length);
  }

  @Test
  void filterFullToOnePerCentTakesItsEntropyAndNotItsSize() {
    ClassicBloomFilter<Long> filter = classic(7_000_000, 10_000);
    double perSetBit = 8.0 * (filter.toBytes().length - 132) / filter.setPositions();
    assertEquals(0.01, filter.setPositions() / 7e6, 0.0001);
    assertTrue(perSetBit < 8.14, () -> perSetBit + " bits a set bit; the entropy is 8.08");
  }

  @Test
  void emptyFilterTakesAFourteenthOfItsSize() {
    byte[] bytes = classic(1 << 20, 0).toBytes();
    assertEquals(128 + ((1 << 17) + 13) / 14 + 4, bytes.length);
  }

  @Test
  void halfFullFilterIsStoredAsItStandsInMemory() throws IOException {
    ClassicBloomFilter<Long> filter = ClassicBloomFilter.create(LONGS, 1000, 0.01);
    new SplittableRandom(1).longs(1000).forEach(filter::addHash);
    byte[] bytes = filter.toBytes();
    FilterHeader header = FilterHeader.readFrom(new ByteArrayInputStream(bytes));
    assertEquals(ClassicBloomFilter.KIND.code(), header.variant());
    assertEquals(StrategyIdentity.of(LONGS), header.strategy());
    assertEquals(OptionalLong.of(1000), header.elementCount());
    assertEquals(2, header.fieldCount());
    assertEquals(filter.shape(), new FlatShape(header.field(0), (int) header.field(1)));
    FilterSection section = header.sections().get(0);
    assertEquals(SectionRole.WORDS, section.role());
    assertFalse(section.gapCoded());
    assertEquals(0, section.offset() % FilterHeader.ALIGNMENT);
    assertEquals(bytes.length, section.checksumOffset() + 4);
    assertEquals(bytes.length, header.totalBytes());
    long[] words = filter.toLongArray();
    for (int i = 0; i < words.length; i++) {
      long word = 0;
      for (int j = 7; j >= 0; j--) {
        word = word << 8 | (bytes[(int) section.offset() + 8 * i + j] & 0xff);
      }
      assertEquals(words[i], word);
    }
  }

  @Test
  void filtersFollowEachOtherInAStream() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    classic(1000, 10).writeTo(out);
    blocked(new BlockedShape(10, 512, 6), 30).writeTo(out);
    classic(100, 1).writeTo(out);
    out.write('!');
    ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
    assertEquals(classic(1000, 10), ClassicBloomFilter.readFrom(in, LONGS));
    assertEquals(blocked(new BlockedShape(10, 512, 6), 30), BlockedBloomFilter.readFrom(in, LONGS));
    assertEquals(classic(100, 1), ClassicBloomFilter.readFrom(in, LONGS));
    assertEquals('!', in.read());
  }

  @Test
  void filterIsReadFromAFileThatHoldsNothingElse() throws IOException {
    Path file = directory.resolve("filter.bloom");
    classic(1000, 10).writeTo(file);
    assertEquals(classic(1000, 10), ClassicBloomFilter.readFrom(file, LONGS));
    blocked(new BlockedShape(10, 512, 6), 30).writeTo(file);
    assertEquals(
        blocked(new BlockedShape(10, 512, 6), 30), BlockedBloomFilter.readFrom(file, LONGS));
    Files.write(file, new byte[] {0}, StandardOpenOption.APPEND);
    assertThrows(FilterFormatException.class, () -> BlockedBloomFilter.readFrom(file, LONGS));
  }

  @Test
  void builderReadsForManyThreadsAndChecksASizeThatWasGiven() throws IOException {
    ClassicBloomFilter<Long> filter = classic(1000, 10);
    ClassicBloomFilter<Long> shared =
        ClassicBloomFilter.builder(LONGS).concurrent().fromBytes(filter.toBytes());
    assertEquals(filter, shared);
    assertEquals(filter.setPositions(), shared.setPositions());
    assertEquals(filter.elementCount(), shared.elementCount());
    assertEquals(
        filter,
        ClassicBloomFilter.builder(LONGS).shape(filter.shape()).fromBytes(filter.toBytes()));
    ClassicBloomFilter.Builder<Long> other =
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(1000, 6));
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> other.fromBytes(filter.toBytes()));
    assertTrue(String.valueOf(e.getMessage()).contains("6 hashes"), e.getMessage());
  }

  @Test
  void elementCountThatTheFillContradictsIsNotWritten() throws IOException {
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(64, 2)).buildFrom(new long[] {7}, 1);
    assertEquals(
        OptionalLong.empty(),
        ClassicBloomFilter.<Long>fromBytes(filter.toBytes(), LONGS).elementCount());
    ClassicBloomFilter<Long> enough =
        ClassicBloomFilter.builder(LONGS).shape(new FlatShape(64, 2)).buildFrom(new long[] {7}, 2);
    assertEquals(
        OptionalLong.of(2),
        ClassicBloomFilter.<Long>fromBytes(enough.toBytes(), LONGS).elementCount());
    enough.intersect(enough);
    assertEquals(
        OptionalLong.empty(),
        ClassicBloomFilter.<Long>fromBytes(enough.toBytes(), LONGS).elementCount());
  }

  @Test
  void otherStrategyIsRefusedByName() {
    byte[] bytes = classic(1000, 10).toBytes();
    LongHashStrategy other = HashStrategies.seeded(LONGS, 42);
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> ClassicBloomFilter.fromBytes(bytes, other));
    assertTrue(String.valueOf(e.getMessage()).contains(LONGS.id()), e.getMessage());
    assertTrue(String.valueOf(e.getMessage()).contains(other.id()), e.getMessage());
  }

  @Test
  void otherKeyIsRefusedAndNoKeyIsWritten() {
    byte[] key = "sixteen letters!".getBytes(StandardCharsets.US_ASCII);
    HashStrategy<byte[]> keyed = HashStrategies.sipHash24(key);
    byte[] bytes = ClassicBloomFilter.create(keyed, 100, 0.01).toBytes();
    for (int length = 4; length <= key.length; length++) {
      String part = new String(key, 0, length, StandardCharsets.ISO_8859_1);
      String all = new String(bytes, StandardCharsets.ISO_8859_1);
      assertFalse(all.contains(part));
    }
    key[3] ^= 1;
    HashStrategy<byte[]> other = HashStrategies.sipHash24(key);
    assertEquals(keyed.id(), other.id());
    assertNotEquals(keyed.fingerprint(), other.fingerprint());
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> ClassicBloomFilter.fromBytes(bytes, other));
    assertTrue(String.valueOf(e.getMessage()).contains("key"), e.getMessage());
  }

  @Test
  void otherVariantIsRefusedByName() {
    byte[] bytes = classic(1000, 10).toBytes();
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> BlockedBloomFilter.fromBytes(bytes, LONGS));
    assertTrue(
        String.valueOf(e.getMessage()).contains("this is a ClassicBloomFilter"), e.getMessage());
  }
}
