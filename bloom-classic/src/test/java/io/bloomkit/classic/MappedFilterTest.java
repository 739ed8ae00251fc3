package io.bloomkit.classic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.BlockedShape;
import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.FlatShape;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.LongHashStrategy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Filters of bits that stay in their files. */
class MappedFilterTest {

  private static final LongHashStrategy LONGS = HashStrategies.longs();
  private static final FilterPlan PLAN = new FilterPlan(10_000, 0.01);
  private static final int QUERIES = 20_000;

  @TempDir private Path directory;

  private static ClassicBloomFilter<Long> classic(long positions, int hashes, int elements) {
    ClassicBloomFilter<Long> filter =
        ClassicBloomFilter.builder(LONGS)
            .shape(new FlatShape(positions, hashes))
            .plan(PLAN)
            .build();
    new SplittableRandom(1).longs(elements).forEach(filter::addHash);
    return filter;
  }

  private static BlockedBloomFilter<Long> blocked(BlockedShape shape, int elements) {
    BlockedBloomFilter<Long> filter =
        BlockedBloomFilter.builder(LONGS).shape(shape).plan(PLAN).build();
    new SplittableRandom(1).longs(elements).forEach(filter::addHash);
    return filter;
  }

  private MappedFilter<Long> mapped(BitFilter<Long> filter) throws IOException {
    Path file = Files.createTempFile(directory, "filter", null); // Windows replaces no mapped file
    filter.writeMappableTo(file);
    return open(filter, file);
  }

  private static MappedFilter<Long> open(BitFilter<Long> filter, Path file) throws IOException {
    return filter instanceof ClassicBloomFilter<?>
        ? ClassicBloomFilter.openMapped(file, LONGS)
        : BlockedBloomFilter.openMapped(file, LONGS);
  }

  private void assertSameAnswers(BitFilter<Long> filter) throws IOException {
    try (MappedFilter<Long> mapped = mapped(filter)) {
      long[] hashes = new SplittableRandom(1).longs(QUERIES).toArray(); // added ones come first
      boolean[] answers = new boolean[QUERIES];
      boolean[] expected = new boolean[QUERIES];
      assertEquals(
          filter.mightContainHashes(hashes, 0, hashes.length, expected),
          mapped.mightContainHashes(hashes, 0, hashes.length, answers));
      assertArrayEquals(expected, answers);
      for (int i = 0; i < QUERIES; i++) {
        assertEquals(expected[i], mapped.mightContainHash(hashes[i]));
      }
      boolean[] part = new boolean[300];
      assertEquals(
          filter.mightContainHashes(hashes, 3, 290, new boolean[300]),
          mapped.mightContainHashes(hashes, 3, 290, part));
      assertArrayEquals(Arrays.copyOfRange(expected, 3, 293), Arrays.copyOfRange(part, 3, 293));
      assertEquals(filter.mightContain(5L), mapped.mightContain(5L));
      assertEquals(filter.expectedFpp(), mapped.expectedFpp());
      for (int lines : new int[] {1, 20, Integer.MAX_VALUE}) {
        assertEquals(filter.estimate(lines), mapped.estimate(lines));
      }
      assertEquals(filter.approximateElementCount(), mapped.approximateElementCount());
      assertEquals(filter.setPositions(), mapped.setPositions());
      assertEquals(filter.elementCount(), mapped.elementCount());
      assertEquals(Optional.of(PLAN), mapped.plan());
      assertEquals(8L * filter.toLongArray().length, mapped.memoryBytes());
      assertEquals(filter.strategy(), mapped.strategy());
      mapped.verify();
    }
  }

  @Test
  void classicFilterAnswersAsItDoesInMemory() throws IOException {
    for (long positions : new long[] {1, 63, 64, 65, 1000, 100_001, 9_585_059}) {
      for (int hashes : new int[] {1, 2, 3, 4, 6, 7, 8, 12}) {
        assertSameAnswers(classic(positions, hashes, 10_000));
      }
    }
    assertSameAnswers(classic(100_000, 7, 0));
  }

  @Test
  void blockedFilterAnswersAsItDoesInMemory() throws IOException {
    for (BlockedShape shape :
        new BlockedShape[] {
          new BlockedShape(2, 512, 6),
          new BlockedShape(1998, 512, 2),
          new BlockedShape(200, 512, 16),
          new BlockedShape(302, 128, 4),
          new BlockedShape(6, 128, 8)
        }) {
      assertSameAnswers(blocked(shape, 10_000));
      assertSameAnswers(blocked(shape, 30));
    }
  }

  @Test
  void fileToBeMappedIsReadLikeAnyOther() throws IOException {
    Path file = directory.resolve("filter");
    classic(100_000, 7, 3).writeMappableTo(file);
    assertEquals(classic(100_000, 7, 3), ClassicBloomFilter.readFrom(file, LONGS));
    assertTrue(Files.size(file) > 12_500);
  }

  @Test
  void codedFileIsRefusedAndTheRemedyNamed() throws IOException {
    Path file = directory.resolve("filter");
    classic(100_000, 7, 3).writeTo(file);
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> ClassicBloomFilter.openMapped(file, LONGS));
    assertTrue(String.valueOf(e.getMessage()).contains("writeMappableTo(Path)"), e.getMessage());
    classic(1000, 7, 300).writeTo(file); // half full: not coded
    assertDoesNotThrow(() -> ClassicBloomFilter.openMapped(file, LONGS).verify());
  }

  @Test
  void everyFlippedBitIsRefusedAtOpeningOrByVerify() throws IOException {
    for (BitFilter<Long> filter :
        Arrays.asList(classic(129, 7, 10), blocked(new BlockedShape(2, 512, 6), 30))) {
      byte[] good = filter.contents().uncoded().toBytes();
      Path file = directory.resolve("flipped" + good.length);
      Files.write(file, good);
      int onlyByVerify = 0;
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        for (int bit = 0; bit < 8 * good.length; bit++) {
          byte[] bad = {(byte) (good[bit / 8] ^ (1 << (bit % 8)))};
          channel.write(ByteBuffer.wrap(bad), bit / 8);
          onlyByVerify += isRefusedByVerifyOnly(filter, file, bit) ? 1 : 0;
          channel.write(ByteBuffer.wrap(good, bit / 8, 1), bit / 8);
        }
      }
      // The payload and its checksum, and no bit of header or padding.
      assertEquals(8 * (filter.toLongArray().length * 8 + 4), onlyByVerify);
    }
  }

  private static boolean isRefusedByVerifyOnly(BitFilter<Long> filter, Path file, int bit)
      throws IOException {
    try (MappedFilter<Long> mapped = open(filter, file)) {
      assertThrows(FilterFormatException.class, mapped::verify, "bit " + bit);
      return true;
    } catch (FilterFormatException e) {
      return false;
    }
  }

  @Test
  void fileOfAnotherLengthIsRefusedAtOpening() throws IOException {
    byte[] good = classic(1001, 7, 100).contents().uncoded().toBytes();
    Path file = directory.resolve("filter");
    for (int length = 0; length < good.length; length++) {
      Files.write(file, Arrays.copyOf(good, length));
      FilterFormatException e =
          assertThrows(
              FilterFormatException.class, () -> ClassicBloomFilter.openMapped(file, LONGS));
      assertEquals(length, e.offset(), "the header says that more follows");
    }
    Files.write(file, Arrays.copyOf(good, good.length + 1));
    FilterFormatException e =
        assertThrows(FilterFormatException.class, () -> ClassicBloomFilter.openMapped(file, LONGS));
    assertEquals(good.length, e.offset());
    Files.delete(file);
    assertThrows(NoSuchFileException.class, () -> ClassicBloomFilter.openMapped(file, LONGS));
  }

  @Test
  void forgedFileWithRightChecksumsIsRefusedByVerify() throws IOException {
    byte[] bytes = classic(1001, 7, 100).contents().uncoded().toBytes();
    int words = (1001 + 63) / 64;
    int from = bytes.length - 4 - 8 * words;
    bytes[bytes.length - 5] = (byte) 0x80; // the bit of position 1023
    putChecksum(bytes, from, 8 * words);
    assertVerifyRefuses(bytes, "beyond the last position");
    Arrays.fill(bytes, from, from + 8 * words, (byte) 0); // but a hundred elements
    putChecksum(bytes, from, 8 * words);
    assertVerifyRefuses(bytes, "element count of 100");
    Arrays.fill(bytes, from, from + 125, (byte) -1); // a thousand bits, but seven hundred at most
    putChecksum(bytes, from, 8 * words);
    assertVerifyRefuses(bytes, "element count of 100");
  }

  private void assertVerifyRefuses(byte[] bytes, String fault) throws IOException {
    Path file = Files.write(Files.createTempFile(directory, "forged", null), bytes);
    try (MappedFilter<Long> mapped = ClassicBloomFilter.openMapped(file, LONGS)) {
      FilterFormatException e = assertThrows(FilterFormatException.class, mapped::verify);
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains(fault), message);
      assertTrue(message.startsWith(file + ", at byte " + e.offset() + ": "), message);
    }
  }

  private static void putChecksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    for (int i = 0; i < 4; i++) {
      bytes[from + length + i] = (byte) (crc.getValue() >>> (8 * i));
    }
  }

  @Test
  void otherVariantAndOtherStrategyAreRefused() throws IOException {
    Path file = directory.resolve("filter");
    classic(1000, 7, 10).writeMappableTo(file);
    assertThrows(FilterFormatException.class, () -> BlockedBloomFilter.openMapped(file, LONGS));
    LongHashStrategy seeded = HashStrategies.seeded(LONGS, 1);
    assertThrows(FilterFormatException.class, () -> ClassicBloomFilter.openMapped(file, seeded));
    blocked(new BlockedShape(2, 512, 6), 3).writeMappableTo(file);
    assertThrows(FilterFormatException.class, () -> ClassicBloomFilter.openMapped(file, LONGS));
    assertThrows(FilterFormatException.class, () -> BlockedBloomFilter.openMapped(file, seeded));
  }

  @Test
  void closedFilterRefusesEverything() throws IOException {
    MappedFilter<Long> mapped = mapped(classic(1000, 7, 10));
    mapped.close();
    mapped.close();
    assertThrows(IllegalStateException.class, () -> mapped.mightContain(1L));
    assertThrows(IllegalStateException.class, mapped::verify);
    assertThrows(IllegalStateException.class, mapped::expectedFpp);
    assertThrows(IllegalStateException.class, mapped::memoryBytes);
    assertEquals(OptionalLong.of(10), mapped.elementCount());
    assertTrue(mapped.toString().contains("positions=1000"), mapped.toString());
    MappedFilter<Long> blocked = mapped(blocked(new BlockedShape(2, 512, 6), 3));
    blocked.close();
    assertTrue(blocked.toString().contains("blocks=2"), blocked.toString());
    assertThrows(
        IllegalStateException.class,
        () -> blocked.mightContainHashes(new long[1], 0, 1, new boolean[1]));
  }

  @Test
  @SuppressWarnings("NullAway") // what happens to those who pass null
  void batchesNameAnArgumentThatIsNull() throws IOException {
    for (BitFilter<Long> filter :
        List.of(classic(1000, 7, 10), blocked(new BlockedShape(2, 512, 6), 3))) {
      try (MappedFilter<Long> mapped = mapped(filter)) {
        assertNamed("hashes", () -> mapped.mightContainHashes(null, 0, 1, new boolean[1]));
        assertNamed("answers", () -> mapped.mightContainHashes(new long[1], 0, 1, null));
      }
    }
  }

  private static void assertNamed(String name, Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  /** Needs a loop that the second compiler has compiled, which takes less than a second. */
  @Test
  void queriesInALoopEndAfterAnotherThreadClosesTheFilter() throws Exception {
    MappedFilter<Long> mapped = mapped(classic(1 << 14, 7, 1000));
    Thread queries =
        new Thread(
            () ->
                assertThrows(
                    IllegalStateException.class,
                    () -> {
                      for (long hash = 1; ; hash += 0x9e3779b97f4a7c15L) {
                        mapped.mightContainHash(hash);
                      }
                    }));
    queries.setDaemon(true);
    queries.start();
    queries.join(1000);
    mapped.close();
    queries.join(10_000);
    assertFalse(queries.isAlive(), "queries go on");
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "it replaces no mapped file")
  void filterThatIsOpenKeepsTheFileThatWasReplaced() throws IOException {
    Path file = directory.resolve("filter");
    classic(1000, 7, 0).writeMappableTo(file);
    MappedFilter<Long> old = ClassicBloomFilter.openMapped(file, LONGS);
    classic(1000, 7, 100).writeMappableTo(file);
    MappedFilter<Long> replacement = ClassicBloomFilter.openMapped(file, LONGS);
    long added = new SplittableRandom(1).nextLong();
    assertFalse(old.mightContainHash(added));
    assertTrue(replacement.mightContainHash(added));
    old.verify();
  }

  @Test
  @EnabledOnOs(OS.WINDOWS)
  void windowsReplacesNoFileThatIsMapped() throws IOException {
    Path file = directory.resolve("filter");
    classic(1000, 7, 100).writeMappableTo(file);
    try (MappedFilter<Long> mapped = ClassicBloomFilter.openMapped(file, LONGS)) {
      IOException e =
          assertThrows(IOException.class, () -> classic(1000, 7, 0).writeMappableTo(file));
      assertTrue(String.valueOf(e.getMessage()).startsWith(file + ": "), e.getMessage());
      mapped.verify();
      assertEquals(OptionalLong.of(100), mapped.elementCount());
    }
    assertEquals(classic(1000, 7, 100), ClassicBloomFilter.readFrom(file, LONGS));
  }
}
