package io.bloomkit.internal.format;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.StrategyIdentity;
import io.bloomkit.internal.Words;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The codec as authors of filters use it. */
class FilterReaderTest {

  @Test
  void wordsOfAnyFillComeBackInAnyCoding() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    for (int size : new int[] {0, 1, 2, 3, 100, 5000}) {
      for (double fill : new double[] {0, 1e-5, 0.001, 0.01, 0.05, 0.15, 0.2, 0.25, 0.5, 0.9, 1}) {
        long[] words = new long[size];
        for (int bit = 0; bit < 64 * size; bit++) {
          words[bit / 64] |= random.nextDouble() < fill ? 1L << bit : 0;
        }
        byte[] bytes = FileSamples.file(words, 1, 2, 3, 4);
        long[][] read = FilterReader.fromBytes(bytes, FileSamples::read);
        assertArrayEquals(words, read[0]);
        assertArrayEquals(new long[] {1, 2, 3, 4}, read[1]);
      }
    }
  }

  /** Runs of ones and zeros, and single bits far apart, meet every border of the bit reader. */
  @Test
  void gapsOfEveryLengthComeBack() throws IOException {
    for (int gap = 0; gap < 3000; gap += 1 + gap / 50) {
      long[] words = new long[2000];
      for (int bit = gap; bit < 64 * words.length; bit += gap + 64) {
        words[bit / 64] |= 1L << bit;
      }
      assertArrayEquals(
          words, FilterReader.fromBytes(FileSamples.file(words), FileSamples::read)[0]);
    }
  }

  @Test
  void bytesAreWordsWithZerosAtTheEnd() throws IOException {
    for (int count = 0; count < 20; count++) {
      byte[] bytes = new byte[20];
      Arrays.fill(bytes, (byte) 0xab);
      byte[] file =
          FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY)
              .section(SectionRole.BUCKETS, new Words.OfBytes(bytes, count))
              .build()
              .uncoded()
              .toBytes();
      FilterHeader header = FilterHeader.readFrom(new ByteArrayInputStream(file));
      FilterSection section = header.sections().get(0);
      assertEquals((count + 7) / 8, section.wordCount());
      ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < section.storedBytes(); i++) {
        assertEquals(i < count ? (byte) 0xab : 0, buffer.get((int) section.offset() + i));
      }
    }
  }

  @Test
  void everyFlippedBitAndEveryMissingByteIsRefused() {
    for (byte[] good :
        new byte[][] {
          FileSamples.file(new long[] {-1, 3}, 1, 2), FileSamples.file(new long[200], 1, 2)
        }) {
      for (int bit = 0; bit < 8 * good.length; bit++) {
        byte[] bytes = good.clone();
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        FileSamples.refusal(bytes);
      }
      for (int length = 0; length < good.length; length++) {
        FileSamples.refusal(Arrays.copyOf(good, length));
      }
      FilterFormatException e = FileSamples.refusal(Arrays.copyOf(good, good.length + 1));
      assertEquals(good.length, e.offset());
    }
  }

  @Test
  void filterOfAnotherKindOrStrategyIsRefusedWithBothNamed() {
    byte[] bytes = FileSamples.file(new long[] {1, 2}, 1, 2);
    assertRefused(
        bytes, r -> r.require(0x8002, FileSamples.STRATEGY, 2), "and not a variant 32770");
    assertRefused(
        bytes,
        r ->
            r.require(
                FileSamples.MINE,
                new StrategyIdentity("mine/2", FileSamples.STRATEGY.fingerprint()),
                2),
        "at byte 112: the filter was filled by strategy mine/1 but is to be read with mine/2: read it"
            + " with the strategy that filled it");
    assertRefused(
        bytes,
        r -> r.require(FileSamples.MINE, new StrategyIdentity("mine/1", 5), 2),
        "the ids agree but not the fingerprints");
    assertRefused(
        bytes,
        r -> r.require(FileSamples.MINE, FileSamples.STRATEGY, 1),
        "has 1 fields but here are 2");
    assertRefused(bytes, r -> r.field(1, "seventy", 78, 100), "seventy must be in [78, 100]");
    assertRefused(bytes, r -> r.field(1, "seventy", 0, 76), "seventy must be in [0, 76]");
    assertRefused(bytes, r -> r.section(SectionRole.TABLE, 2), "must be TABLE, got WORDS");
    assertRefused(bytes, r -> r.section(SectionRole.WORDS, 3), "must have 3 words, got 2");
  }

  @Test
  void sectionsMustBeAsManyAsAreRead() {
    byte[] bytes = FileSamples.file(new long[] {1, 2}, 1, 2);
    assertRefused(bytes, r -> words(r), "has 1 sections but here are 2");
    assertRefused(
        bytes,
        r -> {
          words(r);
          r.section(SectionRole.TABLE, 2).readInto(new long[2], 0, 2);
          r.section(SectionRole.TABLE, 2);
        },
        "section TABLE is missing: there are only 2 sections");
    assertThrows(
        IllegalStateException.class,
        () ->
            FilterReader.fromBytes(
                bytes,
                reader -> {
                  words(reader);
                  return reader.section(SectionRole.TABLE, 2).next();
                }));
  }

  @Test
  void elementCountMustFitWhatWasRead() throws IOException {
    byte[] bytes = FileSamples.file(new long[] {1, 2}, 1, 2);
    assertRefused(
        bytes,
        r -> {
          words(r);
          r.requireElementCount(r.elementCount(), 6, 9);
        },
        "its fill is that of 6 to 9 elements, but the element count is 5");
    assertRefused(
        bytes,
        r -> {
          words(r);
          r.requireElementCount(r.elementCount(), 0, 4);
        },
        "but the element count is 5");
    FilterReader.fromBytes(
        bytes,
        reader -> {
          words(reader);
          reader.requireElementCount(reader.elementCount(), 5, 5);
          reader.requireElementCount(OptionalLong.empty(), 6, 4);
          return FileSamples.read(SectionRole.TABLE, reader);
        });
  }

  private static long[] words(FilterReader reader) throws IOException {
    return FileSamples.read(SectionRole.WORDS, reader);
  }

  private interface Reading {
    void read(FilterReader reader) throws IOException;
  }

  private static void assertRefused(byte[] bytes, Reading reading, String fault) {
    FilterFormatException e =
        assertThrows(
            FilterFormatException.class,
            () ->
                FilterReader.fromBytes(
                    bytes,
                    reader -> {
                      reading.read(reader);
                      return reader;
                    }));
    assertTrue(FileSamples.message(e).contains(fault), FileSamples.message(e));
  }

  @Test
  void fingerprintOfContentsTellsThemApartAndNotTheirCoding() {
    FilterContents contents =
        FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, 1)
            .section(SectionRole.WORDS, new long[100])
            .build();
    FilterContents same =
        FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, 1)
            .elementCount(OptionalLong.of(1), 0, 1)
            .section(SectionRole.WORDS, new long[200], 50, 100)
            .build();
    assertEquals(contents.fingerprint(), same.fingerprint());
    assertEquals(contents.fingerprint(), contents.uncoded().fingerprint());
    long[] one = new long[100];
    one[99] = 1L << 63;
    for (FilterContents other :
        new FilterContents[] {
          FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, 1)
              .section(SectionRole.WORDS, one)
              .build(),
          FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, 2)
              .section(SectionRole.WORDS, new long[100])
              .build(),
          FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY)
              .section(SectionRole.WORDS, new long[100])
              .build(),
          FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, 1)
              .section(SectionRole.WORDS, new long[101])
              .build(),
          FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, 1)
              .section(SectionRole.TABLE, new long[100])
              .build(),
          FilterContents.of(1, FileSamples.STRATEGY, 1)
              .section(SectionRole.WORDS, new long[100])
              .build(),
          FilterContents.of(FileSamples.MINE, new StrategyIdentity("mine/1", 3), 1)
              .section(SectionRole.WORDS, new long[100])
              .build(),
          FilterContents.of(
                  FileSamples.MINE,
                  new StrategyIdentity("mine/2", FileSamples.STRATEGY.fingerprint()),
                  1)
              .section(SectionRole.WORDS, new long[100])
              .build()
        }) {
      assertNotEquals(contents.fingerprint(), other.fingerprint());
    }
  }

  /** docs/format.md, "Fingerprint of the contents", assembled byte by byte. */
  @Test
  void fingerprintOfContentsIsTheHashThatTheSpecificationSays() {
    ByteBuffer bytes = ByteBuffer.allocate(8 * 10 + 6).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0x8001).putLong(FileSamples.STRATEGY.fingerprint()).putLong(6);
    bytes.put("mine/1".getBytes(US_ASCII)).putLong(1).putLong(42);
    bytes.putLong(1).putLong(1).putLong(2).putLong(-5).putLong(7);
    FilterContents contents =
        FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, 42)
            .section(SectionRole.WORDS, -5, 7)
            .build();
    assertEquals(HashStrategies.bytes().hash(bytes.array()), contents.fingerprint());
  }

  @Test
  void streamThatBringsNothingNowAndThenIsReadToItsEnd() throws IOException {
    byte[] bytes = FileSamples.file(new long[] {1, 2, 3}, 4, 5);
    ByteArrayInputStream all = new ByteArrayInputStream(bytes);
    InputStream lazy =
        new InputStream() {
          private int calls;

          @Override
          public int read() {
            return all.read();
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            return calls++ % 2 == 0 ? 0 : all.read(target, offset, Math.min(length, 3));
          }
        };
    long[][] read = FilterReader.readFrom(lazy, FileSamples::read);
    assertArrayEquals(new long[] {1, 2, 3}, read[0]);
    InputStream empty =
        new InputStream() {
          @Override
          public int read() {
            return -1;
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            return 0;
          }
        };
    assertThrows(
        FilterFormatException.class, () -> FilterReader.readFrom(empty, FileSamples::read));
  }

  @Test
  void failureOfTheStreamIsItsOwn() {
    IOException failure = new IOException("cable");
    InputStream in =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw failure;
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            throw failure;
          }
        };
    assertSame(
        failure,
        assertThrows(IOException.class, () -> FilterReader.readFrom(in, FileSamples::read)));
  }

  @Test
  void mistakesOfAuthorsAreToldAtOnce() {
    for (int variant : new int[] {0, 0x10000}) {
      assertThrows(
          IllegalArgumentException.class, () -> FilterContents.of(variant, FileSamples.STRATEGY));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, new long[65]));
    byte[] bytes = FileSamples.file(new long[] {1, 2}, 1, 2);
    assertThrows(
        IllegalStateException.class,
        () ->
            FilterReader.fromBytes(
                bytes,
                reader -> {
                  reader.section(SectionRole.WORDS, 2).next();
                  return reader.section(SectionRole.TABLE, 2);
                }));
    assertThrows(
        IllegalStateException.class,
        () ->
            FilterReader.fromBytes(
                bytes,
                reader -> {
                  SectionReader words = reader.section(SectionRole.WORDS, 2);
                  return words.next() + words.next() + words.next();
                }));
  }

  /** A filter that another thread changes between the plan and the writing of a coded section. */
  @Test
  void changeWhileWritingIsNoticed() {
    long[] words = new long[1000];
    words[5] = 1;
    FilterContents contents =
        FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY)
            .section(SectionRole.WORDS, words)
            .build();
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new AssertionError();
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            Arrays.fill(words, -1);
          }
        };
    long[] long2 = new long[20_000];
    Arrays.fill(long2, -1);
    FilterContents two =
        FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY)
            .section(SectionRole.TABLE, long2)
            .sectionsOf(contents)
            .build();
    assertThrows(IllegalStateException.class, () -> two.writeTo(out));
  }
}
