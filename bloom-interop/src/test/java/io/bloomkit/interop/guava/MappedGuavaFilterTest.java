package io.bloomkit.interop.guava;

import static io.bloomkit.interop.guava.GuavaBytesTest.header;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.hash.BloomFilter;
import io.bloomkit.FilterFormatException;
import io.bloomkit.internal.format.FilterContents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Guava's bytes in their file, beside the real Guava. */
class MappedGuavaFilterTest {

  private static final int HEADER_BYTES = 6;

  @TempDir private Path directory;

  private static Stream<DynamicTest> forEach(Comparison comparison) {
    return GuavaCase.ALL.stream()
        .map(side -> DynamicTest.dynamicTest(side.toString(), () -> comparison.compare(side)));
  }

  private interface Comparison {
    void compare(GuavaCase<?> side) throws IOException;
  }

  @TestFactory
  Stream<DynamicTest> queriesAreAnsweredAsByGuava() {
    return forEach(side -> fillGuavasAndMapIt(side, 10_000));
  }

  @Tag("campaign")
  @TestFactory
  Stream<DynamicTest> aMillionQueriesAreAnsweredAsByGuava() {
    return forEach(side -> fillGuavasAndMapIt(side, 1_000_000));
  }

  private <T> void fillGuavasAndMapIt(GuavaCase<T> side, int count) throws IOException {
    BloomFilter<T> guava = side.guava(count, 0.03);
    for (int i = 0; i < count; i++) {
      guava.put(side.element(i));
    }
    byte[] bytes = GuavaCase.bytesOf(guava);
    GuavaBloomFilter<T> read = side.read(bytes);
    Path file = write(bytes);
    try (MappedGuavaFilter<T> mapped = GuavaBloomFilter.openMapped(file, side.ours())) {
      for (int i = 0; i < 2 * count; i++) {
        T element = side.element(i);
        boolean answer = mapped.mightContain(element);
        if (answer != guava.mightContain(element) || (i < count && !answer)) {
          throw new AssertionError(side + ": element " + i + " is answered for by " + answer);
        }
      }
      assertEquals(read.expectedFpp(), mapped.expectedFpp());
      assertEquals(read.approximateElementCount(), mapped.approximateElementCount());
      assertEquals(read.setPositions(), mapped.setPositions());
      assertEquals(read.positions(), mapped.positions());
      assertEquals(read.hashes(), mapped.hashes());
      assertEquals(mapped.expectedFpp(), mapped.estimate(1 << 20).fpp().value(), 1e-12);
      assertEquals(bytes.length - HEADER_BYTES, mapped.memoryBytes());
    }
  }

  /** Writes a file of a new name, since Windows replaces no mapped file. */
  private Path write(byte[] bytes) throws IOException {
    return Files.write(Files.createTempFile(directory, "filter", null), bytes);
  }

  private MappedGuavaFilter<Long> open(byte[] bytes) throws IOException {
    return GuavaBloomFilter.openMapped(write(bytes), GuavaFunnel.longs());
  }

  private void assertRefused(int at, String message, byte[] bytes) {
    FilterFormatException refusal = assertThrows(FilterFormatException.class, () -> open(bytes));
    assertEquals(at, refusal.offset());
    assertTrue(refusal.toString().contains(message), refusal.toString());
  }

  @Test
  void otherFilesThanThoseOfGuavaAreRefused() {
    byte[] good = Arrays.copyOf(header(1, 7, 3), HEADER_BYTES + 24);
    for (int length = 0; length < HEADER_BYTES; length++) {
      assertRefused(length, "the input ends within the header", Arrays.copyOf(good, length));
    }
    for (int length = HEADER_BYTES; length < good.length; length++) {
      assertRefused(
          length,
          "the file has " + length + " bytes but its header says that it has 30",
          Arrays.copyOf(good, length));
    }
    assertRefused(30, "the file has 31 bytes", Arrays.copyOf(good, good.length + 1));
    for (int words : new int[] {0, -1}) {
      assertRefused(2, "the number of words must be in [1, ", header(1, 7, words));
    }
    assertRefused(6, "its header says that it has 17179869182", header(1, 7, Integer.MAX_VALUE));
    assertRefused(1, "the number of hashes must be at least 1", header(1, 0, 3));
    assertRefused(0, "the strategy must be 0", header(2, 7, 3));
    assertRefused(
        0,
        "a file in Bloomkit's format cannot be mapped as Guava's: read it by"
            + " GuavaBloomFilter.readFrom, or convert it by bloom convert --to guava",
        FilterContents.of(GuavaBloomFilter.create(GuavaFunnel.longs(), 10, 0.01)).toBytes());
    FileSystemException isDirectory =
        assertThrows(
            FileSystemException.class,
            () -> GuavaBloomFilter.openMapped(directory, GuavaFunnel.longs()));
    assertEquals(directory.toString(), isDirectory.getFile());
    assertThrows(
        NoSuchFileException.class,
        () -> GuavaBloomFilter.openMapped(directory.resolve("none"), GuavaFunnel.longs()));
  }

  @Test
  void aClosedFilterIsOfNoUse() throws IOException {
    MappedGuavaFilter<Long> filter = open(Arrays.copyOf(header(1, 7, 3), HEADER_BYTES + 24));
    assertFalse(filter.mightContain(1L));
    assertTrue(
        filter
            .toString()
            .startsWith(
                "MappedGuavaFilter[positions=192, hashes=7, strategy=MURMUR128_MITZ_64,"
                    + " funnel=longs, file="));
    filter.close();
    filter.close();
    assertThrows(IllegalStateException.class, () -> filter.mightContain(1L));
    assertThrows(IllegalStateException.class, filter::setPositions);
  }

  /** 2.5 GiB in a sparse file: three parts before Java 22, a segment since. */
  @Test
  @Tag("deep")
  void filtersAboveTwoGibibytesAreMapped() throws IOException {
    assumeTrue(Files.getFileStore(directory).getUsableSpace() > 16 << 20, "the disk lacks room");
    int words = 5 << 26;
    for (GuavaStrategy strategy : GuavaStrategy.values()) {
      Path file = directory.resolve("large" + strategy);
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.SPARSE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(header(strategy.code(), 5, words)), 0);
        channel.write(ByteBuffer.allocate(1), HEADER_BYTES + 8L * words - 1);
        for (long element = 0; element < 100; element++) {
          set(channel, strategy, element, 64L * words);
        }
      }
      try (MappedGuavaFilter<Long> mapped =
          GuavaBloomFilter.openMapped(file, GuavaFunnel.longs())) {
        assertEquals(8L * words, mapped.memoryBytes());
        for (long element = 0; element < 500; element++) {
          assertEquals(element < 100, mapped.mightContain(element));
        }
      }
    }
  }

  private static void set(FileChannel channel, GuavaStrategy strategy, long element, long positions)
      throws IOException {
    Murmur3 hash = Murmur3.ofThisThread();
    GuavaFunnel.longs().hash(element, hash);
    long state = strategy.start(hash);
    for (int i = 0; i < 5; i++) {
      long position = strategy.position(state, positions);
      ByteBuffer word = ByteBuffer.allocate(Long.BYTES);
      long at = HEADER_BYTES + position / 64 * 8;
      channel.read(word, at);
      word.putLong(0, word.getLong(0) | 1L << position % 64);
      channel.write(word.rewind(), at);
      state += strategy.step(hash);
    }
  }
}
