package io.bloomkit.format;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.StrategyIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The codec as authors of filters use it. */
class FilterReaderTest {

  private static final FilterVariant MINE = new FilterVariant(0x8001, "MyFilter");
  private static final StrategyIdentity STRATEGY = new StrategyIdentity("mine/1", 0x0123456789L);

  /** Two sections: words at any fill, and a table. */
  private static byte[] file(long[] words, long... table) {
    return FilterContents.of(MINE, STRATEGY, words.length, 77)
        .elementCount(OptionalLong.of(5), 0, 9)
        .section(SectionRole.WORDS, words, 0, words.length)
        .section(SectionRole.TABLE, table)
        .build()
        .toBytes();
  }

  private static long[][] read(FilterReader reader) throws IOException {
    reader.require(MINE, STRATEGY, 2);
    int count = (int) reader.field(0, "words", 0, 1 << 20);
    SectionReader words = reader.section(SectionRole.WORDS, count);
    long[] array = new long[count];
    words.readInto(array, 0, count);
    SectionReader table = reader.table(SectionRole.TABLE, 100, 2);
    long[] rows = new long[(int) table.words()];
    table.readInto(rows, 0, rows.length);
    return new long[][] {array, rows};
  }

  @Test
  void wordsOfAnyFillComeBackInAnyCoding() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    for (int size : new int[] {0, 1, 2, 3, 100, 5000}) {
      for (double fill : new double[] {0, 1e-5, 0.001, 0.01, 0.05, 0.15, 0.2, 0.25, 0.5, 0.9, 1}) {
        long[] words = new long[size];
        for (int bit = 0; bit < 64 * size; bit++) {
          words[bit / 64] |= random.nextDouble() < fill ? 1L << bit : 0;
        }
        byte[] bytes = file(words, 1, 2, 3, 4);
        long[][] read = FilterReader.fromBytes(bytes, FilterReaderTest::read);
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
      assertArrayEquals(words, FilterReader.fromBytes(file(words), FilterReaderTest::read)[0]);
    }
  }

  @Test
  void bytesAreWordsWithZerosAtTheEnd() throws IOException {
    for (int count = 0; count < 20; count++) {
      byte[] bytes = new byte[20];
      Arrays.fill(bytes, (byte) 0xab);
      byte[] file =
          FilterContents.of(MINE, STRATEGY)
              .section(SectionRole.BUCKETS, bytes, count)
              .build()
              .uncoded()
              .toBytes();
      FilterHeader header = FilterHeader.readFrom(new ByteArrayInputStream(file));
      FilterSection section = header.sections().get(0);
      assertEquals((count + 7) / 8, section.words());
      ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < section.storedBytes(); i++) {
        assertEquals(i < count ? (byte) 0xab : 0, buffer.get((int) section.offset() + i));
      }
    }
  }

  @Test
  void headerSaysWhatTheFilterIsWithoutTheRest() throws IOException {
    byte[] bytes = file(new long[] {-1, -1}, 1, 2);
    CountingStream in = new CountingStream(bytes);
    FilterHeader header = FilterHeader.readFrom(in);
    assertEquals(header.headerBytes(), in.count);
    assertEquals(0x8001, header.variant().code());
    assertEquals(STRATEGY, header.strategy());
    assertEquals(OptionalLong.of(5), header.elementCount());
    assertEquals(77, header.field(1));
    assertEquals(2, header.sections().size());
    assertEquals(
        new FilterSection(SectionRole.WORDS, false, 0, 2, 128, 16), header.sections().get(0));
    assertEquals(
        new FilterSection(SectionRole.TABLE, false, 0, 2, 192, 16), header.sections().get(1));
    assertEquals(bytes.length, header.totalBytes());
    byte[] noCount = FilterContents.of(MINE, STRATEGY).build().toBytes();
    assertEquals(
        OptionalLong.empty(),
        FilterHeader.readFrom(new ByteArrayInputStream(noCount)).elementCount());
  }

  @Test
  void headerOfAnySizeThatIsAllowedIsRead() throws IOException {
    for (int idLength : new int[] {1, 2, 999, 1000}) {
      StrategyIdentity strategy = new StrategyIdentity("x".repeat(idLength), 3);
      byte[] bytes = FilterContents.of(MINE, strategy).build().toBytes();
      assertEquals(strategy, FilterHeader.readFrom(new ByteArrayInputStream(bytes)).strategy());
    }
    long[] fields = new SplittableRandom(1).longs(FilterHeader.MAX_FIELDS).toArray();
    FilterContents.Builder contents = FilterContents.of(MINE, STRATEGY, fields);
    for (int i = 0; i < 1000; i++) {
      contents.section(SectionRole.TABLE, i);
    }
    byte[] bytes = contents.build().toBytes();
    FilterContents read = FilterReader.fromBytes(bytes, FilterContents::read);
    assertArrayEquals(fields, read.fields());
    assertEquals(contents.build().fingerprint(), read.fingerprint());
    FilterHeader tooMany =
        new FilterHeader(MINE.code(), STRATEGY, OptionalLong.empty(), new long[65], List.of());
    FilterFormatException e = refusal(tooMany.toBytes());
    assertEquals("at byte 20: there are at most 64 fields but here 65", e.getMessage());
  }

  @Test
  void damageOfTheHeaderIsToldAtItsChecksum() {
    byte[] bytes = file(new long[] {1, 2}, 1, 2);
    bytes[32] ^= 1; // of the fingerprint, which may be any number
    FilterFormatException e = refusal(bytes);
    assertTrue(message(e).startsWith("at byte 118: the header is damaged"), message(e));
    assertEquals(118, e.offset());
  }

  @Test
  void everyFlippedBitAndEveryMissingByteIsRefused() {
    for (byte[] good : new byte[][] {file(new long[] {-1, 3}, 1, 2), file(new long[200], 1, 2)}) {
      for (int bit = 0; bit < 8 * good.length; bit++) {
        byte[] bytes = good.clone();
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        refusal(bytes);
      }
      for (int length = 0; length < good.length; length++) {
        refusal(Arrays.copyOf(good, length));
      }
      FilterFormatException e = refusal(Arrays.copyOf(good, good.length + 1));
      assertEquals(good.length, e.offset());
    }
  }

  @Test
  void filterOfAnotherKindOrStrategyIsRefusedWithBothNamed() {
    byte[] bytes = file(new long[] {1, 2}, 1, 2);
    assertRefused(
        bytes, r -> r.require(new FilterVariant(0x8002, "Other"), STRATEGY, 2), "and not a Other");
    assertRefused(
        bytes,
        r -> r.require(MINE, new StrategyIdentity("mine/2", STRATEGY.fingerprint()), 2),
        "at byte 112: the filter was filled by strategy mine/1 but is to be read with mine/2");
    assertRefused(
        bytes,
        r -> r.require(MINE, new StrategyIdentity("mine/1", 5), 2),
        "the ids agree but not the fingerprints");
    assertRefused(bytes, r -> r.require(MINE, STRATEGY, 1), "has 1 fields but here are 2");
    assertRefused(bytes, r -> r.field(1, "seventy", 78, 100), "seventy must lie in [78, 100]");
    assertRefused(bytes, r -> r.field(1, "seventy", 0, 76), "seventy must lie in [0, 76]");
    assertRefused(bytes, r -> r.section(SectionRole.TABLE, 2), "must be TABLE but is WORDS");
    assertRefused(bytes, r -> r.section(SectionRole.WORDS, 3), "must have 3 words but has 2");
  }

  @Test
  void sectionsMustBeAsManyAsAreRead() {
    byte[] bytes = file(new long[] {1, 2}, 1, 2);
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
    byte[] bytes = file(new long[] {1, 2}, 1, 2);
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
          return read(SectionRole.TABLE, reader);
        });
  }

  private static long[] words(FilterReader reader) throws IOException {
    return read(SectionRole.WORDS, reader);
  }

  private static long[] read(SectionRole role, FilterReader reader) throws IOException {
    long[] words = new long[2];
    reader.section(role, 2).readInto(words, 0, 2);
    return words;
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
    assertTrue(message(e).contains(fault), message(e));
  }

  @Test
  void otherVersionIsRefusedByNumber() {
    byte[] bytes = file(new long[0]);
    bytes[8] = 2;
    assertEquals(
        "at byte 8: the filter is of version 2 of the format; this reads version 1",
        refusal(bytes).getMessage());
  }

  @Test
  void otherFileIsRefusedAtItsFirstByte() {
    assertEquals(0, refusal("PK etc. etc.".getBytes(US_ASCII)).offset());
    assertTrue(message(refusal(new byte[0])).contains("the filter ends here"));
  }

  @Test
  void otherSizeOfATableIsRefused() throws IOException {
    assertTrue(message(refusal(file(new long[0], 1))).contains("a multiple of 2 words"));
    assertTrue(message(refusal(file(new long[0], new long[102]))).contains("at most 100"));
    long[][] read =
        FilterReader.fromBytes(file(new long[0], new long[100]), FilterReaderTest::read);
    assertEquals(100, read[1].length);
  }

  @Test
  void lengthOfTheHeaderMustFitItsParts() {
    byte[] bytes = file(new long[0], 1, 2);
    for (int offset : new int[] {12, 20, 22, 24}) {
      for (int difference : new int[] {-1, 1}) {
        byte[] other = bytes.clone();
        other[offset] += (byte) difference;
        FilterFormatException e = refusal(withChecksum(other));
        assertTrue(message(e).contains("the header takes"), message(e));
      }
    }
    bytes[24] = 0;
    assertEquals(24, refusal(withChecksum(bytes)).offset());
    bytes[24] = (byte) 0xe9; // 1001
    bytes[25] = 3;
    assertEquals(24, refusal(withChecksum(bytes)).offset());
  }

  @Test
  void numbersOfTheHeaderThatMeanNothingAreRefusedWhereTheyStand() {
    byte[] good = file(new long[0], 1, 2);
    int table = 48 + 2 * 8 + 24;
    assertEquals(
        40, refusal(withByte(good, 40, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)).offset());
    assertEquals(10, refusal(withByte(good, 10, 0, 0)).offset());
    assertEquals(table, refusal(withByte(good, table, 7)).offset());
    assertEquals(table + 2, refusal(withByte(good, table + 2, 1)).offset(), "a table is not coded");
    assertEquals(table + 2, refusal(withByte(good, table + 2, 2)).offset());
    assertEquals(table + 3, refusal(withByte(good, table + 3, 1)).offset(), "not gap-coded");
    assertEquals(table + 16, refusal(withByte(good, table + 16, 15)).offset());
    assertEquals(table + 16, refusal(withByte(good, table + 16, 17)).offset());
    assertEquals(
        "at byte 90: a section of role TABLE cannot have coding 2",
        refusal(withByte(good, table + 2, 2)).getMessage());
    for (int role : new int[] {0, 8}) {
      assertEquals(
          "at byte 88: there is no section of role " + role,
          refusal(withByte(good, table, role)).getMessage());
    }
    assertEquals(
        "at byte 112: the strategy's id must have printable ASCII characters only",
        refusal(withByte(good, 112, '\t')).getMessage());
    byte[] coded = file(new long[1000]);
    assertEquals(
        "at byte 67: coding 1 cannot have the parameter 41",
        refusal(withByte(coded, 67, 41)).getMessage());
    assertEquals(67, refusal(withByte(coded, 67, 41)).offset());
    assertEquals(67, refusal(withByte(coded, 67, 0xff)).offset());
    assertEquals(72, refusal(withByte(coded, 72, 1, 0, 0, 0, 4, 0, 0, 0)).offset(), "2^34 + 1");
    assertEquals(72, refusal(withByte(coded, 72, 0, 0, 0, 0, 0, 0, 0, 0x80)).offset());
    assertEquals(80, refusal(withByte(coded, 72, 0, 0, 0, 0, 4, 0, 0, 0)).offset(), "2^34");
  }

  private static byte[] withByte(byte[] good, int offset, int... values) {
    byte[] bytes = good.clone();
    for (int i = 0; i < values.length; i++) {
      bytes[offset + i] = (byte) values[i];
    }
    return withChecksum(bytes);
  }

  @Test
  void numbersOfTheFormatThatAreReservedMustBeZero() {
    for (int offset : new int[] {16, 17, 18, 19, 26, 27, 28, 29, 30, 31, 68, 69, 70, 71}) {
      byte[] bytes = file(new long[0], 1, 2);
      bytes[offset] = 4;
      FilterFormatException e = refusal(withChecksum(bytes));
      assertTrue(message(e).contains("reserved"), message(e));
      assertEquals(Math.min(offset, 68), e.offset());
    }
  }

  @Test
  void fingerprintOfContentsTellsThemApartAndNotTheirCoding() {
    FilterContents contents =
        FilterContents.of(MINE, STRATEGY, 1).section(SectionRole.WORDS, new long[100]).build();
    FilterContents same =
        FilterContents.of(MINE, STRATEGY, 1)
            .elementCount(OptionalLong.of(1), 0, 1)
            .section(SectionRole.WORDS, new long[200], 50, 100)
            .build();
    assertEquals(contents.fingerprint(), same.fingerprint());
    assertEquals(contents.fingerprint(), contents.uncoded().fingerprint());
    long[] one = new long[100];
    one[99] = 1L << 63;
    for (FilterContents other :
        new FilterContents[] {
          FilterContents.of(MINE, STRATEGY, 1).section(SectionRole.WORDS, one).build(),
          FilterContents.of(MINE, STRATEGY, 2).section(SectionRole.WORDS, new long[100]).build(),
          FilterContents.of(MINE, STRATEGY).section(SectionRole.WORDS, new long[100]).build(),
          FilterContents.of(MINE, STRATEGY, 1).section(SectionRole.WORDS, new long[101]).build(),
          FilterContents.of(MINE, STRATEGY, 1).section(SectionRole.TABLE, new long[100]).build(),
          FilterContents.of(new FilterVariant(1, "ClassicBloomFilter"), STRATEGY, 1)
              .section(SectionRole.WORDS, new long[100])
              .build(),
          FilterContents.of(MINE, new StrategyIdentity("mine/1", 3), 1)
              .section(SectionRole.WORDS, new long[100])
              .build(),
          FilterContents.of(MINE, new StrategyIdentity("mine/2", STRATEGY.fingerprint()), 1)
              .section(SectionRole.WORDS, new long[100])
              .build()
        }) {
      assertNotEquals(contents.fingerprint(), other.fingerprint());
    }
  }

  /** docs/format.md, "Fingerprint of the contents", put together by hand. */
  @Test
  void fingerprintOfContentsIsTheHashThatTheSpecificationSays() {
    ByteBuffer bytes = ByteBuffer.allocate(8 * 10 + 6).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0x8001).putLong(STRATEGY.fingerprint()).putLong(6);
    bytes.put("mine/1".getBytes(US_ASCII)).putLong(1).putLong(42);
    bytes.putLong(1).putLong(1).putLong(2).putLong(-5).putLong(7);
    FilterContents contents =
        FilterContents.of(MINE, STRATEGY, 42).section(SectionRole.WORDS, -5, 7).build();
    assertEquals(HashStrategies.bytes().hash(bytes.array()), contents.fingerprint());
  }

  @Test
  void streamThatBringsNothingNowAndThenIsReadToItsEnd() throws IOException {
    byte[] bytes = file(new long[] {1, 2, 3}, 4, 5);
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
    long[][] read = FilterReader.readFrom(lazy, FilterReaderTest::read);
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
        FilterFormatException.class, () -> FilterReader.readFrom(empty, FilterReaderTest::read));
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
        assertThrows(IOException.class, () -> FilterReader.readFrom(in, FilterReaderTest::read)));
  }

  @Test
  void mistakesOfAuthorsAreToldAtOnce() {
    assertThrows(IllegalArgumentException.class, () -> new FilterVariant(0, "x"));
    assertThrows(IllegalArgumentException.class, () -> new FilterVariant(0x10000, "x"));
    assertEquals(1, new FilterVariant(1, "x").code());
    assertEquals(0xffff, new FilterVariant(0xffff, "x").code());
    assertThrows(
        IllegalArgumentException.class, () -> FilterContents.of(MINE, STRATEGY, new long[65]));
    byte[] bytes = file(new long[] {1, 2}, 1, 2);
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
        FilterContents.of(MINE, STRATEGY).section(SectionRole.WORDS, words).build();
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
        FilterContents.of(MINE, STRATEGY)
            .section(SectionRole.TABLE, long2)
            .sectionsOf(contents)
            .build();
    assertThrows(IllegalStateException.class, () -> two.writeTo(out));
  }

  private static byte[] withChecksum(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int length = buffer.getInt(12);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length - 4);
    buffer.putInt(length - 4, (int) crc.getValue());
    return bytes;
  }

  private static FilterFormatException refusal(byte[] bytes) {
    return assertThrows(
        FilterFormatException.class, () -> FilterReader.fromBytes(bytes, FilterReaderTest::read));
  }

  private static String message(FilterFormatException e) {
    return String.valueOf(e.getMessage());
  }

  private static final class CountingStream extends InputStream {

    private final ByteArrayInputStream in;
    private int count;

    CountingStream(byte[] bytes) {
      this.in = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      count++;
      return in.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int read = in.read(target, offset, length);
      count += read;
      return read;
    }
  }
}
