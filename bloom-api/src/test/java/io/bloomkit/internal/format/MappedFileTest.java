package io.bloomkit.internal.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.AllocatedBytes;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.StrategyIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAccumulator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mapped sections. LargeMappedFilterTest has whole filters of several gibibytes. */
class MappedFileTest {

  private static final int VARIANT = 0x8000;
  private static final StrategyIdentity STRATEGY = StrategyIdentity.of(HashStrategies.longs());
  private static final int WORDS = 300_001; // more than two slices of a mebibyte

  @TempDir private Path directory;

  private Path write(FilterContents.Builder contents) throws IOException {
    Path file = directory.resolve("file");
    contents.build().uncoded().writeTo(file);
    return file;
  }

  private static FilterContents.Builder contents() {
    return FilterContents.of(VARIANT, STRATEGY);
  }

  @Test
  void mappedWordsAreThoseThatWereWritten() throws IOException {
    long[] words = new SplittableRandom(1).longs(WORDS).toArray();
    long setBits = Arrays.stream(words).map(Long::bitCount).sum();
    Path file = write(contents().section(SectionRole.WORDS, words));
    MappedWords mapped = MappedFile.open(file, f -> f.section(SectionRole.WORDS, WORDS));
    assertEquals(WORDS, mapped.size());
    for (int i = 0; i < WORDS; i++) {
      assertEquals(words[i], mapped.get(i));
    }
    assertEquals(setBits, mapped.countBits());
    assertEquals(setBits, mapped.verify());
    assertThrows(IndexOutOfBoundsException.class, () -> mapped.get(WORDS));
  }

  /** A sparse file of 2.5 GiB, of which a few words are not zero. */
  @Test
  void wordsOfSeveralGibibytesAreThoseThatWereWritten() throws IOException {
    long words = 5L << 26;
    long offset = 128;
    FilterSection section =
        new FilterSection(SectionRole.WORDS, false, 0, words, offset, words * Long.BYTES);
    byte[] header =
        new FilterHeader(
                new FilterContents.Metadata(
                    VARIANT, STRATEGY, OptionalLong.empty(), Optional.empty(), new long[0]),
                List.of(section))
            .toBytes();
    assertEquals(offset, FilterHeader.align(header.length));
    long[] places = {0, (1 << 27) - 1, 1 << 27, (1 << 27) + 5, (1 << 28) + 9, words - 1};
    Path file = directory.resolve("large");
    Assumptions.assumeTrue(Files.getFileStore(directory).getUsableSpace() > 3L << 30);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(header), 0);
      for (long place : places) {
        ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        channel.write(word.putLong(0, ~place), offset + place * Long.BYTES);
      }
      channel.write(ByteBuffer.allocate(FilterSection.CHECKSUM_BYTES), section.checksumOffset());
    }
    MappedWords mapped = MappedFile.open(file, f -> f.section(SectionRole.WORDS, words));
    assertEquals(words, mapped.size());
    for (long place : places) {
      assertEquals(~place, mapped.get(place));
    }
    for (long place : new long[] {1, 5, 9, (1 << 27) + 1, (1 << 27) + 9, 1 << 28, words - 2}) {
      assertEquals(0, mapped.get(place));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> mapped.get(words));
    assertThrows(IndexOutOfBoundsException.class, () -> mapped.get(-1));
    assertReadsWithoutGarbage(mapped);
  }

  private static void assertReadsWithoutGarbage(MappedWords mapped) {
    int operations = 100_000;
    LongAccumulator sum = new LongAccumulator(Long::sum, 0);
    Runnable reads =
        () -> {
          for (int i = 0; i < operations; i++) {
            sum.accumulate(mapped.get(i % 5 * (mapped.size() / 5)));
          }
        };
    reads.run();
    long bytes = AllocatedBytes.of(reads);
    assertTrue(bytes < operations, () -> bytes + " bytes");
  }

  /**
   * Without segments, or where parts are not what they must be, nothing outside of them is read.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void partsAreReadAsBuffersWithoutSegments(boolean outsideTheHeap) {
    long wordsPerPart = 1 << 27;
    FilterSection section =
        new FilterSection(
            SectionRole.WORDS, false, 0, wordsPerPart + 4, 128, wordsPerPart * 8 + 32);
    ByteBuffer[] parts = new ByteBuffer[2]; // the first much shorter than a gibibyte
    for (int i = 0; i < parts.length; i++) {
      parts[i] = outsideTheHeap ? ByteBuffer.allocateDirect(32) : ByteBuffer.allocate(32);
      parts[i].order(ByteOrder.LITTLE_ENDIAN);
      for (int j = 0; j < 4; j++) {
        parts[i].putLong(j * Long.BYTES, 10 * i + j);
      }
    }
    MappedWords mapped = new MappedWords(section, OptionalInt.of(0), parts, null);
    for (int j = 0; j < 4; j++) {
      assertEquals(j, mapped.get(j));
      assertEquals(10 + j, mapped.get(wordsPerPart + j));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> mapped.get(4));
    assertThrows(IndexOutOfBoundsException.class, () -> mapped.get(wordsPerPart - 1));
    assertThrows(IndexOutOfBoundsException.class, () -> mapped.get(wordsPerPart + 4));
  }

  @Test
  void damageAnywhereIsFound() throws IOException {
    long[] words = new SplittableRandom(1).longs(WORDS).toArray();
    Path file = write(contents().section(SectionRole.WORDS, words));
    byte[] good = Files.readAllBytes(file);
    for (int at = good.length - 1; at > 128; at -= good.length / 20) {
      byte[] bad = good.clone();
      bad[at] ^= 16;
      Path damaged = Files.write(directory.resolve("damaged" + at), bad);
      MappedWords mapped = MappedFile.open(damaged, f -> f.section(SectionRole.WORDS, WORDS));
      assertThrows(FilterFormatException.class, mapped::verify);
    }
  }

  @Test
  void onlyTheSectionThatIsExpectedIsMapped() throws IOException {
    Path file = write(contents().section(SectionRole.WORDS, 1, 2, 3));
    assertRefused(file, SectionRole.WORDS, 2, "WORDS of 3 words");
    assertRefused(file, SectionRole.WORDS, 4, "WORDS of 3 words");
    assertRefused(file, SectionRole.BUCKETS, 3, "must be BUCKETS");
    Path none = write(contents());
    assertRefused(none, SectionRole.WORDS, 0, "here are 0");
    Path two = write(contents().section(SectionRole.WORDS, 1).section(SectionRole.OVERFLOW));
    assertRefused(two, SectionRole.WORDS, 1, "here are 2");
  }

  @Test
  void fileOfAnotherLengthIsRefused() throws IOException {
    Path file = write(contents().section(SectionRole.WORDS, 1, 2, 3));
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length + 1));
    assertRefused(file, SectionRole.WORDS, 3, "its header says that it has " + bytes.length);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    assertRefused(file, SectionRole.WORDS, 3, "the file has " + (bytes.length - 1) + " bytes");
  }

  @Test
  void codedSectionIsRefused() throws IOException {
    Path file = directory.resolve("coded.bloom");
    contents().section(SectionRole.WORDS, new long[1000]).build().writeTo(file);
    assertRefused(file, SectionRole.WORDS, 1000, "gap-coded and cannot be mapped");
    FilterFormatException e =
        assertThrows(
            FilterFormatException.class,
            () -> MappedFile.open(file, f -> f.section(SectionRole.WORDS, 1000)));
    assertEquals(48 + 2, e.offset()); // the coding in the only entry
  }

  @Test
  void headerIsThereBeforeTheSectionIsMapped() throws IOException {
    Path file = write(contents().section(SectionRole.WORDS, 1, 2, 3));
    MappedWords mapped =
        MappedFile.open(
            file,
            f -> {
              f.reader().require(VARIANT, STRATEGY, 0);
              return f.section(
                  SectionRole.WORDS, f.reader().header().sections().get(0).wordCount());
            });
    assertEquals(3, mapped.size());
    assertThrows(
        FilterFormatException.class,
        () ->
            MappedFile.open(
                file,
                f -> {
                  f.reader().require(VARIANT, STRATEGY, 1);
                  return f.section(SectionRole.WORDS, 3);
                }));
  }

  @Test
  void paddingMustBeZero() throws IOException {
    Path file = write(contents().section(SectionRole.WORDS, 1, 2, 3));
    byte[] bytes = Files.readAllBytes(file);
    bytes[127] = 9;
    Files.write(file, bytes);
    assertRefused(file, SectionRole.WORDS, 3, "at byte 127: padding must be 0, got 0x09");
  }

  @Test
  void faultOfTheWordsIsToldWithTheirPlace() throws IOException {
    Path file = write(contents().section(SectionRole.WORDS, 1, 2, 3));
    MappedWords mapped = MappedFile.open(file, f -> f.section(SectionRole.WORDS, 3));
    FilterFormatException e = mapped.wrong("too full");
    assertEquals("at byte 128: section WORDS: too full", e.getMessage());
    assertEquals(128, e.offset());
  }

  private static void assertRefused(Path file, SectionRole role, long words, String fault) {
    FilterFormatException e =
        assertThrows(
            FilterFormatException.class, () -> MappedFile.open(file, f -> f.section(role, words)));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(fault), message);
    assertTrue(message.startsWith(file + ", at byte " + e.offset() + ": "), message);
  }
}
