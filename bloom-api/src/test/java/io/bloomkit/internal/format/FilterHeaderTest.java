package io.bloomkit.internal.format;

import static io.bloomkit.Refusals.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomkit.FilterFormatException;
import io.bloomkit.FilterPlan;
import io.bloomkit.hash.StrategyIdentity;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Headers of files, and those that no writer has written. */
class FilterHeaderTest {

  @Test
  void headerSaysWhatTheFilterIsWithoutTheRest() throws IOException {
    byte[] bytes = FileSamples.file(new long[] {-1, -1}, 1, 2);
    CountingStream in = new CountingStream(bytes);
    FilterHeader header = FilterHeader.readFrom(in);
    assertEquals(header.headerBytes(), in.count);
    assertEquals(0x8001, header.variant());
    assertEquals(FileSamples.STRATEGY, header.strategy());
    assertEquals(OptionalLong.of(5), header.elementCount());
    assertEquals(77, header.field(1));
    assertEquals(2, header.sections().size());
    assertEquals(
        new FilterSection(SectionRole.WORDS, false, 0, 2, 128, 16), header.sections().get(0));
    assertEquals(
        new FilterSection(SectionRole.TABLE, false, 0, 2, 192, 16), header.sections().get(1));
    assertEquals(bytes.length, header.totalBytes());
    byte[] noCount = FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY).build().toBytes();
    assertEquals(
        OptionalLong.empty(),
        FilterHeader.readFrom(new ByteArrayInputStream(noCount)).elementCount());
  }

  @Test
  void anotherFileIsRefusedAsSuchHoweverShort() {
    byte[] good = FileSamples.file(new long[] {-1, -1}, 1, 2);
    byte[] guava = good.clone();
    guava[0] = 1;
    for (int length = 1; length <= 10; length++) {
      byte[] bytes = Arrays.copyOf(guava, length);
      assertRefused(
          FilterFormatException.class,
          () -> FilterHeader.readFrom(new ByteArrayInputStream(bytes)),
          "at byte 0: not a file of Bloomkit: its mark has byte 0x01 in place of 0x89; bloom-interop reads"
              + " filters of Guava, Parquet, Spark and DCSO");
    }
    assertRefused(
        FilterFormatException.class,
        () -> FilterHeader.readFrom(new ByteArrayInputStream(good, 0, 3)),
        "at byte 3: the filter ends here, but 5 more bytes of the mark of a filter must follow");
  }

  @Test
  void headerOfAnySizeThatIsAllowedIsRead() throws IOException {
    for (int idLength : new int[] {1, 2, 999, 1000}) {
      StrategyIdentity strategy = new StrategyIdentity("x".repeat(idLength), 3);
      byte[] bytes = FilterContents.of(FileSamples.MINE, strategy).build().toBytes();
      assertEquals(strategy, FilterHeader.readFrom(new ByteArrayInputStream(bytes)).strategy());
    }
    long[] fields = new SplittableRandom(1).longs(FilterHeader.MAX_FIELDS).toArray();
    FilterContents.Builder contents =
        FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, fields);
    for (int i = 0; i < 1000; i++) {
      contents.section(SectionRole.TABLE, i);
    }
    byte[] bytes = contents.build().toBytes();
    FilterContents read = FilterReader.fromBytes(bytes, FilterContents::read);
    assertArrayEquals(fields, read.metadata().fields());
    assertEquals(contents.build().fingerprint(), read.fingerprint());
    FilterHeader tooMany =
        new FilterHeader(
            new FilterContents.Metadata(
                FileSamples.MINE,
                FileSamples.STRATEGY,
                OptionalLong.empty(),
                Optional.empty(),
                new long[65]),
            List.of());
    FilterFormatException e = FileSamples.refusal(tooMany.toBytes());
    assertEquals("at byte 20: there are at most 64 fields but here 65", e.getMessage());
  }

  @Test
  void damageOfTheHeaderIsToldAtItsChecksum() {
    byte[] bytes = FileSamples.file(new long[] {1, 2}, 1, 2);
    bytes[32] ^= 1; // of the fingerprint, which may be any number
    FilterFormatException e = FileSamples.refusal(bytes);
    assertTrue(
        FileSamples.message(e).startsWith("at byte 118: the header is damaged"),
        FileSamples.message(e));
    assertEquals(118, e.offset());
  }

  @Test
  void planIsReadAsItWasWritten() throws IOException {
    FilterPlan plan = new FilterPlan(1_000_000, 0.01);
    FilterContents.Builder contents =
        FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, 7, 8)
            .section(SectionRole.TABLE, 1, 2);
    FilterContents without = contents.build();
    FilterContents with = contents.plan(Optional.of(plan)).build();
    assertEquals(without.fingerprint(), with.fingerprint(), "a plan is no part of the contents");
    assertEquals(without.header().headerBytes() + 16, with.header().headerBytes());
    assertEquals(without.header().idOffset() + 16, with.header().idOffset());
    FilterContents read = FilterReader.fromBytes(with.toBytes(), FilterContents::read);
    assertEquals(Optional.of(plan), read.metadata().plan());
    assertArrayEquals(with.toBytes(), read.toBytes());
    assertEquals(
        Optional.empty(),
        FilterReader.fromBytes(without.toBytes(), FilterContents::read).metadata().plan());
  }

  @Test
  void planThatItsKindDoesNotHaveIsRefusedWhereItStands() throws IOException {
    FilterContents.Builder contents = FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY);
    byte[] without = contents.build().toBytes();
    byte[] with = contents.plan(Optional.of(new FilterPlan(7, 0.5))).build().toBytes();
    assertEquals(
        "at byte 48: the plan must be for 8 elements, got 7",
        assertThrows(FilterFormatException.class, () -> checked(with, r -> r.requirePlanFor(8)))
            .getMessage());
    assertEquals(
        "at byte 48: the header of a variant 32769 must have no plan",
        assertThrows(FilterFormatException.class, () -> checked(with, FilterReader::requireNoPlan))
            .getMessage());
    checked(with, reader -> reader.requirePlanFor(7));
    checked(without, reader -> reader.requirePlanFor(8));
    checked(without, FilterReader::requireNoPlan);
  }

  private interface Check {
    void of(FilterReader reader) throws FilterFormatException;
  }

  private static void checked(byte[] bytes, Check check) throws FilterFormatException {
    FilterReader.fromBytes(
        bytes,
        reader -> {
          check.of(reader);
          return FilterContents.read(reader);
        });
  }

  @Test
  void planThatNoFilterHasIsRefusedWhereItStands() {
    byte[] good =
        FilterContents.of(FileSamples.MINE, FileSamples.STRATEGY, 7)
            .plan(Optional.of(new FilterPlan(1, 0.5)))
            .build()
            .toBytes();
    for (long elements : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, (1L << 60) + 1}) {
      byte[] bytes = good.clone();
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(56, elements);
      assertEquals(
          "at byte 56: the plan is impossible: expectedInsertions must be in [1, "
              + (1L << 60)
              + "], got "
              + elements,
          FileSamples.refusal(withChecksum(bytes)).getMessage());
    }
    for (double fpp : new double[] {0, -0.0, 1, 1.5, -0.01, Double.NaN, Double.POSITIVE_INFINITY}) {
      byte[] bytes = good.clone();
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putDouble(64, fpp);
      assertEquals(
          "at byte 56: the plan is impossible: fpp must be in (0, 1), got " + fpp + "; 1 % is 0.01",
          FileSamples.refusal(withChecksum(bytes)).getMessage());
    }
  }

  @Test
  void otherVersionIsRefusedByNumber() {
    byte[] bytes = FileSamples.file(new long[0]);
    bytes[8] = 2;
    assertEquals(
        "at byte 8: the filter is of version 2 of the format; this reads version 1",
        FileSamples.refusal(bytes).getMessage());
  }

  @Test
  void otherSizeOfATableIsRefused() throws IOException {
    assertTrue(
        FileSamples.message(FileSamples.refusal(FileSamples.file(new long[0], 1)))
            .contains("a multiple of 2 words"));
    assertTrue(
        FileSamples.message(FileSamples.refusal(FileSamples.file(new long[0], new long[102])))
            .contains("at most 100"));
    long[][] read =
        FilterReader.fromBytes(FileSamples.file(new long[0], new long[100]), FileSamples::read);
    assertEquals(100, read[1].length);
  }

  @Test
  void lengthOfTheHeaderMustFitItsParts() {
    byte[] bytes = FileSamples.file(new long[0], 1, 2);
    for (int offset : new int[] {12, 20, 22, 24}) {
      for (int difference : new int[] {-1, 1}) {
        byte[] other = bytes.clone();
        other[offset] += (byte) difference;
        FilterFormatException e = FileSamples.refusal(withChecksum(other));
        assertTrue(FileSamples.message(e).contains("the header takes"), FileSamples.message(e));
      }
    }
    bytes[24] = 0;
    assertEquals(24, FileSamples.refusal(withChecksum(bytes)).offset());
    bytes[24] = (byte) 0xe9; // 1001
    bytes[25] = 3;
    assertEquals(24, FileSamples.refusal(withChecksum(bytes)).offset());
  }

  @Test
  void numbersOfTheHeaderThatMeanNothingAreRefusedWhereTheyStand() {
    byte[] good = FileSamples.file(new long[0], 1, 2);
    int table = 48 + 2 * 8 + 24;
    assertEquals(
        40,
        FileSamples.refusal(withByte(good, 40, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff))
            .offset());
    assertEquals(10, FileSamples.refusal(withByte(good, 10, 0, 0)).offset());
    assertEquals(table, FileSamples.refusal(withByte(good, table, 7)).offset());
    assertEquals(
        table + 2,
        FileSamples.refusal(withByte(good, table + 2, 1)).offset(),
        "a table is not coded");
    assertEquals(table + 2, FileSamples.refusal(withByte(good, table + 2, 2)).offset());
    assertEquals(
        table + 3, FileSamples.refusal(withByte(good, table + 3, 1)).offset(), "not gap-coded");
    assertEquals(table + 16, FileSamples.refusal(withByte(good, table + 16, 15)).offset());
    assertEquals(table + 16, FileSamples.refusal(withByte(good, table + 16, 17)).offset());
    assertEquals(
        "at byte 90: a section of role TABLE cannot have coding 2",
        FileSamples.refusal(withByte(good, table + 2, 2)).getMessage());
    for (int role : new int[] {0, 10}) {
      assertEquals(
          "at byte 88: there is no section of role " + role,
          FileSamples.refusal(withByte(good, table, role)).getMessage());
    }
    assertEquals(
        "at byte 112: the strategy's id must have printable ASCII characters only",
        FileSamples.refusal(withByte(good, 112, '\t')).getMessage());
    byte[] coded = FileSamples.file(new long[1000]);
    assertEquals(
        "at byte 67: coding 1 cannot have the parameter 41",
        FileSamples.refusal(withByte(coded, 67, 41)).getMessage());
    assertEquals(67, FileSamples.refusal(withByte(coded, 67, 41)).offset());
    assertEquals(67, FileSamples.refusal(withByte(coded, 67, 0xff)).offset());
    assertEquals(
        72, FileSamples.refusal(withByte(coded, 72, 1, 0, 0, 0, 4, 0, 0, 0)).offset(), "2^34 + 1");
    assertEquals(72, FileSamples.refusal(withByte(coded, 72, 0, 0, 0, 0, 0, 0, 0, 0x80)).offset());
    assertEquals(
        80, FileSamples.refusal(withByte(coded, 72, 0, 0, 0, 0, 4, 0, 0, 0)).offset(), "2^34");
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
      byte[] bytes = FileSamples.file(new long[0], 1, 2);
      bytes[offset] = 4;
      FilterFormatException e = FileSamples.refusal(withChecksum(bytes));
      assertTrue(FileSamples.message(e).contains("reserved"), FileSamples.message(e));
      assertEquals(Math.min(offset, 68), e.offset());
    }
  }

  private static byte[] withChecksum(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int length = buffer.getInt(12);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length - 4);
    buffer.putInt(length - 4, (int) crc.getValue());
    return bytes;
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
